import { expect, it, onTestFinished } from 'vitest';
import { createTcpCloud } from '../../../src/clouds/index.ts';
import { makeService, withNodes } from '../objects.ts';
import { createTestNetwork, serviceFor } from './support.ts';

const { startBackends, createTcpFixture, range } = createTestNetwork(88);

it('a restarted cloud reuses the address in the status', async () => {
  const [a] = await startBackends('a');
  const before = createTcpFixture();
  await before.cloud.balancers.ensure(withNodes(serviceFor(a, {}, 'other'), [a.node]));
  const status = await before.cloud.balancers.ensure(withNodes(serviceFor(a), [a.node]));
  await before.cloud.close();
  const after = createTcpFixture();
  const published = { ...serviceFor(a), status: { loadBalancer: status } };
  expect(await after.cloud.balancers.ensure(withNodes(published, [a.node]))).toEqual(status);
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
