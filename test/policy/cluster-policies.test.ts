import { describe, expect, it } from 'vitest';
import type { ClusterNetworkPolicy, NetworkPolicy, PolicyObjects } from '../../src/policy/index.ts';
import { evaluateRow, formatDecision, type TrafficRow } from './fixtures.ts';

type Spec = NonNullable<ClusterNetworkPolicy['spec']>;
type Rule = NonNullable<Spec['ingress']>[number];
type Peer = NonNullable<Rule['from']>[number];

const everything: Peer = { namespaces: {} };
const db: Peer = { pods: { namespaceSelector: {}, podSelector: { matchLabels: { app: 'db' } } } };
const rule = (action: string, from: Peer = everything, protocols?: Rule['protocols']): Rule => ({ action, from: [from], protocols });
const toRule = (action: string, to: Peer, protocols?: Rule['protocols']): Rule => ({ action, to: [to], protocols });
const admin = (name: string, priority: number, spec: Partial<Spec>): ClusterNetworkPolicy => ({
  metadata: { name },
  spec: { tier: 'Admin', priority, subject: db, ...spec },
});
const baseline = (name: string, spec: Partial<Spec>, priority = 0): ClusterNetworkPolicy =>
  admin(name, priority, { ...spec, tier: 'Baseline' });
const policyOf = (spec: NetworkPolicy['spec']): NetworkPolicy => ({ metadata: { namespace: 'shop', name: 'np' }, spec });
const denyAll = policyOf({});
const allowAll = policyOf({ ingress: [{}] });

type Row = readonly [
  title: string,
  policies: readonly ClusterNetworkPolicy[],
  expected: string,
  networkPolicies?: readonly NetworkPolicy[],
  traffic?: TrafficRow,
];

/** The ingress of the pod db from the pod web, by default to port 5432. */
const ingressRows: readonly Row[] = [
  [
    'accepts before NetworkPolicies deny',
    [admin('a', 1, { ingress: [rule('Accept')] })],
    'allowed RuleAccepts spec.ingress[0].from[0]',
    [denyAll],
  ],
  [
    'denies before NetworkPolicies allow',
    [admin('a', 1, { ingress: [rule('Deny')] })],
    'denied RuleDenies spec.ingress[0].from[0]',
    [allowAll],
  ],
  ['passes to NetworkPolicies', [admin('a', 1, { ingress: [rule('Pass'), rule('Accept')] })], 'denied NoRuleAllows', [denyAll]],
  [
    'passes over later policies of its tier',
    [admin('a', 1, { ingress: [rule('Pass')] }), admin('b', 2, { ingress: [rule('Deny')] })],
    'allowed NoRuleMatches',
  ],
  [
    'passes to the Baseline tier',
    [admin('a', 1, { ingress: [rule('Pass')] }), baseline('b', { ingress: [rule('Deny')] })],
    'denied RuleDenies spec.ingress[0].from[0]',
  ],
  [
    'uses the first rule that matches',
    [admin('a', 1, { ingress: [rule('Deny', { namespaces: { matchLabels: { team: 'b' } } }), rule('Accept'), rule('Deny')] })],
    'allowed RuleAccepts spec.ingress[1].from[0]',
  ],
  [
    'uses the policy with the lowest priority value',
    [admin('a', 5, { ingress: [rule('Deny')] }), admin('b', 4, { ingress: [rule('Accept')] })],
    'allowed RuleAccepts spec.ingress[0].from[0]',
  ],
  [
    'does not guess between equal priorities',
    [admin('a', 4, { ingress: [rule('Deny')] }), admin('b', 4, { ingress: [rule('Accept')] })],
    'unknown SamePriorityUndefined',
  ],
  [
    'does not need to guess if they agree',
    [admin('a', 4, { ingress: [rule('Deny')] }), admin('b', 4, { ingress: [rule('Deny')] })],
    'denied RuleDenies spec.ingress[0].from[0]',
  ],
  [
    'allows by default',
    [admin('a', 1, { ingress: [rule('Deny', { namespaces: { matchLabels: { team: 'b' } } })] })],
    'allowed NoRuleMatches',
  ],
  ['does not affect ingress without ingress rules', [admin('a', 1, { egress: [toRule('Deny', everything)] })], 'allowed NotSelected'],
  [
    'does not select other pods',
    [admin('a', 1, { subject: { namespaces: { matchLabels: { team: 'b' } } }, ingress: [rule('Deny')] })],
    'allowed NotSelected',
  ],
  [
    'never applies the Baseline tier to pods that NetworkPolicies select',
    [baseline('b', { ingress: [rule('Deny')] })],
    'allowed RuleAllows spec.ingress[0]',
    [allowAll],
  ],
  [
    'does not guess if NetworkPolicies select the pod for egress only',
    [baseline('b', { ingress: [rule('Deny')] })],
    'unknown OtherDirectionUndefined',
    [policyOf({ policyTypes: ['Egress'] })],
  ],
  [
    'passes from the Baseline tier to the default',
    [baseline('a', { ingress: [rule('Pass')] }), baseline('b', { ingress: [rule('Deny')] }, 1)],
    'allowed NoRuleMatches',
  ],
  [
    'does not match sources outside the cluster',
    [admin('a', 1, { ingress: [rule('Deny')] })],
    'allowed NoRuleMatches',
    [],
    { from: '8.8.8.8' },
  ],
  [
    'does not match sources on the host network',
    [admin('a', 1, { ingress: [rule('Deny')] })],
    'allowed NoRuleMatches',
    [],
    { from: 'ops/agent' },
  ],
  [
    'never selects pods on the host network',
    [admin('a', 1, { subject: everything, ingress: [rule('Deny')] })],
    'allowed HostNetworkNotSelected',
    [],
    { to: 'ops/agent' },
  ],
  [
    'skips an Accept rule with an unknown peer',
    [admin('a', 1, { ingress: [{ action: 'Accept', from: [everything, {}] }, rule('Deny')] })],
    'denied RuleDenies spec.ingress[1].from[0]',
  ],
  [
    'denies everything for a Deny rule with an unknown peer',
    [admin('a', 1, { ingress: [{ action: 'Deny', from: [{}], protocols: [{ udp: {} }] }] })],
    'denied UnknownPeerDenies spec.ingress[0]',
  ],
  [
    'denies everything for a Pass rule with an unknown peer',
    [admin('a', 1, { ingress: [{ action: 'Pass', from: [{}] }] })],
    'denied UnknownPeerDenies spec.ingress[0]',
    [],
    { from: '8.8.8.8' },
  ],
  [
    'does not guess whether a pod may be kept from itself',
    [admin('a', 1, { ingress: [rule('Deny')] })],
    'unknown PodToItselfUndefined spec.ingress[0].from[0]',
    [],
    { from: 'shop/db' },
  ],
  [
    'does not guess the labels of an absent namespace',
    [admin('a', 1, { ingress: [rule('Deny', { namespaces: { matchLabels: { team: 'b' } } })] })],
    'unknown NamespaceUnknown spec.ingress[0].from[0]',
    [],
    { from: 'lost/pod' },
  ],
  [
    'matches a protocol',
    [admin('a', 1, { ingress: [rule('Deny', everything, [{ tcp: {} }])] })],
    'denied RuleDenies spec.ingress[0].from[0]',
  ],
  [
    'does not match another protocol',
    [admin('a', 1, { ingress: [rule('Deny', everything, [{ udp: {} }, { sctp: {} }])] })],
    'allowed NoRuleMatches',
  ],
  [
    'matches a number',
    [admin('a', 1, { ingress: [rule('Deny', everything, [{ tcp: { destinationPort: { number: 5432 } } }])] })],
    'denied RuleDenies spec.ingress[0].from[0]',
  ],
  [
    'matches a range',
    [admin('a', 1, { ingress: [rule('Deny', everything, [{ tcp: { destinationPort: { range: { start: 1, end: 5432 } } } }])] })],
    'denied RuleDenies spec.ingress[0].from[0]',
  ],
  [
    'does not match beyond a range',
    [admin('a', 1, { ingress: [rule('Deny', everything, [{ tcp: { destinationPort: { range: { start: 1, end: 5431 } } } }])] })],
    'allowed NoRuleMatches',
  ],
  [
    'matches a name on the target',
    [admin('a', 1, { ingress: [rule('Deny', everything, [{ destinationNamedPort: 'pg' }])] })],
    'denied RuleDenies spec.ingress[0].from[0]',
  ],
  [
    'does not match a name of another number',
    [admin('a', 1, { ingress: [rule('Deny', everything, [{ destinationNamedPort: 'pg' }])] })],
    'allowed NoRuleMatches',
    [],
    { port: 80 },
  ],
];

type EgressRow = readonly [title: string, rules: Rule[], expected: string, to: string, objects?: PolicyObjects];

/** The egress of the pod web. */
const egressRows: readonly EgressRow[] = [
  ['matches networks', [toRule('Deny', { networks: ['9.0.0.0/8', '8.0.0.0/8'] })], 'denied RuleDenies spec.egress[0].to[0]', '8.8.8.8'],
  ['matches pods by networks', [toRule('Deny', { networks: ['10.0.0.0/8'] })], 'denied RuleDenies spec.egress[0].to[0]', 'shop/db'],
  [
    'matches the addresses of nodes',
    [toRule('Deny', { nodes: { matchLabels: { zone: 'y' } } })],
    'denied RuleDenies spec.egress[0].to[0]',
    '192.168.0.2',
  ],
  ['does not match other nodes', [toRule('Deny', { nodes: { matchLabels: { zone: 'x' } } })], 'allowed NoRuleMatches', '192.168.0.2'],
  ['does not match the pods of nodes', [toRule('Deny', { nodes: {} })], 'allowed NoRuleMatches', 'data/etl'],
  ['restricts the own node', [toRule('Deny', { nodes: {} })], 'denied RuleDenies spec.egress[0].to[0]', '192.168.0.1'],
  [
    'does not guess about unknown nodes',
    [toRule('Deny', { nodes: {} })],
    'unknown NodesUnknown spec.egress[0].to[0]',
    '192.168.0.2',
    { nodes: undefined as never },
  ],
  [
    'does not guess about domain names',
    [toRule('Accept', { domainNames: ['a.example'] }), toRule('Deny', { networks: ['0.0.0.0/0'] })],
    'unknown DomainNamesUnknown spec.egress[0].to[0]',
    '8.8.8.8',
  ],
  ['does not need to guess if all answers agree', [toRule('Accept', { domainNames: ['a.example'] })], 'allowed NoRuleMatches', '8.8.8.8'],
  ['does not guess addresses', [toRule('Deny', { networks: ['10.0.0.0/8'] })], 'unknown AddressUnknown spec.egress[0].to[0]', 'shop/new'],
];

describe('cluster-wide policies for ingress', () => {
  for (const [title, clusterNetworkPolicies, expected, networkPolicies = [], traffic = {}] of ingressRows)
    it(title, () => {
      expect(formatDecision(evaluateRow(traffic, { clusterNetworkPolicies, networkPolicies }).ingress)).toBe(expected);
      const reversed = { clusterNetworkPolicies: clusterNetworkPolicies.toReversed(), networkPolicies };
      expect(formatDecision(evaluateRow(traffic, reversed).ingress)).toBe(expected);
    });
});

describe('cluster-wide policies for egress', () => {
  for (const [title, egress, expected, to, objects = {}] of egressRows)
    it(title, () => {
      const clusterNetworkPolicies = [admin('a', 1, { subject: { namespaces: { matchLabels: { team: 'a' } } }, egress })];
      expect(formatDecision(evaluateRow({ to }, { ...objects, clusterNetworkPolicies }).egress)).toBe(expected);
    });
});

describe('policies of v1alpha1', () => {
  const adminNetworkPolicies = [
    {
      metadata: { name: 'a' },
      spec: { priority: 3, subject: everything, ingress: [{ action: 'Allow', from: [everything], ports: [{ portNumber: { port: 80 } }] }] },
    },
  ];
  const baselineAdminNetworkPolicies = [
    {
      metadata: { name: 'default' },
      spec: {
        subject: everything,
        ingress: [
          { action: 'Deny', from: [everything], ports: [{ portRange: { protocol: 'TCP', start: 80, end: 90 } }, { namedPort: 'pg' }] },
        ],
      },
    },
  ];

  it.each([
    [80, 'allowed RuleAccepts spec.ingress[0].from[0]'],
    [81, 'denied RuleDenies spec.ingress[0].from[0]'],
    [5432, 'denied RuleDenies spec.ingress[0].from[0]'],
    [91, 'allowed NoRuleMatches'],
  ])('decide about port %s', (port, expected) => {
    const { ingress } = evaluateRow({ port }, { adminNetworkPolicies, baselineAdminNetworkPolicies });
    expect(formatDecision(ingress)).toBe(expected);
    expect(ingress.policies).toStrictEqual([
      { kind: 'AdminNetworkPolicy', name: 'a' },
      { kind: 'BaselineAdminNetworkPolicy', name: 'default' },
    ]);
  });
});
