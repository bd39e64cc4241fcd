import type { ApiObject } from 'kube-endpoints/port';
import type { Server } from './store/server.ts';

/**
 * Registers a node. The API server gives new nodes the taint "not-ready", which the node lifecycle controller has removed from nodes that are ready
 * at the start.
 * @param index distinguishes the addresses of nodes
 */
export function registerNode(server: Server, node: ApiObject, index: number): void {
  const created = server.create('user', withDefaults(node, index));
  const { taints = [], ...spec } = (node['spec'] ?? {}) as { readonly taints?: readonly unknown[] };
  if (isNodeReady(created))
    server.apply('node-lifecycle-controller', { ...created, spec: { ...(created['spec'] as object), ...spec, taints } });
}

interface NodeStatus {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/** Whether the condition Ready of a node is True. */
export const isNodeReady = ({ status }: ApiObject): boolean =>
  ((status ?? {}) as NodeStatus).conditions?.find(({ type }) => type === 'Ready')?.status === 'True';

/** A node with the fields that its kubelet would set: the conditions of a ready node, an address, and capacity. */
function withDefaults(node: ApiObject, index: number): ApiObject {
  const { metadata } = node;
  const { name = '', labels } = metadata;
  const status = (node['status'] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...node,
    metadata: { ...metadata, labels: { 'kubernetes.io/hostname': name, ...systemLabels, ...labels } },
    status: {
      conditions: [readyCondition],
      addresses: [{ type: 'InternalIP', address: `10.0.${index >> 8}.${index & 255}` }],
      ...status,
      capacity: { ...defaultResources, ...(status['capacity'] ?? status['allocatable'] ?? {}) },
      // Like the API server, for a node that only has a capacity.
      allocatable: { ...defaultResources, ...(status['allocatable'] ?? status['capacity'] ?? {}) },
    },
  };
}

const systemLabels = {
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'beta.kubernetes.io/arch': 'amd64',
};

/** What a node has of each resource that it does not name. 110 pods are the default of the kubelet. */
export const defaultResources: Readonly<Record<string, string>> = { cpu: '4', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' };

const readyCondition = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
