import type { Pod, Service } from 'kube-endpoints/types';

/** A Service with its pods, and the number of subsets that they form. */
export interface BenchCase {
  readonly id: string;
  readonly subsets: number;
  readonly service: Service;
  readonly pods: readonly Pod[];
}

/** Creates three cases for each size: one port, three ports, and a named port that resolves to three port numbers. */
export const benchCases = (sizes: readonly number[]): BenchCase[] =>
  sizes.flatMap((size) => [
    createBenchCase(`${size} pods, 1 port`, size, { portCount: 1, subsets: 1 }),
    createBenchCase(`${size} pods, 3 ports`, size, { portCount: 3, subsets: 1 }),
    createBenchCase(`${size} pods, 3 subsets`, size, { portCount: 1, subsets: 3 }),
  ]);

function createBenchCase(
  id: string,
  size: number,
  { portCount, subsets }: { readonly portCount: number; readonly subsets: number },
): BenchCase {
  const ports = Array.from({ length: portCount }, (_, i) => ({
    name: `port-${i}`,
    port: 80 + i,
    protocol: 'TCP',
    targetPort: subsets > 1 ? `port-${i}` : 8080 + i,
  }));
  const service: Service = {
    metadata: { name: 'web', namespace: 'shop', uid: 'service', creationTimestamp: '2026-01-01T00:00:00Z', labels: { app: 'web' } },
    spec: { type: 'ClusterIP', clusterIP: '10.96.0.10', ipFamilies: ['IPv4'], selector: { app: 'web' }, ports },
  };
  // The stride makes the order of the pods differ from the order of their addresses.
  const pods = Array.from({ length: size }, (_, i) => createPod((i * 7919) % size, portCount, subsets));
  return { id, subsets, service, pods: JSON.parse(JSON.stringify(pods)) as Pod[] };
}

function createPod(index: number, portCount: number, revisions: number): Pod {
  const ip = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const ports = Array.from({ length: portCount }, (_, i) => ({
    name: `port-${i}`,
    containerPort: 8080 + i + 100 * (index % revisions),
    protocol: 'TCP',
  }));
  return {
    metadata: {
      name: `web-5d9c7b8f6d-${index}`,
      namespace: 'shop',
      uid: `6f1c2c4e-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(100_000 + index),
      labels: { app: 'web', 'pod-template-hash': '5d9c7b8f6d', tier: 'front' },
    },
    spec: { nodeName: `node-${index % 50}`, restartPolicy: 'Always', containers: [{ name: 'web', ports }] },
    status: {
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [
        { type: 'Initialized', status: 'True' },
        { type: 'Ready', status: index % 17 === 0 ? 'False' : 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  };
}
