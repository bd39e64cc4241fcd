import type { Statement } from './reach.ts';
import type { Mode } from './rules.ts';
import { createTestService } from './services.ts';
import { expectTraffic } from './statements.ts';
import { type World, withPods, withService } from './world.ts';

/** A change and the expected connectivity after it. */
export interface ScriptedChange {
  readonly what: string;
  readonly change: (world: World) => World;
  /** Each with a Service, an address, a client, the reached pods or the failure, and the source address that pods see. */
  readonly statements: readonly Statement[];
}

/** Applied in sequence, from the first world on. */
export function scriptedChanges(mode: Mode): readonly ScriptedChange[] {
  const changes = serviceChanges(mode);
  return [...podChanges, ...(mode === 'ipvs' ? [joinChanges(changes)] : changes)];
}

/** Joins changes of different Services to one, because the kernel of the mode ipvs is slow. */
const joinChanges = (changes: readonly ScriptedChange[]): ScriptedChange => ({
  what: changes.map(({ what }) => what).join(', and '),
  change: (world) => changes.reduce((changed, { change }) => change(changed), world),
  statements: changes.flatMap(({ statements }) => statements),
});

const podChanges: readonly ScriptedChange[] = [
  {
    what: 'a3 becomes ready',
    change: (world) => withPods(world, { a3: 'ready' }),
    statements: [
      expectTraffic('web', 'cluster IP', 'client', ['a1', 'a2', 'a3', 'b1'], 'node'),
      expectTraffic('web', 'node port of b', 'client', ['a1', 'a2', 'a3', 'b1'], 'node'),
      expectTraffic('local', 'node port of a', 'client', ['a1', 'a2', 'a3'], 'own'),
      expectTraffic('local', 'node port of b', 'client', ['b1'], 'own'),
      expectTraffic('idle', 'cluster IP', 'client', ['a3'], 'node'),
      expectTraffic('idle', 'load balancer IP', 'client', ['a3'], 'node'),
      // A node without a local ready pod falls back to its terminating one, although another node has a ready one.
      expectTraffic('leaving', 'cluster IP', 'client', ['a3'], 'node'),
      expectTraffic('leaving', 'node port of a', 'client', ['a3'], 'own'),
      expectTraffic('leaving', 'node port of b', 'client', ['b2'], 'own'),
    ],
  },
  {
    what: 'b1 becomes not ready',
    change: (world) => withPods(world, { b1: 'notReady' }),
    statements: [
      expectTraffic('web', 'cluster IP', 'b1', ['a1', 'a2', 'a3'], 'own'),
      expectTraffic('local', 'node port of b', 'client', ['b2'], 'own'),
      { ...expectTraffic('inner', 'cluster IP', 'b1', 'dropped'), ipvs: ['a1', 'a2'] },
      expectTraffic('inner', 'node port of b', 'client', ['a1', 'a2'], 'node'),
      expectTraffic('near', 'cluster IP', 'b1', ['a1', 'a2'], 'own'),
      expectTraffic('own', 'cluster IP', 'b2', ['a1'], 'own'),
      expectTraffic('far', 'cluster IP', 'b2', 'refused'),
      expectTraffic('far', 'node port of b', 'client', 'refused'),
    ],
  },
  {
    what: 'the pods of b are deleted',
    change: (world) => withPods(world, { b1: 'gone', b2: 'gone' }),
    statements: [
      expectTraffic('web', 'node port of b', 'client', ['a1', 'a2', 'a3'], 'node'),
      expectTraffic('local', 'node port of b', 'client', 'dropped'),
      expectTraffic('leaving', 'node port of b', 'client', 'dropped'),
    ],
  },
  {
    what: 'the pods of a are terminating',
    change: (world) => withPods(world, { a1: 'leaving', a2: 'leaving', a3: 'leaving' }),
    statements: [
      expectTraffic('web', 'cluster IP', 'b1', ['a1', 'a2', 'a3'], 'own'),
      expectTraffic('local', 'node port of a', 'client', ['a1', 'a2', 'a3'], 'own'),
      expectTraffic('near', 'cluster IP', 'b2', ['a1', 'a2'], 'own'),
      expectTraffic('early', 'cluster IP', 'client', ['a3'], 'node'),
    ],
  },
  {
    what: 'all pods are deleted',
    change: (world) => withPods(world, { a1: 'gone', a2: 'gone', a3: 'gone' }),
    statements: [
      expectTraffic('web', 'cluster IP', 'client', 'refused'),
      expectTraffic('web', 'load balancer IP', 'client', 'refused'),
      expectTraffic('web:names', 'cluster IP', 'b1', 'refused'),
      expectTraffic('local', 'node port of a', 'client', 'refused'),
      expectTraffic('early', 'cluster IP', 'a1', 'refused'),
    ],
  },
  {
    what: 'all pods exist and are ready',
    change: (world) => withPods(world, { a1: 'ready', a2: 'ready', a3: 'ready', b1: 'ready', b2: 'ready' }),
    statements: [
      expectTraffic('web', 'cluster IP', 'client', ['a1', 'a2', 'a3', 'b1', 'b2'], 'node'),
      expectTraffic('web:names', 'cluster IP', 'b1', ['a1', 'a2', 'a3', 'b1', 'b2'], 'own'),
      expectTraffic('local', 'node port of b', 'client', ['b1', 'b2'], 'own'),
      expectTraffic('leaving', 'cluster IP', 'a1', ['a3', 'b2'], 'own'),
    ],
  },
];

const lateService = createTestService(12, 'late', 'NodePort', ['a3', 'b2'], {});

const serviceChanges = (mode: Mode): readonly ScriptedChange[] => [
  {
    what: 'policies change, and source ranges are removed',
    change: (world) => {
      const local = withService(world, 'web', (web) => ({ ...web, specFields: { ...web.specFields, externalTrafficPolicy: 'Local' } }));
      const cluster = withService(local, 'inner', (inner) => ({ ...inner, specFields: {} }));
      return withService(cluster, 'ranged', (ranged) => ({ ...ranged, specFields: {} }));
    },
    statements: [
      expectTraffic('web', 'node port of b', 'client', ['b1', 'b2'], 'own'),
      expectTraffic('web', 'load balancer IP', 'client', ['a1', 'a2', 'a3'], 'own'),
      expectTraffic('inner', 'cluster IP', 'b1', ['a1', 'a2', 'b1'], 'own'),
      expectTraffic('ranged', 'load balancer IP', 'stranger', ['a1', 'a2', 'b1'], 'node'),
      expectTraffic('ranged', 'load balancer IP', 'a1', ['a1', 'a2', 'b1'], 'node'),
    ],
  },
  {
    what: 'one Service is created, one is deleted, and one changes its ports',
    change: (world) => {
      const withoutIdle = withService(world, 'idle', () => undefined);
      const worldWithMovedPort = withService(withoutIdle, 'near', (near) => ({
        ...near,
        ports: near.ports.map((port) => ({ ...port, port: 90, targetPort: 8081 })),
      }));
      return { ...worldWithMovedPort, services: [...worldWithMovedPort.services, lateService] };
    },
    statements: [
      expectTraffic('late', 'cluster IP', 'client', ['a3', 'b2'], 'node'),
      expectTraffic('late', 'node port of b', 'client', ['a3', 'b2'], 'node'),
      expectTraffic('near', 'cluster IP', 'a1', ['a1', 'a2'], 'own'),
      // The modes nftables and ipvs reject unused ports of a cluster IP. nftables drops packets to unused cluster IPs. The other packets
      // pass unrouted.
      expectTraffic('near@first', 'cluster IP', 'a1', mode === 'iptables' ? 'dropped' : 'refused'),
      expectTraffic('idle@first', 'cluster IP', 'client', 'dropped'),
      expectTraffic('idle@first', 'external IP', 'client', 'dropped'),
      expectTraffic('idle@first', 'node port of a', 'client', 'refused'),
    ],
  },
];
