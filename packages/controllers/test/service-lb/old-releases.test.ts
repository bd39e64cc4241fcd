import { describe, expect, test } from 'vitest';
import { createCloud } from './cloud.ts';
import { createFixture, loadBalancerService, makeNode, stateOf } from './fixture.ts';

const objects = [makeNode('n1'), loadBalancerService('web'), loadBalancerService('plain', { type: 'ClusterIP' })];

describe('a controller of 1.9', () => {
  test('asks the cloud about a Service that needs no load balancer', async () => {
    await using fixture = await createFixture({ objects, version: '1.9' });
    await fixture.start();
    expect(fixture.cloud.takeCalls()).toContain('get plain');
    await using laterFixture = await createFixture({ objects, version: '1.15' });
    await laterFixture.start();
    expect(laterFixture.cloud.takeCalls().filter((call) => call.endsWith('plain'))).toEqual([]);
  });

  test('writes the status, and no finalizer', async () => {
    await using fixture = await createFixture({ objects, version: '1.9' });
    await fixture.start();
    expect(stateOf(await fixture.get('web'))).toEqual({ finalizer: false, ips: ['192.0.2.1'] });
  });

  test('deletes the load balancer of a Service that is deleted while it runs', async () => {
    await using fixture = await createFixture({ objects, version: '1.9', cloud: createCloud({ list: false }) });
    await fixture.start();
    await fixture.delete('web');
    await fixture.pass();
    expect(fixture.cloud.loadBalancers.size).toBe(0);
  });

  test('deletes the load balancer of a Service that changes its type, and clears the status', async () => {
    await using fixture = await createFixture({ objects, version: '1.9' });
    await fixture.start();
    await fixture.change('web', { spec: { type: 'ClusterIP' } });
    await fixture.pass();
    expect([fixture.cloud.loadBalancers.size, stateOf(await fixture.get('web'))]).toEqual([0, { finalizer: false, ips: [] }]);
  });

  test('reports a failed creation as CreatingLoadBalancerFailed, and retries it after 5 s', async () => {
    const cloud = createCloud();
    let isDown = true;
    cloud.intercept = ({ call }) => (call === 'ensure' && isDown ? Promise.reject(new Error('no quota')) : undefined);
    await using fixture = await createFixture({ objects, version: '1.9', cloud });
    await fixture.start();
    const text = 'Error creating load balancer (will retry): failed to ensure load balancer for service shop/web: no quota';
    expect(await fixture.readEvents('web')).toContain(`CreatingLoadBalancerFailed: ${text}`);
    isDown = false;
    await fixture.pass(5000);
    expect(fixture.cloud.loadBalancers.size).toBe(1);
  });
});

test.each([
  ['1.9', 1],
  ['1.15', 1],
  ['1.16', 0],
  ['1.37', 0],
])('with %s, the deletion of a Service while no controller runs leaves %i load balancers', async (version, count) => {
  await using fixture = await createFixture({ objects, version, cloud: createCloud({ list: false }) });
  await fixture.start();
  await fixture.stop();
  await fixture.delete('web');
  await fixture.start();
  await fixture.pass();
  expect(await fixture.get('web')).toBeUndefined();
  expect(fixture.cloud.loadBalancers.size).toBe(count);
});

test('the search for orphans deletes the load balancer that 1.9 leaves, if the cloud can list its load balancers', async () => {
  await using fixture = await createFixture({ objects, version: '1.9' });
  await fixture.start();
  await fixture.stop();
  await fixture.delete('web');
  await fixture.start();
  await fixture.pass();
  expect(fixture.cloud.loadBalancers.size).toBe(0);
});
