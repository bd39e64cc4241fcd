import { expect, test } from 'vitest';
import { createBoundChoice } from '../../src/engine/delays.ts';
import { createNetwork } from '../../src/network/network.ts';
import { createWorld, node, service, slice } from './world.ts';

const a = { ip: '10.0.0.1' };
const b = { ip: '10.0.0.2', node: 'n2' };

test('kube-proxy applies a change when its sync ends, and waits a second after it', () => {
  const world = createWorld([service(), slice('s1', [a])]);
  createNetwork(world, [node('n1')]);
  world.clock.at(1000, () => world.write(slice('s1', [a, b])));
  // Arrives during the sync that began at 1100 and ends at 1600, so that the next sync begins at 2600.
  world.clock.at(1400, () => world.write(slice('s1', [b])));
  world.clock.runUntil(10_000);
  expect(world.routes()).toStrictEqual([
    '0 kube-proxy/n1 shop/web:http 10.0.0.1',
    '1600 kube-proxy/n1 shop/web:http 10.0.0.1,10.0.0.2',
    '3100 kube-proxy/n1 shop/web:http 10.0.0.2',
  ]);
  const [change] = world.timeline.filter(({ type }) => type === 'update');
  expect(world.timeline.find(({ type, at }) => type === 'route' && at === 1600)?.cause).toBe(change?.id);
});

test('kube-proxy records no route if a change leaves the endpoints as they are', () => {
  const world = createWorld([service(), slice('s1', [a])]);
  createNetwork(world, [node('n1')]);
  world.write(slice('s1', [a, { ...b, ready: false }]));
  world.clock.runUntil(10_000);
  expect(world.routes()).toStrictEqual(['0 kube-proxy/n1 shop/web:http 10.0.0.1']);
});

test('kube-proxy uses terminating endpoints if no endpoint is ready, and none of a deleted slice', () => {
  const world = createWorld([service(), slice('s1', [a])]);
  createNetwork(world, [node('n1')]);
  world.write(slice('s1', [{ ...a, ready: false, terminating: true }]));
  world.clock.at(5000, () => world.write(slice('s1', [])));
  world.clock.runUntil(10_000);
  expect(world.routes()).toStrictEqual(['0 kube-proxy/n1 shop/web:http 10.0.0.1', '5600 kube-proxy/n1 shop/web:http -']);
});

test('nodes with the same endpoints share one list, unless a policy is local', () => {
  const world = createWorld([service(), slice('s1', [a, b])]);
  createNetwork(world, [node('n1'), node('n2')]);
  const lists = world.timeline.flatMap((entry) => (entry.type === 'route' ? [entry.addresses] : []));
  expect(lists).toHaveLength(2);
  expect(lists[1]).toBe(lists[0]);

  const local = createWorld([service({ internalTrafficPolicy: 'Local' }), slice('s1', [a, b])]);
  createNetwork(local, [node('n1'), node('n2'), node('n3')]);
  expect(local.routes()).toStrictEqual([
    '0 kube-proxy/n1 shop/web:http 10.0.0.1',
    '0 kube-proxy/n2 shop/web:http 10.0.0.2',
    '0 kube-proxy/n3 shop/web:http -',
  ]);
});

test('a resolver asks again for a headless Service when its answer expires', () => {
  const world = createWorld([service({ clusterIP: 'None', clusterIPs: ['None'] }), slice('s1', [a])]);
  createNetwork(world, [node('n1')]);
  world.clock.at(1000, () => world.write(slice('s1', [a, b])));
  world.clock.at(2000, () => world.write(slice('s1', [b])));
  world.clock.runUntil(20_000);
  expect(world.routes()).toStrictEqual(['0 dns/n1 shop/web:http 10.0.0.1', '6100 dns/n1 shop/web:http 10.0.0.2']);
});

test('an ingress proxy follows ready endpoints of its Services only', () => {
  const world = createWorld([service(), slice('s1', [a])]);
  createNetwork(world, [], {
    ingresses: [
      { name: 'nginx', services: ['shop/web'] },
      { name: 'other', services: ['shop/api'] },
    ],
  });
  world.write(slice('s1', [{ ...a, ready: false, terminating: true }]));
  world.clock.runUntil(20_000);
  expect(world.routes()).toStrictEqual(['0 ingress/nginx shop/web:http 10.0.0.1', '1100 ingress/nginx shop/web:http -']);
});

test('a load balancer of nodes keeps a node without local endpoints until three health checks have failed', () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };
  const world = createWorld([service(spec), slice('s1', [a, b])]);
  createNetwork(world, [node('n1'), node('n2'), node('n3')]);
  world.write(slice('s1', [b]));
  world.clock.runUntil(100_000);
  expect(world.routes().filter((text) => text.includes('load-balancer'))).toStrictEqual([
    '0 load-balancer/web shop/web:http 10.0.0.1',
    '0 load-balancer/web shop/web:http 10.0.0.1,10.0.0.2',
    '600 load-balancer/web shop/web:http 10.0.0.2,node/n1',
    '30600 load-balancer/web shop/web:http 10.0.0.2',
  ]);
});

test('a load balancer of pods follows the ready endpoints', () => {
  const world = createWorld([service({ type: 'LoadBalancer' }), slice('s1', [a])]);
  createNetwork(world, [], { loadBalancer: { targets: 'pods' } });
  world.write(slice('s1', [b]));
  world.clock.runUntil(100_000);
  expect(world.routes()).toStrictEqual(['0 load-balancer/web shop/web:http 10.0.0.1', '10100 load-balancer/web shop/web:http 10.0.0.2']);
});

test('a load balancer of pods with a window applies the state at its end', () => {
  const world = createWorld(
    [service({ type: 'LoadBalancer' }), slice('s1', [a])],
    createBoundChoice(({ name }) => name === 'balancerSync'),
  );
  createNetwork(world, [], { loadBalancer: { targets: 'pods', windowMs: 2000 } });
  world.write(slice('s1', [b]));
  world.clock.at(1000, () => world.write(slice('s1', [a, b])));
  world.clock.runUntil(100_000);
  expect(world.routes()).toStrictEqual([
    '0 load-balancer/web shop/web:http 10.0.0.1',
    '3100 load-balancer/web shop/web:http 10.0.0.1,10.0.0.2',
  ]);
});

test('deregistered addresses add up, and return with the next change or when they are registered', () => {
  const c = { ip: '10.0.0.3' };
  const world = createWorld([service({ type: 'LoadBalancer' }), slice('s1', [a, b, c])]);
  const table = createNetwork(world, [], { loadBalancer: { targets: 'pods' } });
  table.deregister('load-balancer/web', [a.ip]);
  table.deregister('load-balancer/web', [b.ip]);
  world.clock.runUntil(1000);
  table.register('load-balancer/web');
  table.deregister('load-balancer/web', [a.ip]);
  world.write(slice('s1', [a, b]));
  world.clock.runUntil(100_000);
  expect(world.routes()).toStrictEqual([
    '0 load-balancer/web shop/web:http 10.0.0.1,10.0.0.2,10.0.0.3',
    '0 load-balancer/web shop/web:http 10.0.0.2,10.0.0.3',
    '0 load-balancer/web shop/web:http 10.0.0.3',
    '1000 load-balancer/web shop/web:http 10.0.0.1,10.0.0.2,10.0.0.3',
    '1000 load-balancer/web shop/web:http 10.0.0.2,10.0.0.3',
    '11100 load-balancer/web shop/web:http 10.0.0.1,10.0.0.2',
  ]);
});

test('a load balancer counts the failures of a node from the start after a success', () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };
  const world = createWorld([service(spec), slice('s1', [a, b])]);
  createNetwork(world, [node('n1'), node('n2')]);
  world.write(slice('s1', [b]));
  world.clock.at(5000, () => world.write(slice('s1', [a, b])));
  world.clock.at(10_000, () => world.write(slice('s1', [b])));
  world.clock.runUntil(100_000);
  expect(world.routes().filter((text) => text.includes('load-balancer') && !text.startsWith('0 '))).toStrictEqual([
    '600 load-balancer/web shop/web:http 10.0.0.2,node/n1',
    '5600 load-balancer/web shop/web:http 10.0.0.1,10.0.0.2',
    '10600 load-balancer/web shop/web:http 10.0.0.2,node/n1',
    '40600 load-balancer/web shop/web:http 10.0.0.2',
  ]);
});
