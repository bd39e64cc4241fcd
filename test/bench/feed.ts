import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as Core from '../../src/index.ts';
import { benchCases } from './cases.ts';
import { bestOf, microseconds, table } from './measure.ts';

type Reconciler = ReturnType<typeof Core.createReconciler>;

/** How a host hands in the pods of a sync in which one has changed. */
type HandIn = (all: ReadonlyMap<string, Core.Pod>, name: string) => readonly Core.Pod[] | Core.PodFeed;

const sizes = [100, 500, 1000, 5000] as const;
const onFeed: HandIn = (all, name) => ({ all: () => all.values(), changes: new Map([[name, all.get(name)]]) });
const onList: HandIn = (all) => [...all.values()];

/**
 * Times a sync in which the readiness of one pod has changed, on a feed beside a full list, and tells how that on a feed grows with the
 * Service, and what memory a reconciler keeps of it.
 */
export function benchFeed(create: typeof Core.createReconciler, version: string): string {
  const make = (): Reconciler => create({ version });
  const rows = [
    { name: 'slices', syncOf: slicesSync },
    { name: 'Endpoints', syncOf: endpointsSync },
  ].flatMap(({ name, syncOf }) => {
    let first: number | undefined;
    return sizes.map((size) => {
      const turns = Array.from({ length: 3 }, () => [onFeed, onList].map((handIn) => bestOf(syncOf(size, handIn, make()), 3)));
      const [feed, list] = [0, 1].map((i) => Math.min(...turns.map((turn) => turn[i] as number))) as [number, number];
      first ??= feed;
      return [
        `${name}, one changed pod of ${size.toLocaleString('en-US')}`,
        microseconds(feed),
        microseconds(list),
        `${(list / feed).toFixed(1)} x`,
        `${(feed / first).toFixed(2)} x`,
        `${Math.round(memoryOf((reconciler) => syncOf(size, onFeed, reconciler), make, size))} B`,
      ];
    });
  });
  return table(['reconcile, reconcileSlices', 'on a feed', 'on a list', 'faster', 'to that of 100', 'kept a pod'], rows);
}

interface Setting {
  readonly service: Core.Service;
  readonly pods: Map<string, Core.Pod>;
  /** Changes the next pod and tells its name. */
  change(): string;
}

/** A Service with so many pods, of which one after the other changes, far apart. */
function settingOf(size: number): Setting {
  const [first] = benchCases([size]);
  if (!first) throw new Error('there is no case');
  const pods = new Map(first.pods.map((pod) => [pod.metadata?.name ?? '', pod]));
  const names = [...pods.keys()];
  let turn = 0;
  return {
    service: first.service,
    pods,
    change() {
      const name = names[(turn++ * 37) % names.length] as string;
      pods.set(name, flipped(pods.get(name) as Core.Pod));
      return name;
    },
  };
}

function flipped(pod: Core.Pod): Core.Pod {
  const conditions = pod.status?.conditions?.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: condition.status === 'True' ? 'False' : 'True' } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}

/** A sync of Endpoints, which finds what the one before has written. */
function endpointsSync(size: number, handIn: HandIn, reconciler: Reconciler): () => unknown {
  const { service, pods, change } = settingOf(size);
  let version = 1;
  let current: Core.EndpointsInput | undefined;
  const sync = (): unknown => {
    const plan = reconciler.reconcile({ key: 'shop/web', service, pods: handIn(pods, change()), current });
    if (!plan.object) throw new Error(`${size} pods: nothing is written`);
    current = { ...plan.object, metadata: { ...plan.object.metadata, resourceVersion: String(version++) } };
    reconciler.observe(current);
    return plan;
  };
  sync();
  return sync;
}

/** A sync of slices, which finds what the one before has written. */
function slicesSync(size: number, handIn: HandIn, reconciler: Reconciler): () => unknown {
  const { service, pods, change } = settingOf(size);
  const current = new Map<string, Core.EndpointSliceInput>();
  const sync = (): Core.SlicePlan => {
    const input = { key: 'shop/web', service, pods: handIn(pods, change()), nodes, current: [...current.values()] };
    const plan = reconciler.reconcileSlices(input);
    for (const slice of [...plan.create, ...plan.update]) {
      const written = stored(slice, slice.metadata.name ?? `web-${current.size}`);
      current.set(written.metadata?.name ?? '', written);
      reconciler.observe(written);
    }
    return plan;
  };
  if (sync().create.length !== Math.ceil(size / 100)) throw new Error(`${size} pods: not so many slices`);
  return () => {
    const plan = sync();
    if (plan.update.length !== 1 || plan.create.length + plan.delete.length > 0) throw new Error(`${size} pods: not one update`);
    return plan;
  };
}

/** A slice as an API server answers with it. */
const stored = (slice: Core.EndpointSlice, name: string): Core.EndpointSliceInput => ({
  ...slice,
  metadata: { ...slice.metadata, name, uid: name, generation: (slice.metadata.generation ?? 0) + 1 },
});

const nodes: readonly Core.Node[] = Array.from({ length: 50 }, (_, i) => ({
  metadata: { name: `node-${i}`, labels: { 'topology.kubernetes.io/zone': `zone-${i % 3}` } },
  status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
}));

/** The bytes a pod that are free again when the reconciler is, while pods and what was written stay. */
function memoryOf(syncOf: (reconciler: Reconciler) => () => unknown, make: () => Reconciler, size: number): number {
  const services = Math.ceil(50_000 / size);
  const reconcilers: Reconciler[] = [];
  const syncs: (() => unknown)[] = [];
  for (let i = 0; i < services; i++) {
    const reconciler = make();
    const sync = syncOf(reconciler);
    // the second sync meets what the first has written, and from the third on nothing is added
    for (let turn = 0; turn < 3; turn++) sync();
    syncs.push(sync);
    reconcilers.push(reconciler);
  }
  const full = heapUsed();
  for (const reconciler of reconcilers) reconciler.forget('shop/web');
  const bytes = full - heapUsed();
  return syncs.length === 0 ? 0 : bytes / (services * size);
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}
