import type { Expected, Statement } from './reach.ts';
import type { Mode } from './rules.ts';
import type { Via } from './services.ts';

const allReadyPods = ['a1', 'a2', 'b1'];

/** Only iptables serves node ports on loopback addresses, and only for IPv4. */
export const loopbackStatements = (mode: Mode): readonly Statement[] => [
  { ...expectTraffic('web', 'node port on loopback', 'a', mode === 'iptables' ? allReadyPods : 'refused'), families: ['IPv4'] },
  { ...expectTraffic('web', 'node port on loopback', 'a', 'refused'), families: ['IPv6'] },
];

/**
 * Expectations before any change. Pods a1, a2 and b1 are ready, a3 is not, and b2 is terminating and still ready. services.ts describes the
 * Services.
 */
export const initialStatements: readonly Statement[] = [
  expectTraffic('web', 'cluster IP', 'client', allReadyPods, 'node'),
  expectTraffic('web', 'cluster IP', 'a1', allReadyPods, 'own'),
  expectTraffic('web', 'cluster IP', 'b1', allReadyPods, 'own'),
  expectTraffic('web', 'cluster IP', 'a3', allReadyPods, 'own'),
  expectTraffic('web', 'cluster IP', 'a', allReadyPods),
  expectTraffic('web', 'cluster IP', 'b', allReadyPods),
  expectTraffic('web', 'node port of a', 'client', allReadyPods, 'node'),
  expectTraffic('web', 'node port of b', 'client', allReadyPods, 'node'),
  expectTraffic('web', 'node port of a', 'a1', allReadyPods, 'node'),
  expectTraffic('web', 'node port of a', 'b', allReadyPods),
  expectTraffic('web', 'external IP', 'client', allReadyPods, 'node'),
  expectTraffic('web', 'external IP', 'b1', allReadyPods, 'node'),
  expectTraffic('web', 'load balancer IP', 'client', allReadyPods, 'node'),
  expectTraffic('web', 'load balancer IP', 'a1', allReadyPods, 'node'),
  expectTraffic('web:admin', 'cluster IP', 'client', allReadyPods, 'node'),
  expectTraffic('web:admin', 'node port of b', 'client', allReadyPods, 'node'),
  expectTraffic('web:names', 'cluster IP', 'a1', allReadyPods, 'own'),
  expectTraffic('web:names', 'node port of a', 'client', allReadyPods, 'node'),

  expectTraffic('local', 'node port of a', 'client', ['a1', 'a2'], 'own'),
  expectTraffic('local', 'node port of b', 'client', ['b1'], 'own'),
  expectTraffic('local', 'external IP', 'client', ['a1', 'a2'], 'own'),
  expectTraffic('local', 'load balancer IP', 'client', ['a1', 'a2'], 'own'),
  expectTraffic('local', 'cluster IP', 'client', allReadyPods, 'node'),
  expectTraffic('local', 'cluster IP', 'b1', allReadyPods, 'own'),
  // Pods and nodes bypass the load balancer.
  { ...expectTraffic('local', 'load balancer IP', 'b1', allReadyPods, 'own'), ipvs: ['b1'] },
  { ...expectTraffic('local', 'load balancer IP', 'b', allReadyPods), ipvs: ['b1'] },

  expectTraffic('inner', 'cluster IP', 'a3', ['a1', 'a2'], 'own'),
  expectTraffic('inner', 'cluster IP', 'b1', ['b1'], 'own'),
  expectTraffic('inner', 'cluster IP', 'b', ['b1']),
  expectTraffic('inner', 'node port of b', 'client', allReadyPods, 'node'),

  expectTraffic('near', 'cluster IP', 'a1', ['a1', 'a2'], 'own'),
  expectTraffic('near', 'cluster IP', 'b1', ['b1'], 'own'),
  expectTraffic('near', 'cluster IP', 'b2', ['b1'], 'own'),
  expectTraffic('own', 'cluster IP', 'a2', ['a1'], 'own'),
  expectTraffic('own', 'cluster IP', 'b2', ['b1'], 'own'),

  expectTraffic('leaving', 'cluster IP', 'client', ['b2'], 'node'),
  expectTraffic('leaving', 'node port of b', 'client', ['b2'], 'own'),
  expectTraffic('leaving', 'node port of a', 'client', 'dropped'),
  expectTraffic('leaving', 'node port of a', 'a1', ['b2'], 'own'),

  expectTraffic('idle', 'cluster IP', 'client', 'refused'),
  expectTraffic('idle', 'cluster IP', 'a1', 'refused'),
  expectTraffic('idle', 'node port of a', 'client', 'refused'),
  expectTraffic('idle', 'external IP', 'client', 'refused'),
  expectTraffic('idle', 'load balancer IP', 'client', 'refused'),

  { ...expectTraffic('far', 'cluster IP', 'a1', 'dropped'), ipvs: ['b1'] },
  expectTraffic('far', 'cluster IP', 'b2', ['b1'], 'own'),
  expectTraffic('far', 'node port of a', 'client', 'dropped'),
  expectTraffic('far', 'node port of b', 'client', ['b1'], 'own'),

  expectTraffic('ranged', 'load balancer IP', 'client', allReadyPods, 'node'),
  expectTraffic('ranged', 'load balancer IP', 'stranger', 'dropped'),
  expectTraffic('ranged', 'load balancer IP', 'a1', 'dropped'),
  expectTraffic('ranged', 'external IP', 'stranger', allReadyPods, 'node'),
  expectTraffic('ranged', 'node port of a', 'stranger', allReadyPods, 'node'),
  expectTraffic('ranged', 'cluster IP', 'stranger', allReadyPods, 'node'),

  expectTraffic('early', 'cluster IP', 'client', ['a3'], 'node'),
  expectTraffic('early', 'cluster IP', 'b1', ['a3'], 'own'),
];

/**
 * Creates the expected result of connections to a Service. `source` is the address that the pod sees: the client's own, or that of a node.
 */
export function expectTraffic(service: string, via: Via, from: string, expected: Expected, source?: 'own' | 'node'): Statement {
  return { service, via, from, expected, ...(source !== undefined && { source }) };
}
