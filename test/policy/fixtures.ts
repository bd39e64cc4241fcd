import { evaluateTraffic, type PolicyObjects, type Traffic, type TrafficDecision } from '../../src/policy/index.ts';
import type { Pod } from '../../src/types/index.ts';

export const makePod = (key: string, ip: string | undefined, extra: { labels?: Record<string, string>; spec?: Pod['spec'] } = {}): Pod => {
  const [namespace, name] = key.split('/');
  return {
    metadata: { namespace, name, labels: extra.labels ?? { app: name as string } },
    spec: { nodeName: 'n1', containers: [{ name: 'main' }], ...extra.spec },
    status: { phase: 'Running', hostIP: '192.168.0.1', ...(ip && { podIP: ip, podIPs: [{ ip }] }) },
  };
};

const dbPorts = [
  { name: 'pg', containerPort: 5432 },
  { name: 'pg', containerPort: 5432, protocol: 'UDP' },
  { name: 'metrics', containerPort: 9187 },
];

/** web and db are in the namespace shop, etl is in data; web and db run on n1, etl on n2; agent is on the host network of n1. */
export const cluster: PolicyObjects = {
  pods: [
    makePod('shop/web', '10.0.0.1'),
    makePod('shop/db', '10.0.0.2', {
      spec: {
        containers: [
          { name: 'db', ports: dbPorts },
          { name: 'more', ports: [{ name: 'metrics', containerPort: 9188 }] },
        ],
        initContainers: [{ name: 'proxy', restartPolicy: 'Always', ports: [{ name: 'mesh', containerPort: 15_000 }] }],
      },
    }),
    makePod('data/etl', '10.0.1.3', { labels: { app: 'etl', stage: 'prod' }, spec: { nodeName: 'n2' } }),
    makePod('shop/new', undefined),
    makePod('ops/agent', '192.168.0.1', { spec: { hostNetwork: true } }),
    makePod('lost/pod', '10.0.2.9'),
  ],
  namespaces: [
    { metadata: { name: 'shop', labels: { team: 'a' } } },
    { metadata: { name: 'data', labels: { team: 'b' } } },
    { metadata: { name: 'ops' } },
  ],
  nodes: [
    { metadata: { name: 'n1', labels: { zone: 'x' } }, status: { addresses: [{ address: '192.168.0.1' }, { address: 'fd00::1' }] } },
    { metadata: { name: 'n2', labels: { zone: 'y' } }, status: { addresses: [{ address: '192.168.0.2' }] } },
  ],
};

/** By default, from the pod shop/web to the port 5432 of the pod shop/db. */
export interface TrafficRow {
  readonly from?: string;
  readonly to?: string;
  readonly port?: number;
  readonly protocol?: string;
}

/** "namespace/name" of a pod, or an address. */
const readEnd = (text: string): Traffic['from'] => (text.includes('/') ? { pod: text } : { ip: text });

export function evaluateRow(row: TrafficRow, objects: PolicyObjects): Readonly<Record<'ingress' | 'egress', TrafficDecision>> {
  const { from = 'shop/web', to = 'shop/db', port = 5432, protocol = 'TCP' } = row;
  return evaluateTraffic({ from: readEnd(from), to: readEnd(to), port, protocol }, { ...cluster, ...objects });
}

/** The verdict of a direction as text: "denied NoRuleAllows", "allowed RuleAllows spec.ingress[0]". */
export const formatDecision = ({ allowed, reasons }: TrafficDecision): string =>
  `${allowed === 'unknown' ? 'unknown' : allowed ? 'allowed' : 'denied'} ${reasons.map(({ code, path }) => [code, path].filter(Boolean).join(' ')).join(', ')}`;
