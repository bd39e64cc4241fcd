import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as Core from 'kube-endpoints';
import type { EndpointSlice, EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { benchCases } from './cases.ts';
import { bestOf, microseconds, table } from './measure.ts';
import { sized } from './size.ts';

type Reconciler = ReturnType<typeof Core.createReconciler>;

/** How a host passes the pods of a sync after a change of one. */
type HandIn = (all: ReadonlyMap<string, Pod>, name: string) => readonly Pod[] | Core.PodFeed;

const sizes: readonly number[] = sized([100, 500, 1000, 5000], [100, 500]);

/** A constant total of pods, so that processor caches help all sizes of Services alike. */
const podsInAll = sized(20_000, 2000);

const onFeed: HandIn = (all, name) => ({ all: () => all.values(), changes: new Map([[name, all.get(name)]]) });
const onList: HandIn = (all) => [...all.values()];

/** Creates a Service of some size and returns its sync after a change in the readiness of one pod. */
type SyncOf = (key: string, size: number, handIn: HandIn, reconciler: Reconciler) => () => unknown;

/**
 * Times a sync after a change in the readiness of one pod, with a feed and with a full list, and reports how the former grows with
 * the Service, and the memory of a reconciler.
 */
export function benchFeed(create: typeof Core.createReconciler, version: string): string {
  const kinds: readonly (readonly [string, SyncOf])[] = [
    ['slices', slicesSync],
    ['Endpoints', endpointsSync],
  ];
  const rows = kinds.flatMap(([name, syncOf]) => {
    let first: number | undefined;
    return sizes.map((size) => {
      const turns = [onFeed, onList].map((handIn) => turnsOf(syncOf, size, handIn, create({ version })));
      const rounds = Array.from({ length: 3 }, () => turns.map((turn) => bestOf(turn, sized(40, 4), 12)));
      const [feed, list] = turns.map((_, i) => Math.min(...rounds.map((round) => round[i] as number))) as [number, number];
      first ??= feed;
      return [
        `${name}, one changed pod of ${size.toLocaleString('en-US')}`,
        microseconds(feed),
        microseconds(list),
        `${(list / feed).toFixed(1)} x`,
        `${(feed / first).toFixed(2)} x`,
        `${Math.round(memoryOf(syncOf, size, create({ version })))} B`,
      ];
    });
  });
  return table(['reconcile, reconcileSlices', 'on a feed', 'on a list', 'faster', 'to that of 100', 'kept a pod'], rows);
}

/** Alternating syncs of Services of one size. */
function turnsOf(syncOf: SyncOf, size: number, handIn: HandIn, reconciler: Reconciler): () => unknown {
  const syncs = keysFor(size).map((key) => syncOf(key, size, handIn, reconciler));
  let turn = 0;
  return () => (syncs[turn++ % syncs.length] as () => unknown)();
}

const keysFor = (size: number): string[] => Array.from({ length: podsInAll / size }, (_, i) => `shop/web-${i}`);

/** The bytes per pod that become free when the reconciler forgets, while pods and written objects stay. */
function memoryOf(syncOf: SyncOf, size: number, reconciler: Reconciler): number {
  const keys = keysFor(size);
  const syncs = keys.map((key) => syncOf(key, size, onFeed, reconciler));
  // the second sync sees the writes of the first, and memory is constant from the third on
  for (let turn = 0; turn < 3; turn++) for (const sync of syncs) sync();
  const full = heapUsed();
  for (const key of keys) reconciler.forget(key);
  return (full - heapUsed()) / (syncs.length * size);
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}

/** An odd number that spreads consecutive turns. */
const scatter = 0x9e3779b1;

interface Setting {
  readonly service: Service;
  readonly pods: Map<string, Pod>;
  /** Changes the next pod and returns its name. */
  change(): string;
}

/** A Service with pods that change one after another, in scattered order. */
function settingOf(key: string, size: number): Setting {
  const [first] = benchCases([size]);
  if (!first) throw new Error('there is no benchmark case');
  const pods = new Map(first.pods.map((pod) => [pod.metadata?.name ?? '', pod]));
  const names = [...pods.keys()];
  let turn = 0;
  const { metadata, spec } = first.service;
  return {
    service: { metadata: { ...metadata, name: key.slice('shop/'.length) }, spec },
    pods,
    change() {
      const name = names[(Math.imul(turn++, scatter) >>> 0) % names.length] as string;
      pods.set(name, flipped(pods.get(name) as Pod));
      return name;
    },
  };
}

function flipped(pod: Pod): Pod {
  const conditions = pod.status?.conditions?.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: condition.status === 'True' ? 'False' : 'True' } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}

/** A sync of Endpoints that sees the previous writes. */
function endpointsSync(key: string, size: number, handIn: HandIn, reconciler: Reconciler): () => unknown {
  const { service, pods, change } = settingOf(key, size);
  let version = 1;
  let current: EndpointsInput | undefined;
  const sync = (): unknown => {
    const plan = reconciler.reconcile({ key, service, pods: handIn(pods, change()), current });
    if (!plan.object) throw new Error(`${size} pods: nothing is written`);
    current = { ...plan.object, metadata: { ...plan.object.metadata, resourceVersion: String(version++) } };
    reconciler.observe(current);
    return plan;
  };
  sync();
  return sync;
}

/** A sync of slices that sees the previous writes. */
function slicesSync(key: string, size: number, handIn: HandIn, reconciler: Reconciler): () => unknown {
  const { service, pods, change } = settingOf(key, size);
  const current = new Map<string, EndpointSliceInput>();
  const sync = (): Core.SlicePlan => {
    const input = { key, service, pods: handIn(pods, change()), nodes, current: [...current.values()] };
    const plan = reconciler.reconcileSlices(input);
    for (const slice of [...plan.create, ...plan.update]) {
      const written = stored(slice, slice.metadata.name ?? `slice-${current.size}`);
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

/** A slice with the fields that an API server adds. */
const stored = (slice: EndpointSlice, name: string): EndpointSliceInput => ({
  ...slice,
  metadata: { ...slice.metadata, name, uid: name, generation: (slice.metadata.generation ?? 0) + 1 },
});

const nodes: readonly Node[] = Array.from({ length: 50 }, (_, i) => ({
  metadata: { name: `node-${i}`, labels: { 'topology.kubernetes.io/zone': `zone-${i % 3}` } },
  status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
}));
