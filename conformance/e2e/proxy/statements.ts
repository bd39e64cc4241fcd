import type { Expected, Statement } from './reach.ts';
import type { Mode } from './rules.ts';
import type { Via } from './services.ts';

const all = ['a1', 'a2', 'b1'];

/** Only iptables serves node ports on loopback addresses, and only for IPv4. */
export const loopbackOf = (mode: Mode): readonly Statement[] => [
  { ...to('web', 'node port on loopback', 'a', mode === 'iptables' ? all : 'refused'), families: ['IPv4'] },
  { ...to('web', 'node port on loopback', 'a', 'refused'), families: ['IPv6'] },
];

/** Expectations of the first world: a1, a2 and b1 are ready, a3 is not, b2 is terminating and still ready. */
export const atFirst: readonly Statement[] = [
  to('web', 'cluster IP', 'client', all, 'node'),
  to('web', 'cluster IP', 'a1', all, 'own'),
  to('web', 'cluster IP', 'b1', all, 'own'),
  to('web', 'cluster IP', 'a3', all, 'own'),
  to('web', 'cluster IP', 'a', all),
  to('web', 'cluster IP', 'b', all),
  to('web', 'node port of a', 'client', all, 'node'),
  to('web', 'node port of b', 'client', all, 'node'),
  to('web', 'node port of a', 'a1', all, 'node'),
  to('web', 'node port of a', 'b', all),
  to('web', 'external IP', 'client', all, 'node'),
  to('web', 'external IP', 'b1', all, 'node'),
  to('web', 'load balancer IP', 'client', all, 'node'),
  to('web', 'load balancer IP', 'a1', all, 'node'),
  to('web:admin', 'cluster IP', 'client', all, 'node'),
  to('web:admin', 'node port of b', 'client', all, 'node'),
  to('web:names', 'cluster IP', 'a1', all, 'own'),
  to('web:names', 'node port of a', 'client', all, 'node'),

  to('local', 'node port of a', 'client', ['a1', 'a2'], 'own'),
  to('local', 'node port of b', 'client', ['b1'], 'own'),
  to('local', 'external IP', 'client', ['a1', 'a2'], 'own'),
  to('local', 'load balancer IP', 'client', ['a1', 'a2'], 'own'),
  to('local', 'cluster IP', 'client', all, 'node'),
  to('local', 'cluster IP', 'b1', all, 'own'),
  // Pods and nodes bypass the load balancer.
  to('local', 'load balancer IP', 'b1', all, 'own'),
  to('local', 'load balancer IP', 'b', all),

  to('inner', 'cluster IP', 'a3', ['a1', 'a2'], 'own'),
  to('inner', 'cluster IP', 'b1', ['b1'], 'own'),
  to('inner', 'cluster IP', 'b', ['b1']),
  to('inner', 'node port of b', 'client', all, 'node'),

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

  to('ranged', 'load balancer IP', 'client', all, 'node'),
  to('ranged', 'load balancer IP', 'stranger', 'dropped'),
  to('ranged', 'load balancer IP', 'a1', 'dropped'),
  to('ranged', 'external IP', 'stranger', all, 'node'),
  to('ranged', 'node port of a', 'stranger', all, 'node'),
  to('ranged', 'cluster IP', 'stranger', all, 'node'),

  to('early', 'cluster IP', 'client', ['a3'], 'node'),
  to('early', 'cluster IP', 'b1', ['a3'], 'own'),
];

/** A statement about connections to a Service. */
export function to(service: string, via: Via, from: string, expected: Expected, source?: 'own' | 'node'): Statement {
  return { service, via, from, expected, ...(source !== undefined && { source }) };
}
