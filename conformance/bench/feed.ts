import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as Core from 'kube-endpoints';
import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { benchCases } from './cases.ts';
import { bestOf, microseconds, table } from './measure.ts';
import { chooseBySize } from './size.ts';

type Reconciler = ReturnType<typeof Core.createReconciler>;

/** Returns the pods to pass to a sync after a change of one pod. */
type PassPods = (pods: ReadonlyMap<string, Pod>, name: string) => readonly Pod[] | Core.PodFeed;

const sizes: readonly number[] = chooseBySize([100, 500, 1000, 5000], [100, 500]);

/** The same for all sizes of Services, so that processor caches have the same effect on all of them. */
const totalPods = chooseBySize(20_000, 2000);

const asFeed: PassPods = (pods, name) => ({ all: () => pods.values(), changes: new Map([[name, pods.get(name)]]) });
const asList: PassPods = (pods) => [...pods.values()];

/** Creates a Service with `size` pods and returns its sync after a change in the readiness of one pod. */
type CreateSync = (key: string, size: number, passPods: PassPods, reconciler: Reconciler) => () => unknown;

/**
 * Times a sync after a change in the readiness of one pod, with a feed and with a full list. Reports how the time with a feed grows with
 * the size of the Service, and the memory of a reconciler per pod.
 */
export function benchFeed(create: typeof Core.createReconciler, version: string): string {
  const objectTypes: readonly (readonly [string, CreateSync])[] = [
    ['slices', createSlicesSync],
    ['Endpoints', createEndpointsSync],
  ];
  const rows = objectTypes.flatMap(([name, createSync]) => {
    let smallestFeedTime: number | undefined;
    return sizes.map((size) => {
      const timedSyncs = [asFeed, asList].map((passPods) => createRotatingSync(createSync, size, passPods, create({ version })));
      const rounds = Array.from({ length: 3 }, () => timedSyncs.map((sync) => bestOf(sync, chooseBySize(40, 4), 12)));
      const [feedTime, listTime] = timedSyncs.map((_, i) => Math.min(...rounds.map((round) => round[i] as number))) as [number, number];
      smallestFeedTime ??= feedTime;
      return [
        `${name}, one changed pod of ${size.toLocaleString('en-US')}`,
        microseconds(feedTime),
        microseconds(listTime),
        `${(listTime / feedTime).toFixed(1)} x`,
        `${(feedTime / smallestFeedTime).toFixed(2)} x`,
        `${Math.round(measureMemory(createSync, size, create({ version })))} B`,
      ];
    });
  });
  return table(['reconcile, reconcileSlices', 'on a feed', 'on a list', 'faster', 'vs. smallest', 'memory per pod'], rows);
}

/** Creates a function whose calls sync several Services of one size in turn. */
function createRotatingSync(createSync: CreateSync, size: number, passPods: PassPods, reconciler: Reconciler): () => unknown {
  const syncs = createKeys(size).map((key) => createSync(key, size, passPods, reconciler));
  let nextIndex = 0;
  return () => (syncs[nextIndex++ % syncs.length] as () => unknown)();
}

const createKeys = (size: number): string[] => Array.from({ length: totalPods / size }, (_, i) => `shop/web-${i}`);

/** Returns the bytes per pod that are freed when the reconciler forgets all Services; pods and written objects remain in memory. */
function measureMemory(createSync: CreateSync, size: number, reconciler: Reconciler): number {
  const keys = createKeys(size);
  const syncs = keys.map((key) => createSync(key, size, asFeed, reconciler));
  // The second sync sees the writes of the first; memory is constant from the third sync on.
  for (let round = 0; round < 3; round++) for (const sync of syncs) sync();
  const heapBefore = heapUsed();
  for (const key of keys) reconciler.forget(key);
  return (heapBefore - heapUsed()) / (syncs.length * size);
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}

/** An odd multiplier that spreads consecutive changes over all pods. */
const stride = 0x9e3779b1;

interface BenchService {
  readonly service: Service;
  readonly pods: Map<string, Pod>;
  /** Changes the next pod and returns its name. */
  change(): string;
}

/** A Service with pods that change one after another, in scattered order. */
function createBenchService(key: string, size: number): BenchService {
  const [benchCase] = benchCases([size]);
  if (!benchCase) throw new Error('there is no benchmark case');
  const pods = new Map(benchCase.pods.map((pod) => [pod.metadata?.name ?? '', pod]));
  const names = [...pods.keys()];
  let nextIndex = 0;
  const { metadata, spec } = benchCase.service;
  return {
    service: { metadata: { ...metadata, name: key.slice('shop/'.length) }, spec },
    pods,
    change() {
      const name = names[(Math.imul(nextIndex++, stride) >>> 0) % names.length] as string;
      pods.set(name, withFlippedReadiness(pods.get(name) as Pod));
      return name;
    },
  };
}

function withFlippedReadiness(pod: Pod): Pod {
  const conditions = pod.status?.conditions?.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: condition.status === 'True' ? 'False' : 'True' } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}

/** Creates a sync of Endpoints that sees the previous writes. */
function createEndpointsSync(key: string, size: number, passPods: PassPods, reconciler: Reconciler): () => unknown {
  const { service, pods, change } = createBenchService(key, size);
  let version = 1;
  let current: EndpointsInput | undefined;
  const sync = (): unknown => {
    const plan = reconciler.reconcile({ key, service, pods: passPods(pods, change()), current });
    if (!plan.object) throw new Error(`${size} pods: nothing is written`);
    current = { ...plan.object, metadata: { ...plan.object.metadata, resourceVersion: String(version++) } };
    reconciler.observe(current);
    return plan;
  };
  sync();
  return sync;
}

/** Creates a sync of slices that sees the previous writes. */
function createSlicesSync(key: string, size: number, passPods: PassPods, reconciler: Reconciler): () => unknown {
  const { service, pods, change } = createBenchService(key, size);
  const current = new Map<string, EndpointSliceInput>();
  const sync = (): Core.SlicePlan => {
    const input = { key, service, pods: passPods(pods, change()), nodes, current: [...current.values()] };
    const plan = reconciler.reconcileSlices(input);
    for (const slice of [...plan.create, ...plan.update]) {
      const written = withServerFields(slice, slice.metadata.name ?? `slice-${current.size}`);
      current.set(written.metadata?.name ?? '', written);
      reconciler.observe(written);
    }
    return plan;
  };
  if (sync().create.length !== Math.ceil(size / 100)) throw new Error(`${size} pods: unexpected number of slices`);
  return () => {
    const plan = sync();
    if (plan.update.length !== 1 || plan.create.length + plan.delete.length > 0)
      throw new Error(`${size} pods: the sync did not make exactly one update`);
    return plan;
  };
}

/** A slice with the fields that an API server adds. */
const withServerFields = (slice: EndpointSlice, name: string): EndpointSliceInput => ({
  ...slice,
  metadata: { ...slice.metadata, name, uid: name, generation: (slice.metadata.generation ?? 0) + 1 },
});

const nodes: readonly Node[] = Array.from({ length: 50 }, (_, i) => ({
  metadata: { name: `node-${i}`, labels: { 'topology.kubernetes.io/zone': `zone-${i % 3}` } },
  status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
}));
