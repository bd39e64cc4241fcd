import { describe, expect, it } from 'vitest';
import { evaluateTraffic, findPolicyProblems, type PolicyObjects } from '../../src/policy/index.ts';
import { cluster } from './fixtures.ts';

const network = (spec: object): PolicyObjects => ({ networkPolicies: [{ metadata: { namespace: 'shop', name: 'p' }, spec }] });
const peer = (from: object): PolicyObjects => network({ ingress: [{ from: [from] }] });
const port = (value: object): PolicyObjects => network({ egress: [{ ports: [value] }] });
const base = { tier: 'Admin', priority: 1, subject: { namespaces: {} } };
const clusterWide = (spec: object): PolicyObjects => ({
  clusterNetworkPolicies: [{ metadata: { name: 'p' }, spec: { ...base, ...spec } }],
});
const rule = (value: object): PolicyObjects => clusterWide({ egress: [{ action: 'Deny', to: [{ namespaces: {} }], ...value }] });
const admin = (value: object): PolicyObjects => ({
  adminNetworkPolicies: [
    {
      metadata: { name: 'p' },
      spec: { priority: 1, subject: base.subject, ingress: [{ action: 'Allow', from: [{ namespaces: {} }], ...value }] },
    },
  ],
});

const rows: readonly (readonly [objects: PolicyObjects, ...problems: string[]])[] = [
  [network({ policyTypes: ['ingress'] }), 'spec.policyTypes[0] is "ingress", but has to be one of Ingress, Egress'],
  [
    network({ podSelector: { matchExpressions: [{ key: 'a', operator: 'in', values: ['b'] }] } }),
    'spec.podSelector.matchExpressions[0].operator is "in", but has to be one of In, NotIn, Exists, DoesNotExist',
    'spec.podSelector.matchExpressions[0].values must be empty for in',
  ],
  [
    network({ podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    'spec.podSelector.matchExpressions[0].values has to have a value for the operators In and NotIn',
  ],
  [
    network({ podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } }),
    'spec.podSelector.matchExpressions[0].values must be empty for Exists',
  ],
  [peer({}), 'spec.ingress[0].from[0] has to have podSelector, namespaceSelector or ipBlock'],
  [peer({ ipBlock: { cidr: '::/0' }, podSelector: {} }), 'spec.ingress[0].from[0] must not have both ipBlock and a selector'],
  [peer({ ipBlock: { cidr: '10.0.0.0' } }), 'spec.ingress[0].from[0].ipBlock.cidr is "10.0.0.0", but has to be a CIDR'],
  [peer({ ipBlock: {} }), 'spec.ingress[0].from[0].ipBlock.cidr is absent, but has to be a CIDR'],
  [peer({ ipBlock: { cidr: '10.0.0.0/33' } }), 'spec.ingress[0].from[0].ipBlock.cidr is "10.0.0.0/33", but has to be a CIDR'],
  [
    peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8', '11.0.0.0/16', '::/9', 'x'] } }),
    'spec.ingress[0].from[0].ipBlock.except[0] is "10.0.0.0/8", but has to be a strict subset of "10.0.0.0/8"',
    'spec.ingress[0].from[0].ipBlock.except[1] is "11.0.0.0/16", but has to be a strict subset of "10.0.0.0/8"',
    'spec.ingress[0].from[0].ipBlock.except[2] is "::/9", but has to be a strict subset of "10.0.0.0/8"',
    'spec.ingress[0].from[0].ipBlock.except[3] is "x", but has to be a CIDR',
  ],
  [port({ protocol: 'tcp' }), 'spec.egress[0].ports[0].protocol is "tcp", but has to be one of TCP, UDP, SCTP'],
  [port({ port: 0 }), 'spec.egress[0].ports[0].port is 0, but has to be a number from 1 to 65535'],
  [
    port({ port: '80' }),
    'spec.egress[0].ports[0].port is "80", but has to be a number, or at most 15 lower case letters, digits and single "-" with at least one letter',
  ],
  [port({ port: 80, endPort: 79 }), 'spec.egress[0].ports[0].endPort is 79, but has to be a number from 80 to 65535'],
  [port({ endPort: 79 }), 'spec.egress[0].ports[0].endPort must not be set unless port is a number'],
  [port({ port: 'http', endPort: 79 }), 'spec.egress[0].ports[0].endPort must not be set unless port is a number'],
  [clusterWide({ tier: 'admin' }), 'spec.tier is "admin", but has to be one of Admin, Baseline'],
  [clusterWide({ priority: 1001 }), 'spec.priority is 1001, but has to be a number from 0 to 1000'],
  [clusterWide({ subject: {} }), 'spec.subject has to have one of the fields namespaces and pods'],
  [rule({ action: 'Allow' }), 'spec.egress[0].action is "Allow", but has to be one of Accept, Deny, Pass'],
  [rule({ to: [] }), 'spec.egress[0].to has to have at least one peer'],
  [
    rule({ to: [{ namespaces: {}, networks: ['10.0.0.0/8'] }] }),
    'spec.egress[0].to[0] must not have several of the fields namespaces, pods, nodes, networks, domainNames',
  ],
  [
    rule({ to: [{ networks: ['10.0.0.1/8', '010.0.0.0/8'] }] }),
    'spec.egress[0].to[0].networks[0] is "10.0.0.1/8", but has to be a CIDR without bits after the prefix',
    'spec.egress[0].to[0].networks[1] is "010.0.0.0/8", but has to be a CIDR without bits after the prefix',
  ],
  [rule({ protocols: [{}] }), 'spec.egress[0].protocols[0] has to have one of the fields tcp, udp, sctp and destinationNamedPort'],
  [
    rule({ protocols: [{ tcp: { destinationPort: {} } }] }),
    'spec.egress[0].protocols[0].tcp.destinationPort has to have one of the fields number and range',
  ],
  [
    rule({ protocols: [{ tcp: { destinationPort: { range: { start: 5, end: 5 } } } }] }),
    'spec.egress[0].protocols[0].tcp.destinationPort.range.end is 5, but has to be a number from 6 to 65535',
  ],
  [rule({ ports: [] }), 'spec.egress[0].ports is not a field of this version; use protocols'],
  [admin({ action: 'Accept' }), 'spec.ingress[0].action is "Accept", but has to be one of Allow, Deny, Pass'],
  [admin({ ports: [{}] }), 'spec.ingress[0].ports[0] has to have one of the fields portNumber, portRange and namedPort'],
  [
    admin({ ports: [{ portNumber: { port: 0, protocol: 'x' } }] }),
    'spec.ingress[0].ports[0].portNumber.protocol is "x", but has to be one of TCP, UDP, SCTP',
    'spec.ingress[0].ports[0].portNumber.port is 0, but has to be a number from 1 to 65535',
  ],
  [
    {
      baselineAdminNetworkPolicies: [
        { metadata: { name: 'default' }, spec: { subject: base.subject, egress: [{ action: 'Pass', to: [{ namespaces: {} }] }] } },
      ],
    },
    'spec.egress[0].action is "Pass", but has to be one of Allow, Deny',
  ],
];

describe('findPolicyProblems', () => {
  for (const [objects, ...problems] of rows)
    it(`finds ${problems[0]}`, () => {
      expect(findPolicyProblems(objects).map(({ path, message }) => `${path} ${message}`)).toStrictEqual(problems);
    });

  it('names the policy, and finds keys and values that no label has', () => {
    const selector = { matchLabels: { 'a b': 'x', c: '-' }, matchExpressions: [{ key: '', operator: 'In', values: ['y y'] }] };
    const problems = findPolicyProblems({ ...network({ podSelector: selector }), ...clusterWide({}) });
    expect(problems.map(({ path }) => path)).toStrictEqual([
      'spec.podSelector.matchLabels',
      'spec.podSelector.matchLabels["c"]',
      'spec.podSelector.matchExpressions[0].key',
      'spec.podSelector.matchExpressions[0].values[0]',
    ]);
    expect(problems[0]?.policy).toStrictEqual({ kind: 'NetworkPolicy', namespace: 'shop', name: 'p' });
  });

  it('accepts CIDRs that API servers of earlier releases accepted', () => {
    expect(findPolicyProblems(peer({ ipBlock: { cidr: '010.0.0.1/8', except: ['10.1.0.0/16'] } }))).toStrictEqual([]);
  });
});

describe('evaluateTraffic', () => {
  const [from, to] = [{ pod: 'shop/web' }, { pod: 'shop/db' }];
  const refused: readonly (readonly [message: string, traffic: Parameters<typeof evaluateTraffic>[0], objects?: PolicyObjects])[] = [
    ['port is 0, but has to be a number from 1 to 65535', { from, to, port: 0 }],
    ['protocol is "ICMP", but has to be TCP, UDP or SCTP', { from, to, port: 80, protocol: 'ICMP' }],
    ['from has to have the field pod or ip', { from: {}, to, port: 80 }],
    ['to.ip is "10.0.0", but has to be an IP address', { from, to: { ip: '10.0.0' }, port: 80 }],
    ['to.pod is "db", but has to be "namespace/name" of one of the pods', { from, to: { pod: 'db' }, port: 80 }],
    ['from.ip and to.ip have to be of the same IP family', { from: { ip: '::1' }, to: { ip: '1.2.3.4' }, port: 80 }],
    [
      'NetworkPolicy shop/p: spec.policyTypes[0] is "x", but has to be one of Ingress, Egress',
      { from, to, port: 80 },
      network({ policyTypes: ['x'] }),
    ],
  ];

  for (const [message, traffic, objects = {}] of refused)
    it(`throws a RangeError: ${message}`, () => {
      expect(() => evaluateTraffic(traffic, { ...cluster, ...objects })).toThrow(new RangeError(message));
    });
});
