import type { ApiObject, DeleteOptions } from 'kube-endpoints/port';
import type { Call, Change } from '../controller/controller.ts';
import type { StartApplication } from '../engine/application.ts';
import { createClock, type HostClock } from '../engine/clock.ts';
import { type ChooseDelay, createRandomChoice, type DelayRanges } from '../engine/delays.ts';
import { createNodeClocks, type NodeClock } from '../engine/node-clock.ts';
import type { TimelineEntry } from '../engine/timeline.ts';
import type { Watches } from '../engine/watch.ts';
import { createApplications } from '../network/application.ts';
import { jobKind } from '../workloads/job/objects.ts';
import { type ControllerSwitch, startControllers } from './controller-switch.ts';
import { controllers } from './controllers/table.ts';
import { startKubelets } from './kubelet/kubelets.ts';
import { createNodeControls, type NodeControls } from './node-loss.ts';
import { registerNode } from './nodes.ts';
import { startScheduler } from './scheduler.ts';
import { createObjectStore } from './store/objects.ts';
import { type Admit, createServer } from './store/server.ts';
import { createWatchHub, type WatchHub } from './watches.ts';

export interface ClusterOptions {
  /**
   * Manifests, in any order, or the objects of another cluster: those with a UID stay as they are, and pods that ran go on. The status of a Job says
   * what it has done so far; other statuses but those of Nodes are ignored.
   */
  readonly objects: readonly ApiObject[];
  /** Chooses delays at random, if `choose` is absent; 0 by default. */
  readonly seed?: number;
  readonly choose?: ChooseDelay;
  /** Replaces default ranges of delays. */
  readonly ranges?: DelayRanges;
  /** Starts processes; by default, ones that listen after a while and end at SIGTERM. Is called once for each node, with its clock. */
  readonly startApplication?: (clock: HostClock) => StartApplication;
  /** The first time, in milliseconds since the epoch; by default 2030-01-01T00:00:00Z. */
  readonly start?: number;
  /** Changes or refuses writes before they are stored, like an admission webhook that answers at once. */
  readonly admit?: Admit;
  /** Receives each entry after it was added to the timeline. */
  readonly onEntry?: (entry: TimelineEntry) => void;
}

/** A cluster in virtual time: the same options and calls produce the same timeline. */
export interface Cluster extends NodeControls {
  readonly clock: HostClock;
  /** The clock of a node, which stands still while the node is lost. */
  readonly clockOf: (node: string) => NodeClock;
  readonly watches: Watches & Pick<WatchHub, 'actors' | 'resend'>;
  readonly controllers: ControllerSwitch;
  readonly timeline: readonly TimelineEntry[];
  /** Creates an object, or replaces it except for its status, like a user. @throws ApiError */
  apply(object: ApiObject): ApiObject;
  /** Deletes an object, like a user. @throws ApiError */
  delete(kind: string, namespace: string, name: string, options?: DeleteOptions): ApiObject;
  /** Evicts a pod, like a user. @throws ApiError TooManyRequests if a PodDisruptionBudget does not allow it */
  evict(namespace: string, name: string, options?: DeleteOptions): ApiObject;
  /** Performs a call of a component now. @throws ApiError */
  answer(actor: string, call: Call): ApiObject;
  /** Runs everything up to a time, in milliseconds since the epoch. */
  runUntil(time: number): void;
  get<T extends ApiObject>(kind: string, namespace: string, name: string): T | undefined;
  /** All objects, for a cluster that continues from this one. */
  objects(): readonly ApiObject[];
  /** Objects of a namespace, or of all namespaces, in the order of their keys. */
  list<T extends ApiObject>(kind: string, namespace?: string): readonly T[];
}

/** 2030-01-01T00:00:00Z, in milliseconds since the epoch. */
export const defaultStart: number = Date.UTC(2030, 0, 1);

/** @throws ApiError if an object is invalid */
export function createCluster(options: ClusterOptions): Cluster {
  const { objects, seed = 0, choose = createRandomChoice(seed), ranges, start = defaultStart } = options;
  const startApplication = options.startApplication ?? ((nodeClock) => createApplications(nodeClock));
  const timeline: TimelineEntry[] = [];
  const onEntry = (entry: TimelineEntry): void => {
    timeline.push(entry);
    options.onEntry?.(entry);
  };
  const clock = createClock({ start, choose, ...(ranges && { ranges }), onEntry });
  const listeners: ((change: Change) => void)[] = [];
  const store = createObjectStore(clock, (change) => listeners.forEach((listener) => void listener(change)));
  const hub = createWatchHub(clock, (kind) => store.list(kind));
  const server = createServer(clock, store, options.admit);
  const clockOf = createNodeClocks(clock);
  for (const [index, object] of objects.entries()) {
    if (object.metadata.uid !== undefined) server.restore(object);
    else if (object.kind === 'Node') registerNode(server, object, index);
    else {
      const created = server.create('user', object);
      const { kind, status } = object as ApiObject & { readonly status?: unknown };
      if (kind === jobKind.kind && status !== undefined)
        server.answer('user', { do: 'update', kind, object: { ...created, status } as ApiObject, subresource: 'status' });
    }
  }
  const kubelets = startKubelets({ server, clockOf, createApplications: startApplication }, store.list('Node'), store.list('Pod'));
  listeners.push(hub.publish, kubelets.publish);
  startScheduler({ clock, watches: hub, answer: server.answer });
  const host = { clock, watches: hub, choose, version: () => store.version, answer: server.answer, leaseOf: kubelets.leaseOf };
  return {
    ...{ clock, clockOf, watches: hub, timeline, runUntil: clock.runUntil, controllers: startControllers(host, controllers) },
    ...createNodeControls({ clock, kubelets, clockOf }),
    answer: server.answer,
    apply: (object) => server.apply('user', object),
    delete: (kind, namespace, name, deletion) => server.delete('user', kind, namespace, name, deletion),
    evict: (namespace, name, deletion) => server.evict('user', namespace, name, deletion),
    objects: store.all,
    get: <T extends ApiObject>(kind: string, namespace: string, name: string) => store.find(kind, namespace, name) as T | undefined,
    list: <T extends ApiObject>(kind: string, namespace?: string) => store.list(kind, namespace) as unknown as readonly T[],
  };
}
