// Prints the average memory of a projected and of a cached pod: run with `node --expose-gc`.
import type { ApiObject } from 'kube-endpoints/port';
import { createProjections } from '../../src/cache/index.ts';
import { createStore } from '../../src/cache/store.ts';

const podCount = 100_000;
const appCount = 2000;

function measure(label: string, readyAt: (pod: number) => number): void {
  const { pod } = createProjections();
  const pods: unknown[] = new Array(podCount).fill(undefined);
  // Fills the intern table before the measurement.
  for (let n = 0; n < 3000; n++) pod(rawPod(n, readyAt));
  const heapBeforePods = heapUsed();
  for (let n = 0; n < podCount; n++) pods[n] = pod(rawPod(n, readyAt));
  const bytesPerProjectedPod = (heapUsed() - heapBeforePods) / podCount;
  pods.length = 0;
  const heapBefore = heapUsed();
  const store = createStore({ project: pod, createNotifier: () => () => undefined, reportError: (error) => console.error(error) });
  const draft = store.beginDraft();
  for (let n = 0; n < podCount; n++) draft.put(rawPod(n, readyAt));
  draft.commit();
  const bytesPerCachedPod = (heapUsed() - heapBefore) / store.size;
  console.log(`${label}: ${bytesPerProjectedPod.toFixed(0)} bytes a pod, ${bytesPerCachedPod.toFixed(0)} with its cache entry`);
}

function heapUsed(): number {
  if (!globalThis.gc) throw new Error('run it with node --expose-gc');
  for (let collection = 0; collection < 4; collection++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** A pod as received over HTTP: parsed from JSON, with all fields that a cluster adds. */
function rawPod(n: number, readyAt: (pod: number) => number): ApiObject {
  const app = n % appCount;
  const ip = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  const time = new Date(Date.UTC(2026, 0, 1) + readyAt(n) * 1000).toISOString().replace('.000Z', 'Z');
  const port = { name: 'http', containerPort: 8080, protocol: 'TCP' };
  const containers = ['main', 'helper']
    .slice(0, 1 + (app % 2))
    .map((name, c) => ({ name, image: 'app:1', ports: [{ ...port, name: `http-${c}` }] }));
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: time,
  }));
  const completePod = {
    metadata: {
      name: `deployment-${app}-${hash(app).slice(0, 8)}-${hash(n).slice(0, 5)}`,
      namespace: `team-${app % 100}`,
      uid: `${hash(n)}-aaaa-4bbb-8ccc-${String(n).padStart(12, '0')}`,
      resourceVersion: String(100_000_000 + n * 3),
      creationTimestamp: time,
      labels: { app: `app-${app}`, 'pod-template-hash': hash(app) },
      annotations: { note: 'x'.repeat(200) },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true }],
      managedFields: [{ manager: 'kubelet' }],
    },
    spec: { nodeName: `node-${n % 1000}.example.internal`, restartPolicy: 'Always', containers },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], hostIP: '192.0.2.1', conditions },
  };
  return JSON.parse(JSON.stringify(completePod)) as ApiObject;
}

const hash = (n: number): string => ((n * 2_654_435_761) >>> 0).toString(16).padStart(8, '0');

measure('pods that became ready 2,000 at a time', (n) => Math.floor(n / appCount));
measure('pods that became ready one by one', (n) => n * 7);
