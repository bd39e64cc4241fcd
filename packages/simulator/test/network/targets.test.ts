import { expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { type Adversary, adversaries } from '../../src/analysis/adversaries.ts';
import { createBoundChoice } from '../../src/engine/delays.ts';
import type { LoadBalancerSettings } from '../../src/network/load-balancer.ts';
import { createNetwork } from '../../src/network/network.ts';
import type { RouteTable } from '../../src/network/router.ts';
import { createWorld, service, slice, type World } from './world.ts';

const a = { ip: '10.0.0.1' };
const b = { ip: '10.0.0.2' };

/** A load balancer whose target is a. Watches take 100 ms, changes of targets nothing, and registrations the given time. */
function createBalanced(settings: Partial<LoadBalancerSettings>, registrationMs = 0): World & { readonly table: RouteTable } {
  const world = createWorld([service({ type: 'LoadBalancer' }), slice('s1', [a])], ({ name }, { max }) =>
    name === 'balancerSync' ? 0 : name === 'firstHealthCheck' ? registrationMs : max,
  );
  const table = createNetwork(world, [], { loadBalancer: { targets: 'pods', ...settings } });
  return { ...world, table };
}

/** The routes after the start, as "time addresses". */
const routesOf = ({ routes }: World): string[] => routes().map((text) => text.replace(' load-balancer/web shop/web:http', ''));

const checks = { healthChecks: true, healthCheckIntervalMs: 10_000, healthyThreshold: 3, unhealthyThreshold: 2 };

test('a new target gets traffic after the healthy threshold; the first targets are healthy', () => {
  const world = createBalanced(checks);
  world.write(slice('s1', [a, b]));
  world.clock.runUntil(100_000);
  expect(routesOf(world)).toStrictEqual(['0 10.0.0.1', '30100 10.0.0.1,10.0.0.2']);
  expect(world.targets()).toStrictEqual(['0 10.0.0.1 healthy', '100 10.0.0.2 initial', '30100 10.0.0.2 healthy']);
});

test('a change that adds targets is a registration, which an adversary delays alone', () => {
  const { isEarly } = adversaries.find(({ name }) => name === 'late listeners') as Adversary;
  const world = createWorld([service({ type: 'LoadBalancer' }), slice('s1', [a])], createBoundChoice(isEarly));
  createNetwork(world, [], { loadBalancer: { targets: 'pods' } });
  const writes = [[a, b], [b], [b, { ...a, ready: false }], [b, a]];
  for (const [i, endpoints] of writes.entries()) world.clock.at(i * 60_000, () => world.write(slice('s1', endpoints)));
  world.clock.runUntil(300_000);
  const both = '10.0.0.1,10.0.0.2';
  expect(routesOf(world)).toStrictEqual(['0 10.0.0.1', `10001 ${both}`, '61001 10.0.0.2', `190001 ${both}`]);
});

test('the checks of a target that does not listen yet succeed from then on', () => {
  const world = createBalanced(checks);
  world.listen(b.ip, false);
  world.write(slice('s1', [a, b]));
  world.clock.at(15_000, () => world.listen(b.ip, true));
  world.clock.runUntil(100_000);
  expect(world.targets()).toStrictEqual(['0 10.0.0.1 healthy', '100 10.0.0.2 initial', '45000 10.0.0.2 healthy']);
});

test('the checks of a new target begin after its registration, whether it listens then or later', () => {
  const world = createBalanced({ ...checks, deregistrationDelayMs: 0 }, 5000);
  world.write(slice('s1', [a, b]));
  for (const [at, listens] of [
    [1000, false],
    [2000, true],
  ] as const)
    world.clock.at(at, () => world.listen(b.ip, listens));
  // It is removed during its second registration.
  world.clock.at(40_000, () => world.write(slice('s1', [a])));
  world.clock.at(41_000, () => world.write(slice('s1', [a, b])));
  world.clock.at(44_000, () => world.write(slice('s1', [a])));
  world.clock.runUntil(200_000);
  expect(world.targets().slice(1)).toStrictEqual([
    ...['100 10.0.0.2 initial', '35100 10.0.0.2 healthy', '40100 10.0.0.2 draining', '40100 10.0.0.2 unused'],
    ...['41100 10.0.0.2 initial', '44100 10.0.0.2 draining', '44100 10.0.0.2 unused'],
  ]);
});

test('a target that stops listening leaves after the unhealthy threshold, and returns after the healthy one', () => {
  const world = createBalanced(checks);
  world.write(slice('s1', [a, b]));
  world.clock.at(40_000, () => world.listen(b.ip, false));
  world.clock.at(90_000, () => world.listen(b.ip, true));
  world.clock.runUntil(200_000);
  expect(routesOf(world)).toStrictEqual(['0 10.0.0.1', '30100 10.0.0.1,10.0.0.2', '60000 10.0.0.1', '120000 10.0.0.1,10.0.0.2']);
});

test('a target that listens again before enough checks have failed stays; failures count from the start after it', () => {
  const world = createBalanced(checks);
  world.write(slice('s1', [a, b]));
  for (const [at, listens] of [
    [40_000, false],
    [55_000, true],
    [57_000, false],
  ] as const)
    world.clock.at(at, () => world.listen(b.ip, listens));
  world.clock.runUntil(200_000);
  expect(routesOf(world)).toStrictEqual(['0 10.0.0.1', '30100 10.0.0.1,10.0.0.2', '77000 10.0.0.1']);
});

test('if all targets are unhealthy, all get traffic; new targets that are not checked yet get none', () => {
  const world = createBalanced(checks);
  world.write(slice('s1', [a, b]));
  for (const { ip } of [a, b]) world.clock.at(40_000, () => world.listen(ip, false));
  world.clock.at(70_000, () => world.write(slice('s1', [{ ip: '10.0.0.3' }])));
  world.clock.runUntil(200_000);
  expect(routesOf(world)).toStrictEqual([
    '0 10.0.0.1',
    '30100 10.0.0.1,10.0.0.2',
    '60000 10.0.0.2',
    '60000 10.0.0.1,10.0.0.2',
    '70100 -',
    '100100 10.0.0.3',
  ]);
});

test('an unhealthy target that was unhealthy from the start is checked, too', () => {
  const chosen = createBoundChoice(() => true);
  const world = createWorld([service({ type: 'LoadBalancer' }), slice('s1', [a, b])], chosen);
  world.listen(b.ip, false);
  createNetwork(world, [], { loadBalancer: { targets: 'pods', ...checks } });
  world.clock.runUntil(100_000);
  expect(routesOf(world)).toStrictEqual(['0 10.0.0.1,10.0.0.2', '20000 10.0.0.1']);
});

test('a removed target is draining until the deregistration delay ends; one that returns keeps its connections', () => {
  const world = createBalanced({ deregistrationDelayMs: 60_000 });
  world.write(slice('s1', [a, b]));
  world.clock.at(1000, () => world.write(slice('s1', [])));
  world.clock.at(10_000, () => world.write(slice('s1', [b])));
  world.clock.runUntil(200_000);
  expect(routesOf(world)).toStrictEqual(['0 10.0.0.1', '100 10.0.0.1,10.0.0.2', '1100 -', '10100 10.0.0.2']);
  expect(world.targets()).toStrictEqual([
    '0 10.0.0.1 healthy',
    '100 10.0.0.2 healthy',
    '1100 10.0.0.1 draining',
    '1100 10.0.0.2 draining',
    '10100 10.0.0.2 healthy',
    '61100 10.0.0.1 unused',
  ]);
});

test.each([[{}], [{ deregistrationDelayMs: 60_000 }]])(
  'a target that is removed before it is healthy, and returns, is checked from the start (with %j)',
  (settings) => {
    const world = createBalanced({ ...checks, ...settings });
    world.write(slice('s1', [a, b]));
    world.clock.at(20_000, () => world.write(slice('s1', [a])));
    world.clock.at(25_000, () => world.write(slice('s1', [a, b])));
    world.clock.at(65_000, () => world.write(slice('s1', [a])));
    world.clock.at(66_000, () => world.write(slice('s1', [a, b])));
    world.clock.runUntil(200_000);
    expect(routesOf(world)).toStrictEqual(['0 10.0.0.1', '55100 10.0.0.1,10.0.0.2', '65100 10.0.0.1', '96100 10.0.0.1,10.0.0.2']);
    expect(world.targets().map((text) => text.replace('10.0.0.2 ', ''))).toStrictEqual([
      ...['0 10.0.0.1 healthy', '100 initial', '20100 draining', '25100 initial', '55100 healthy'],
      ...['65100 draining', '66100 initial', '96100 healthy'],
    ]);
  },
);

test('targets that were deregistered stay out when the health of others changes; registered ones have to pass their checks again', () => {
  const world = createBalanced(checks);
  world.write(slice('s1', [a, b]));
  world.clock.at(20_000, () => world.table.deregister('load-balancer/web', [a.ip]));
  world.clock.at(50_000, () => world.table.register('load-balancer/web'));
  world.clock.runUntil(100_000);
  expect(routesOf(world)).toStrictEqual(['0 10.0.0.1', '20000 -', '30100 10.0.0.2', '80000 10.0.0.1,10.0.0.2']);
});

test('nothing is scheduled for targets whose health does not differ', () => {
  const world = createBalanced(checks);
  world.write(slice('s1', [a, b]));
  world.clock.runUntil(30_100);
  expect(world.clock.nextTime()).toBe(undefined);
});

/** What happens to one address; each happens in another millisecond, so that none happens at the end of checks. */
const events = fc.array(
  fc.record({ second: fc.nat(60), address: fc.nat(2), change: fc.constantFrom('listens', 'is silent', 'is added', 'is removed') }),
  { minLength: 5, maxLength: 40 },
);

test('at each time, healthy targets get traffic, or all if all are unhealthy: whatever happens, as counted second by second', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), (changes, healthyThreshold, unhealthyThreshold) => {
      const thresholds = { healthyThreshold, unhealthyThreshold };
      const settings = {
        targets: 'pods',
        healthChecks: true,
        healthCheckIntervalMs: 2000,
        deregistrationDelayMs: 5000,
        ...thresholds,
      } as const;
      const world = createWorld([service({ type: 'LoadBalancer' }), slice('s1', [])], () => 0);
      createNetwork(world, [], { loadBalancer: settings });
      const names = ['10.0.0.1', '10.0.0.2', '10.0.0.3'] as const;
      const listening = new Set<string>(names);
      const registered = new Map<string, { state: string; since: number }>();
      const planned = changes.map((each, i) => ({ ...each, at: each.second * 1000 + i + 1 })).sort((x, y) => x.at - y.at);
      /** Ends the checks that are complete. */
      const count = (now: number): void => {
        for (const [name, target] of registered) {
          const checks = Math.floor((now - target.since) / settings.healthCheckIntervalMs);
          if (listening.has(name) && checks >= healthyThreshold) target.state = 'healthy';
          if (!listening.has(name) && checks >= unhealthyThreshold) target.state = 'unhealthy';
        }
      };
      for (const [i, { at, address, change }] of planned.entries()) {
        const name = names[address] as string;
        count(at);
        const target = registered.get(name);
        if (change === 'listens' || change === 'is silent') {
          const listens = change === 'listens';
          if (target && listening.has(name) !== listens) target.since = at;
          if (listens) listening.add(name);
          else listening.delete(name);
          world.clock.at(at, () => world.listen(name, listens));
        } else {
          if (change === 'is removed') registered.delete(name);
          else if (!target) registered.set(name, { state: 'initial', since: at });
          const rows = [...registered.keys()].map((ip) => ({ ip }));
          world.clock.at(at, () => world.write(slice('s1', rows)));
        }
        // Just before the next event.
        const end = (planned[i + 1]?.at ?? at + 60_000) - 1;
        world.clock.runUntil(end);
        count(end);
        const states = [...registered].sort(([x], [y]) => (x < y ? -1 : 1));
        const healthy = states.filter(([, { state }]) => state === 'healthy');
        const used = states.every(([, { state }]) => state === 'unhealthy') ? states : healthy;
        expect({ end, used: routesOf(world).at(-1)?.replace(/^\d+ /, '') ?? '-' }).toStrictEqual({
          end,
          used: used.map(([ip]) => ip).join() || '-',
        });
      }
    }),
    { numRuns: 200 },
  );
});
