import { expect, test } from 'vitest';
import { findDenyingPolicies, type NetworkPolicy, type PolicyObjects } from '../../src/policy/index.ts';
import { makePod } from '../spec/objects.ts';

const policy = (name: string, spec: NetworkPolicy['spec'], namespace = 'shop'): NetworkPolicy => ({ metadata: { namespace, name }, spec });
const everyPod = {};
const names = (objects: PolicyObjects, port = 8080, protocol = 'TCP') =>
  findDenyingPolicies(makePod(), port, protocol, objects).map(({ name }) => name);

test.each<[string, NetworkPolicy[], string[]]>([
  ['no policy', [], []],
  ['a policy without rules', [policy('a', { podSelector: everyPod, policyTypes: ['Ingress'] })], ['a']],
  ['a policy for egress only', [policy('a', { podSelector: everyPod, policyTypes: ['Egress'] })], []],
  ['a policy of other pods', [policy('a', { podSelector: { matchLabels: { app: 'db' } } })], []],
  ['a policy of another namespace', [policy('a', { podSelector: everyPod }, 'ops')], []],
  ['a policy that allows another port', [policy('a', { podSelector: everyPod, ingress: [{ ports: [{ port: 80 }] }] })], ['a']],
  ['a policy that allows the port', [policy('a', { podSelector: everyPod, ingress: [{ ports: [{ port: 8080 }] }] })], []],
  ['a policy that allows some clients', [policy('a', { podSelector: everyPod, ingress: [{ from: [{ podSelector: {} }] }] })], []],
  ['two policies', [policy('b', { podSelector: everyPod }), policy('a', { podSelector: everyPod })], ['a', 'b']],
  ['a second policy that allows all', [policy('a', { podSelector: everyPod }), policy('b', { podSelector: everyPod, ingress: [{}] })], []],
])('findDenyingPolicies lists those that deny all traffic: %s', (_, networkPolicies, expected) => {
  expect(names({ networkPolicies })).toStrictEqual(expected);
});

test('findDenyingPolicies lists nothing if cluster-wide policies may allow traffic first', () => {
  const networkPolicies = [policy('a', { podSelector: everyPod })];
  const clusterNetworkPolicies = [{ metadata: { name: 'c' }, spec: { tier: 'Admin', priority: 1, subject: { namespaces: {} } } }];
  expect(names({ networkPolicies, clusterNetworkPolicies })).toStrictEqual([]);
});

test('findDenyingPolicies throws for an invalid port', () => {
  expect(() => names({ networkPolicies: [policy('a', { podSelector: everyPod })] }, 0)).toThrow(RangeError);
});
