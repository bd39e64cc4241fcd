import type { NodeCapacity } from './pods.ts';

const CPUS = 8;

/** The fake nodes: `fake-1`, `fake-2`, ... */
export const createNodes = (count: number): readonly NodeCapacity[] =>
  Array.from({ length: count }, (_, index) => ({ name: `fake-${index + 1}`, cpus: CPUS }));

/** A node as its kubelet registers it. */
export const createNodeObject = (name: string, index: number): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } },
  spec: { podCIDR: `10.24${index}.0.0/24`, podCIDRs: [`10.24${index}.0.0/24`] },
});

/** The status that a kubelet reports. `now` is RFC 3339, with seconds. */
export function createNodeStatus(name: string, index: number, now: string): object {
  const resources = { cpu: String(CPUS), memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' };
  const condition = (type: string, status: string, reason: string): object => ({
    type,
    status,
    reason,
    message: '',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address: `10.250.0.${index + 1}` },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: {
      kubeletVersion: 'v1.36.3',
      kubeProxyVersion: '',
      osImage: 'fake',
      kernelVersion: '6.0',
      architecture: 'amd64',
      operatingSystem: 'linux',
      containerRuntimeVersion: 'fake://1.0',
      machineID: '',
      systemUUID: '',
      bootID: '',
    },
    conditions: [
      condition('Ready', 'True', 'KubeletReady'),
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
    ],
  };
}

/** The spec of a kubelet's Lease. `now` is RFC 3339, with seconds. */
export const createLeaseSpec = (name: string, now: string): object => ({
  holderIdentity: name,
  leaseDurationSeconds: 40,
  renewTime: now.replace('Z', '.000000Z'),
});
