import { describe, expect, it } from 'vitest';
import type { NetworkPolicy } from '../../src/policy/index.ts';
import { evaluateRow, formatDecision, type TrafficRow } from './fixtures.ts';

type Spec = NonNullable<NetworkPolicy['spec']>;
type Rule = NonNullable<Spec['ingress']>[number];
type Row = readonly [title: string, spec: Spec, expected: string, traffic?: TrafficRow];

const db = { matchLabels: { app: 'db' } };
const allowed = (path: string): string => `allowed RuleAllows ${path}`;
const denied = 'denied NoRuleAllows';
const ingress = (...rules: Rule[]): Spec => ({ podSelector: db, ingress: rules });
const from = (...peers: NonNullable<Rule['from']>): Spec => ingress({ from: peers });
const ports = (...list: NonNullable<Rule['ports']>): Spec => ingress({ ports: list });
const block = (cidr: string, ...except: string[]): Spec => from({ ipBlock: { cidr, except } });

/** The ingress of the pod db in the namespace shop, with a policy in that namespace; by default from web to port 5432. */
const ingressRows: readonly Row[] = [
  ['selects all pods of its namespace with an empty selector', { podSelector: {} }, denied],
  ['selects all pods of its namespace without a selector', {}, denied],
  ['does not select pods without the labels', { podSelector: { matchLabels: { app: 'web' } } }, 'allowed NotSelected'],
  ['does not select pods of other namespaces', {}, 'allowed NotSelected', { to: 'data/etl' }],
  ['selects by expressions', { podSelector: { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['y'] }] } }, denied],
  ['denies with an empty list of rules', ingress(), denied],
  ['allows everything with an empty rule', ingress({}), allowed('spec.ingress[0]')],
  ['allows everything with empty lists', ingress({ from: [], ports: [] }), allowed('spec.ingress[0]')],
  ['names the first rule that allows', ingress({ from: [{ ipBlock: { cidr: '1.0.0.0/8' } }] }, {}, {}), allowed('spec.ingress[1]')],
  ['applies to ingress by default', { podSelector: db, egress: [{}] }, denied],
  ['does not apply to ingress if policyTypes says so', { podSelector: db, policyTypes: ['Egress'] }, 'allowed NotSelected'],
  ['applies the default to empty policyTypes', { podSelector: db, policyTypes: [] }, denied],
  ['ignores egress rules for ingress', { podSelector: db, policyTypes: ['Ingress', 'Egress'], egress: [{}] }, denied],

  [
    'matches pods of its own namespace by podSelector',
    from({ podSelector: { matchLabels: { app: 'web' } } }),
    allowed('spec.ingress[0].from[0]'),
  ],
  ['does not match pods of other namespaces by podSelector', from({ podSelector: {} }), denied, { from: 'data/etl' }],
  [
    'matches all pods of a namespace',
    from({ namespaceSelector: { matchLabels: { team: 'b' } } }),
    allowed('spec.ingress[0].from[0]'),
    { from: 'data/etl' },
  ],
  [
    'matches all namespaces with an empty selector',
    from({ namespaceSelector: {} }),
    allowed('spec.ingress[0].from[0]'),
    { from: 'lost/pod' },
  ],
  ['requires both selectors of a peer', from({ namespaceSelector: {}, podSelector: { matchLabels: { stage: 'prod' } } }), denied],
  [
    'requires one of several peers',
    from({ podSelector: { matchLabels: { app: 'x' } } }, { podSelector: {} }),
    allowed('spec.ingress[0].from[1]'),
  ],
  [
    'knows the name of a namespace as a label',
    from({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'data' } } }),
    allowed('spec.ingress[0].from[0]'),
    { from: 'data/etl' },
  ],
  [
    'knows the name of a namespace that is absent',
    from({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'lost' } } }),
    allowed('spec.ingress[0].from[0]'),
    { from: 'lost/pod' },
  ],
  [
    'does not know other labels of such a namespace',
    from({ namespaceSelector: { matchLabels: { team: 'a' } } }),
    'unknown NamespaceUnknown spec.ingress[0].from[0]',
    { from: 'lost/pod' },
  ],
  ['does not match addresses by selectors', from({ namespaceSelector: {} }), denied, { from: '8.8.8.8' }],

  ['matches addresses in a CIDR', block('8.0.0.0/8'), allowed('spec.ingress[0].from[0]'), { from: '8.8.8.8' }],
  ['matches the addresses of pods', block('10.0.0.0/24'), allowed('spec.ingress[0].from[0]')],
  ['ignores the bits of a CIDR after the prefix', block('10.0.0.77/24'), allowed('spec.ingress[0].from[0]')],
  ['does not match addresses outside of a CIDR', block('10.0.1.0/24'), denied],
  ['does not match addresses in except', block('10.0.0.0/8', '10.0.1.0/24', '10.0.0.0/31'), denied],
  ['matches beside except', block('10.0.0.0/8', '10.0.1.0/24'), allowed('spec.ingress[0].from[0]')],
  ['does not match IPv4 with an IPv6 CIDR', block('::/0'), denied],
  ['matches IPv6', block('2001:db8::/32'), allowed('spec.ingress[0].from[0]'), { from: '2001:db8::7' }],
  ['does not guess the address of a pod', block('0.0.0.0/0'), 'unknown AddressUnknown spec.ingress[0].from[0]', { from: 'shop/new' }],
  ['does not guess how leading zeros are read', block('010.0.0.0/8'), 'unknown CIDRAmbiguous spec.ingress[0].from[0]'],
  ['does not guess how IPv4-mapped addresses are read', block('::ffff:10.0.0.0/104'), 'unknown CIDRAmbiguous spec.ingress[0].from[0]'],

  ['matches a number', ports({ port: 5432 }), allowed('spec.ingress[0]')],
  ['does not match another number', ports({ port: 5433 }), denied],
  ['does not match another protocol', ports({ port: 5432, protocol: 'UDP' }), denied],
  ['assumes the protocol TCP', ports({ port: 5432 }), denied, { protocol: 'UDP' }],
  ['matches all ports of a protocol', ports({ protocol: 'SCTP' }), allowed('spec.ingress[0]'), { protocol: 'SCTP' }],
  ['matches a range', ports({ port: 5000, endPort: 5432 }), allowed('spec.ingress[0]')],
  ['does not match beyond a range', ports({ port: 5000, endPort: 5431 }), denied],
  ['matches a name', ports({ port: 'pg' }), allowed('spec.ingress[0]')],
  ['does not match a name of another number', ports({ port: 'pg' }), denied, { port: 80 }],
  ['matches a name of another protocol only with that protocol', ports({ port: 'pg', protocol: 'UDP' }), denied],
  ['matches a name with its protocol', ports({ port: 'pg', protocol: 'UDP' }), allowed('spec.ingress[0]'), { protocol: 'UDP' }],
  ['does not match an unknown name', ports({ port: 'http' }), denied],
  ['matches the first of several ports with a name', ports({ port: 'metrics' }), allowed('spec.ingress[0]'), { port: 9187 }],
  ['does not guess about the second', ports({ port: 'metrics' }), 'unknown PortNameRepeated spec.ingress[0]', { port: 9188 }],
  ['does not guess about ports of sidecars', ports({ port: 'mesh' }), 'unknown PortOfSidecar spec.ingress[0]', { port: 15_000 }],
  ['requires peer and port', ingress({ from: [{ podSelector: {} }], ports: [{ port: 80 }] }), denied],

  ['always allows the node of the pod', ingress(), 'allowed OwnNode', { from: '192.168.0.1' }],
  ['always allows further addresses of that node', ingress(), 'allowed OwnNode', { from: 'fd00::1' }],
  ['restricts other nodes', ingress(), denied, { from: '192.168.0.2' }],
  ['always allows the pod itself', ingress(), 'allowed PodToItself', { from: 'shop/db' }],
  ['may see a pod on the host network of that node as the node', ingress(), 'unknown HostNetworkUndefined', { from: 'ops/agent' }],
  ['allows a pod on the host network if it does so in any case', ingress({}), 'allowed OwnNode', { from: 'ops/agent' }],
  ['does not select pods on the host network of other namespaces', {}, 'allowed HostNetworkNotSelected', { to: 'ops/agent' }],
];

/** The egress of the pod web in the namespace shop. */
const egressRows: readonly Row[] = [
  ['does not apply by default', { ingress: [{}] }, 'allowed NotSelected'],
  ['does not apply by default with an empty list', { egress: [] }, 'allowed NotSelected'],
  ['applies by default if there are rules', { egress: [{ to: [{ ipBlock: { cidr: '1.0.0.0/8' } }] }] }, denied],
  ['denies without rules', { policyTypes: ['Egress'] }, denied],
  ['allows the matching peer', { egress: [{ to: [{ podSelector: db }] }] }, allowed('spec.egress[0].to[0]')],
  ['finds the name of a port on the target', { egress: [{ ports: [{ port: 'pg' }] }] }, allowed('spec.egress[0]')],
  ['does not find names of ports outside the cluster', { egress: [{ ports: [{ port: 'pg' }] }] }, denied, { to: '8.8.8.8' }],
  ['matches addresses', { egress: [{ to: [{ ipBlock: { cidr: '8.0.0.0/8' } }] }] }, allowed('spec.egress[0].to[0]'), { to: '8.8.8.8' }],
  ['does not guess about the own node', { policyTypes: ['Egress'] }, 'unknown EgressToOwnNodeUndefined', { to: '192.168.0.1' }],
  ['restricts other nodes', { policyTypes: ['Egress'] }, denied, { to: '192.168.0.2' }],
  ['never restricts addresses that are no pods', { policyTypes: ['Egress'] }, 'allowed NotAPod', { from: '8.8.8.8' }],
];

const createPolicy = (spec: Spec, name = 'p'): NetworkPolicy => ({ metadata: { namespace: 'shop', name }, spec });

describe('a NetworkPolicy for ingress', () => {
  for (const [title, spec, expected, traffic = {}] of ingressRows)
    it(title, () => {
      expect(formatDecision(evaluateRow(traffic, { networkPolicies: [createPolicy(spec)] }).ingress)).toBe(expected);
    });
});

describe('a NetworkPolicy for egress', () => {
  for (const [title, spec, expected, traffic = {}] of egressRows)
    it(title, () => {
      expect(formatDecision(evaluateRow(traffic, { networkPolicies: [createPolicy(spec)] }).egress)).toBe(expected);
    });
});

describe('several NetworkPolicies', () => {
  it('allow what one of them allows, and are listed by name', () => {
    const networkPolicies = [createPolicy({ podSelector: db }, 'b'), createPolicy(from({ podSelector: {} }), 'a'), createPolicy({}, 'c')];
    const { ingress: decision } = evaluateRow({}, { networkPolicies });
    expect(decision.policies.map(({ name }) => name)).toStrictEqual(['a', 'b', 'c']);
    expect(decision.reasons).toStrictEqual([
      {
        code: 'RuleAllows',
        message: 'spec.ingress[0].from[0] of NetworkPolicy shop/a allows the traffic.',
        policy: { kind: 'NetworkPolicy', namespace: 'shop', name: 'a' },
        path: 'spec.ingress[0].from[0]',
      },
    ]);
  });

  it('are all named if none allows', () => {
    const networkPolicies = [createPolicy({}, 'b'), createPolicy({}, 'a')];
    expect(evaluateRow({}, { networkPolicies }).ingress.reasons[0]?.message).toBe(
      'These policies select Pod shop/db for ingress, and none of their rules allows the traffic: NetworkPolicy shop/a, NetworkPolicy shop/b.',
    );
  });
});
