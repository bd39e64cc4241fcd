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
    status: { ...defaultStatus, addresses: [{ type: 'InternalIP', address: `10.0.${index >> 8}.${index & 255}` }], ...status },
  };
}

const systemLabels = {
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'beta.kubernetes.io/os': 'linux',
  'beta.kubernetes.io/arch': 'amd64',
};

const resources = { cpu: '64', memory: '256Gi', pods: '250', 'ephemeral-storage': '1000Gi' };

const defaultStatus = {
  capacity: resources,
  allocatable: resources,
  conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }],
};
