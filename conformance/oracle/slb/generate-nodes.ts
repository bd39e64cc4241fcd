import type { BalancedNode } from 'kube-endpoints/load-balancer';
import type { Random } from '../random.ts';

/** Creates a mostly healthy node. */
export function makeNode(random: Random, name: string): BalancedNode {
  const labels = Object.fromEntries([
    ...(random.chance(0.06) ? [[excludeLabel, random.pick(excludeValues)]] : []),
    ...(random.chance(0.03) ? [['alpha.service-controller.kubernetes.io/exclude-balancer', '']] : []),
    ...(random.chance(0.06) ? [[random.pick(roles), '']] : []),
  ]) as Record<string, string>;
  const ready = random.chance(0.85) ? 'True' : random.pick(['False', 'Unknown']);
  const conditions = [
    ...(random.chance(0.9) ? [{ type: 'MemoryPressure', status: 'False' }] : []),
    ...(random.chance(0.95) ? [{ type: 'Ready', status: ready }] : []),
  ];
  return {
    metadata: { name, labels, ...random.maybe(0.04, () => deletionMetadata) },
    spec: {
      ...random.maybe(0.85, () => ({ providerID: `cloud:///${name}` })),
      ...random.maybe(0.08, () => ({ unschedulable: true })),
      ...random.maybe(0.06, () => ({ taints: [{ key: random.pick(taints), effect: 'NoSchedule', value: '1' }] })),
    },
    status: { conditions },
  };
}

/** Changes a node in one way, which may be irrelevant to load balancers. */
export const changeNode = (random: Random, node: BalancedNode): BalancedNode => random.pick(changes)(node, random);

const excludeLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';
const excludeValues = ['', 'true', 'false', 'False', 'FALSE', 'yes', '0', 'f', 'fALSE', 'T'];
const roles = ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane'];
const taints = ['ToBeDeletedByClusterAutoscaler', 'node.kubernetes.io/unreachable'];
const deletionMetadata = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/node'] };

type Change = (node: BalancedNode, random: Random) => BalancedNode;

const relabel = ({ metadata, ...rest }: BalancedNode, labels: Readonly<Record<string, string>>): BalancedNode => ({
  ...rest,
  metadata: { ...metadata, labels },
});

const changes: readonly Change[] = [
  ({ status, ...rest }, random) => {
    const ready = { type: 'Ready', status: random.pick(['True', 'True', 'False', 'Unknown']) };
    return { ...rest, status: { conditions: [...(status?.conditions ?? []).filter(({ type }) => type !== 'Ready'), ready] } };
  },
  ({ spec, ...rest }) => ({ ...rest, spec: { ...spec, unschedulable: !spec?.unschedulable } }),
  (node, random) => {
    const { [excludeLabel]: value, ...others } = node.metadata?.labels ?? {};
    return relabel(node, value === undefined || random.chance(0.4) ? { ...others, [excludeLabel]: random.pick(excludeValues) } : others);
  },
  ({ spec, ...rest }, random) => ({ ...rest, spec: { ...spec, taints: random.chance(0.5) ? [{ key: taints[0] as string }] : [] } }),
  ({ spec, ...rest }, random) => ({ ...rest, spec: { ...spec, providerID: random.pick(['cloud:///a', 'cloud:///b', '']) } }),
  (node, random) => relabel(node, { ...node.metadata?.labels, x: String(random.int(9)) }),
  ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, ...deletionMetadata } }),
  (node) => relabel(node, { ...node.metadata?.labels, [roles[0] as string]: '' }),
];
