import type { Manifest } from './manifest.ts';
import type { Families } from './workloads/model.ts';

/** A node of one of the two pools. */
export interface Node {
  readonly name: string;
  readonly pool: 'worker' | 'edge';
  readonly zone: string;
  /** Its index in the cluster's address plan. */
  readonly index: number;
}

export const NODES: readonly Node[] = [...createPool('worker', ['a', 'b', 'c'], 4, 1), ...createPool('edge', ['a', 'b', 'c', 'd'], 6, 101)];

/** Assigns nodes round-robin and pod addresses in sequence. */
export interface Placement {
  /** Returns the next node of the pool, or the node of that name; both advance the round-robin of the pool. */
  nodeFor(pool: Node['pool'], name?: string): Node;
  /** Assigns addresses to a new pod on this node; with `hostNetwork`, those of the node. */
  assignAddresses(node: Node, families: Families, hostNetwork: boolean): string[];
}

export function createPlacement(): Placement {
  const podCounts = new Map<Node['pool'], number>();
  const lastHosts = new Map<string, number>();
  return {
    nodeFor(poolName, name) {
      const candidates = NODES.filter((node) => (name === undefined ? node.pool === poolName : node.name === name));
      const index = podCounts.get(poolName) ?? 0;
      podCounts.set(poolName, index + 1);
      const node = candidates[index % candidates.length];
      if (node === undefined) throw new RangeError(`no node ${name ?? `in pool ${poolName}`}`);
      return node;
    },
    assignAddresses(node, families, hostNetwork) {
      const host = hostNetwork ? undefined : (lastHosts.get(node.name) ?? 1) + 1;
      if (host !== undefined) lastHosts.set(node.name, host);
      return [...families].map((family) => addressOf(node, family === '6', host));
    },
  };
}

export function createNodeManifests(): Manifest[] {
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
        { type: 'InternalIP', address: addressOf(node, false) },
        { type: 'InternalIP', address: addressOf(node, true) },
        { type: 'Hostname', address: node.name },
      ],
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }],
    },
  }));
}

/** Returns the address of the pod with this number on the node, or of the node itself if the number is absent. */
export function addressOf(node: Node, isIPv6: boolean, host?: number): string {
  if (host === undefined) return isIPv6 ? `fd00:10:20::${node.index.toString(16)}` : `10.20.0.${node.index}`;
  return isIPv6 ? `fd00:10:244:${node.index.toString(16)}::${host.toString(16)}` : `10.244.${node.index}.${host}`;
}

function createPool(name: Node['pool'], zones: readonly string[], nodesPerZone: number, firstIndex: number): Node[] {
  return zones.flatMap((zone, zoneIndex) =>
    Array.from({ length: nodesPerZone }, (_, nodeIndex) => ({
      name: `${name}-${zone}${nodeIndex + 1}`,
      pool: name,
      zone: `eu-central-1${zone}`,
      index: firstIndex + zoneIndex * nodesPerZone + nodeIndex,
    })),
  );
}
