import type { Expected, Statement } from './reach.ts';
import type { Mode } from './rules.ts';
import type { Via } from './services.ts';

const allReadyPods = ['a1', 'a2', 'b1'];

/** Only iptables serves node ports on loopback addresses, and only for IPv4. */
export const loopbackOf = (mode: Mode): readonly Statement[] => [
  { ...to('web', 'node port on loopback', 'a', mode === 'iptables' ? allReadyPods : 'refused'), families: ['IPv4'] },
  { ...to('web', 'node port on loopback', 'a', 'refused'), families: ['IPv6'] },
];

/**
 * Expectations before any change. Pods a1, a2 and b1 are ready, a3 is not, and b2 is terminating and still ready. services.ts describes the
 * Services.
 */
export const atFirst: readonly Statement[] = [
  to('web', 'cluster IP', 'client', allReadyPods, 'node'),
  to('web', 'cluster IP', 'a1', allReadyPods, 'own'),
  to('web', 'cluster IP', 'b1', allReadyPods, 'own'),
  to('web', 'cluster IP', 'a3', allReadyPods, 'own'),
  to('web', 'cluster IP', 'a', allReadyPods),
  to('web', 'cluster IP', 'b', allReadyPods),
  to('web', 'node port of a', 'client', allReadyPods, 'node'),
  to('web', 'node port of b', 'client', allReadyPods, 'node'),
  to('web', 'node port of a', 'a1', allReadyPods, 'node'),
  to('web', 'node port of a', 'b', allReadyPods),
  to('web', 'external IP', 'client', allReadyPods, 'node'),
  to('web', 'external IP', 'b1', allReadyPods, 'node'),
  to('web', 'load balancer IP', 'client', allReadyPods, 'node'),
  to('web', 'load balancer IP', 'a1', allReadyPods, 'node'),
  to('web:admin', 'cluster IP', 'client', allReadyPods, 'node'),
  to('web:admin', 'node port of b', 'client', allReadyPods, 'node'),
  to('web:names', 'cluster IP', 'a1', allReadyPods, 'own'),
  to('web:names', 'node port of a', 'client', allReadyPods, 'node'),

  to('local', 'node port of a', 'client', ['a1', 'a2'], 'own'),
  to('local', 'node port of b', 'client', ['b1'], 'own'),
  to('local', 'external IP', 'client', ['a1', 'a2'], 'own'),
  to('local', 'load balancer IP', 'client', ['a1', 'a2'], 'own'),
  to('local', 'cluster IP', 'client', allReadyPods, 'node'),
  to('local', 'cluster IP', 'b1', allReadyPods, 'own'),
  // Pods and nodes bypass the load balancer.
  to('local', 'load balancer IP', 'b1', allReadyPods, 'own'),
  to('local', 'load balancer IP', 'b', allReadyPods),

  to('inner', 'cluster IP', 'a3', ['a1', 'a2'], 'own'),
  to('inner', 'cluster IP', 'b1', ['b1'], 'own'),
  to('inner', 'cluster IP', 'b', ['b1']),
  to('inner', 'node port of b', 'client', allReadyPods, 'node'),

  to('near', 'cluster IP', 'a1', ['a1', 'a2'], 'own'),
  to('near', 'cluster IP', 'b1', ['b1'], 'own'),
  to('near', 'cluster IP', 'b2', ['b1'], 'own'),
  to('own', 'cluster IP', 'a2', ['a1'], 'own'),
  to('own', 'cluster IP', 'b2', ['b1'], 'own'),

  to('leaving', 'cluster IP', 'client', ['b2'], 'node'),
  to('leaving', 'node port of b', 'client', ['b2'], 'own'),
  to('leaving', 'node port of a', 'client', 'dropped'),
  to('leaving', 'node port of a', 'a1', ['b2'], 'own'),

  to('idle', 'cluster IP', 'client', 'refused'),
  to('idle', 'cluster IP', 'a1', 'refused'),
  to('idle', 'node port of a', 'client', 'refused'),
  to('idle', 'external IP', 'client', 'refused'),
  to('idle', 'load balancer IP', 'client', 'refused'),

  to('far', 'cluster IP', 'a1', 'dropped'),
  to('far', 'cluster IP', 'b2', ['b1'], 'own'),
  to('far', 'node port of a', 'client', 'dropped'),
  to('far', 'node port of b', 'client', ['b1'], 'own'),

  to('ranged', 'load balancer IP', 'client', allReadyPods, 'node'),
  to('ranged', 'load balancer IP', 'stranger', 'dropped'),
  to('ranged', 'load balancer IP', 'a1', 'dropped'),
  to('ranged', 'external IP', 'stranger', allReadyPods, 'node'),
  to('ranged', 'node port of a', 'stranger', allReadyPods, 'node'),
  to('ranged', 'cluster IP', 'stranger', allReadyPods, 'node'),

  to('early', 'cluster IP', 'client', ['a3'], 'node'),
  to('early', 'cluster IP', 'b1', ['a3'], 'own'),
];

/** The expected result of connections to a Service. `source` is the address that the pod sees: the client's own, or that of a node. */
export function to(service: string, via: Via, from: string, expected: Expected, source?: 'own' | 'node'): Statement {
  return { service, via, from, expected, ...(source !== undefined && { source }) };
}
