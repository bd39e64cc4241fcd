import type { Manifest } from './manifest.ts';
import type { Families } from './workloads/model.ts';

/** The nodes of two pools, and the addresses of their pods. */
export interface Node {
  readonly name: string;
  readonly pool: 'worker' | 'edge';
  readonly zone: string;
  /** Its index in the cluster's address plan. */
  readonly index: number;
}

export const NODES: readonly Node[] = [...pool('worker', ['a', 'b', 'c'], 4, 1), ...pool('edge', ['a', 'b', 'c', 'd'], 6, 101)];

/** Assigns nodes in turn and addresses in sequence. */
export interface Placement {
  nodeFor(pool: Node['pool'], name?: string): Node;
  /** Addresses of a new pod on that node; a pod on the host network has the node's. */
  addresses(node: Node, families: Families, hostNetwork: boolean): string[];
}

export function createPlacement(): Placement {
  const turns = new Map<Node['pool'], number>();
  const used = new Map<string, number>();
  return {
    nodeFor(wanted, name) {
      const candidates = NODES.filter((node) => (name === undefined ? node.pool === wanted : node.name === name));
      const turn = turns.get(wanted) ?? 0;
      turns.set(wanted, turn + 1);
      const node = candidates[turn % candidates.length];
      if (node === undefined) throw new RangeError(`no node ${name ?? `in pool ${wanted}`}`);
      return node;
    },
    addresses(node, families, hostNetwork) {
      const host = hostNetwork ? undefined : (used.get(node.name) ?? 1) + 1;
      if (host !== undefined) used.set(node.name, host);
      return [...families].map((family) => address(node, family === '6', host));
    },
  };
}

export function nodeManifests(): Manifest[] {
  return NODES.map((node) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      labels: {
        'kubernetes.io/hostname': node.name,
        'node.kubernetes.io/pool': node.pool,
        'topology.kubernetes.io/zone': node.zone,
      },
    },
    spec: { podCIDR: `10.244.${node.index}.0/24`, podCIDRs: [`10.244.${node.index}.0/24`, `fd00:10:244:${node.index.toString(16)}::/64`] },
    status: {
      allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
      addresses: [
        { type: 'InternalIP', address: address(node, false) },
        { type: 'InternalIP', address: address(node, true) },
        { type: 'Hostname', address: node.name },
      ],
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }],
    },
  }));
}

/** The address of a pod, or of the node itself if `host` is absent. */
export function address(node: Node, six: boolean, host?: number): string {
  if (host === undefined) return six ? `fd00:10:20::${node.index.toString(16)}` : `10.20.0.${node.index}`;
  return six ? `fd00:10:244:${node.index.toString(16)}::${host.toString(16)}` : `10.244.${node.index}.${host}`;
}

function pool(name: Node['pool'], zones: readonly string[], perZone: number, from: number): Node[] {
  return zones.flatMap((zone, z) =>
    Array.from({ length: perZone }, (_, n) => ({
      name: `${name}-${zone}${n + 1}`,
      pool: name,
      zone: `eu-central-1${zone}`,
      index: from + z * perZone + n,
    })),
  );
}
