import { expect, it, onTestFinished } from 'vitest';
import { createTcpCloud } from '../../../src/clouds/index.ts';
import { makeService, withNodes } from '../objects.ts';
import { createTestNetwork, serviceFor } from './support.ts';

const { startBackends, createTcpFixture, range } = createTestNetwork(88);

it('a restarted cloud reuses the address in the status', async () => {
  const [a] = await startBackends('a');
  const firstFixture = createTcpFixture();
  await firstFixture.cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'other'), [a.node]));
  const status = await firstFixture.cloud.balancers.ensure(withNodes(serviceFor(a), [a.node]));
  await firstFixture.cloud.close();
  const secondFixture = createTcpFixture();
  const publishedService = { ...serviceFor(a), status: { loadBalancer: status } };
  expect(await secondFixture.cloud.balancers.ensure(withNodes(publishedService, [a.node]))).toEqual(status);
});

it('an observer that throws does not affect the cloud', async () => {
  const cloud = createTcpCloud({
    addresses: range,
    onEvent() {
      throw new Error('no log');
    },
  });
  onTestFinished(() => cloud.close());
  expect(await cloud.balancers.ensure(withNodes(makeService()))).toMatchObject({ ingress: [{}] });
});

it('an invalid address range is rejected', () => {
  expect(() => createTcpCloud({ addresses: '10.0.0.0/8' })).toThrow(RangeError);
});
