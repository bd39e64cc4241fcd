import type { RuntimeEvent } from '@kube-endpoints/controllers';
import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { History } from '../harness/history.ts';
import { formatWrite, isBookkeeping, type ProcessMonitor, traceHostEvents } from '../harness/monitor.ts';
import type { WriteRequest } from '../harness/replica/network.ts';
import type { ObservedProcess } from '../harness/replica/replica.ts';
import type { Trace } from '../harness/trace.ts';
import { createViews, type Views } from '../harness/views.ts';
import type { ContentCheck } from './content.ts';
import { type ControllerView, requiredResources } from './views.ts';

/** Observes one process and checks every write that it sends against its caches. */
export interface EndpointsMonitor extends ProcessMonitor {
  /** Called when the process may have lost or gained ownership. */
  onOwnershipChange(): void;
}

export interface MonitorOptions extends Omit<ObservedProcess, 'lifecycle' | 'kill'> {
  readonly scheduler: { readonly executedActions: number };
  /** Whether this release tracks the Endpoints that it has replaced. */
  readonly tracksEndpoints: boolean;
  readonly history: History;
  readonly content: ContentCheck;
  readonly trace: Trace;
  /** Whether the process is alive and owns a Service. */
  readonly isResponsibleFor: (key: string) => boolean;
  /** Called when a write is committed whose sender was killed or has lost ownership. */
  readonly onAbandonedWrite: (object: ApiObject) => void;
  /** Called when a write of Endpoints or slices is committed. */
  readonly onWrite: () => void;
  readonly reportProblem: (problem: string) => void;
}

const controllersByResource: Readonly<Record<string, ControllerName>> = {
  [resources.endpoints.plural]: 'endpoints',
  [resources.endpointSlices.plural]: 'endpointslices',
};

export function createMonitor(options: MonitorOptions): EndpointsMonitor {
  const { name, history, trace } = options;
  const views = createViews(options.scheduler, requiredResources);
  const memory = createMemory();
  /** The Service of a write when it was sent. When the answer arrives, another Service may have its name. */
  const servicesOfWrites = new WeakMap<WriteRequest, { readonly key: string; readonly uid: string }>();
  const reportProblem = (write: WriteRequest, reason: string): void =>
    options.reportProblem(`${name} sends ${formatWrite(write)}: ${reason}`);
  const rememberService = (write: WriteRequest): void => {
    const key = keyOfWrite(history, views.newest, write);
    if (key !== undefined) servicesOfWrites.set(write, { key, uid: uidOf(options, key, views.newest) });
  };
  return {
    onOwnershipChange: memory.clear,
    get view() {
      return views.newest;
    },
    onCached(resource, version, { namespace, labelSelector } = {}) {
      if (labelSelector === undefined && namespace === undefined) views.add(resource, version);
      // A list of all slices of a Service replaces the memory of own writes.
      const service = /kubernetes\.io\/service-name=([^,]+)/.exec(labelSelector ?? '')?.[1];
      if (service !== undefined) memory.forgetWrites(`${namespace}/${service}`, uidOf(options, `${namespace}/${service}`, views.newest));
    },
    onEvent(event) {
      if (event.kind === 'taken') {
        const { queue, key } = event;
        views.startWork(workOn(queue, key));
        memory.startSync(queue, key, uidOf(options, key, views.newest));
      }
      traceEvent(options, event);
    },
    onSend(write) {
      // The trace omits Lease renewals.
      if (write.resource.plural !== resources.leases.plural) trace.log(name, 'sends', formatWrite(write));
      const controller = controllersByResource[write.resource.plural];
      if (controller) {
        rememberService(write);
        const problem = findProblem(options, views, memory, write, controller);
        if (problem !== undefined) reportProblem(write, problem);
      } else if (!isBookkeeping(write.resource)) reportProblem(write, 'no sync is running for it');
      if (options.hasEnded()) reportProblem(write, 'it has stopped');
      const crashPoint = options.crashOnWrite();
      if (crashPoint) trace.log(name, 'crashes', crashPoint, formatWrite(write));
      return crashPoint;
    },
    onCommitted(write, answer) {
      if (write.resource.plural !== resources.leases.plural) trace.log(name, 'has done', formatWrite(write));
      if (controllersByResource[write.resource.plural]) handleCommit(options, servicesOfWrites.get(write)?.key, answer);
    },
    onAnswer(write, answer) {
      const service = servicesOfWrites.get(write);
      if (answer && service && !keepsGeneration(history, write, answer)) memory.recordWrite(service.key, service.uid, write, answer);
    },
  };
}

function handleCommit({ onWrite, isResponsibleFor, onAbandonedWrite }: MonitorOptions, key: string | undefined, answer: ApiObject): void {
  onWrite();
  if (key !== undefined && !isResponsibleFor(key)) onAbandonedWrite(answer);
}

/** Traces syncs, and the events of informers, leader election and sharding. */
function traceEvent(options: MonitorOptions, event: RuntimeEvent): void {
  const { name, trace } = options;
  const { kind } = event;
  if (kind === 'synced') trace.log(name, 'synced', event.controller, event.key, event.outcome, event.error ?? '');
  traceHostEvents(options, event);
}

/** The work of a controller on a Service: each controller processes a Service independently. */
const workOn = (controller: ControllerName, key: string): string => `${controller} ${key}`;

type Memory = ReturnType<typeof createMemory>;

/** Returns the problem of a write of Endpoints or slices; undefined if the write is allowed. */
function findProblem(
  options: MonitorOptions,
  views: Views<keyof ControllerView>,
  memory: Memory,
  write: WriteRequest,
  controller: ControllerName,
): string | undefined {
  const { history, ownership } = options;
  const { missingCaches } = views;
  if (missingCaches.length > 0) return `its caches of ${missingCaches.join(', ')} are not complete`;
  const key = keyOfWrite(history, views.newest, write);
  if (key === undefined) return 'the slice is not in its cache';
  if (!ownership().owns(key)) return 'it does not own the Service';
  const isTracked = controller === 'endpointslices' || options.tracksEndpoints;
  const stalenessProblem = isTracked
    ? memory.problemOfStaleness(controller, key, uidOf(options, key, views.newest), write, views.newest)
    : undefined;
  if (stalenessProblem !== undefined) return stalenessProblem;
  let reason = 'it has cached nothing';
  for (const view of views.sinceStart(workOn(controller, key)).toReversed()) {
    const problem = controller === 'endpoints' ? endpointsProblem(options, key, write, view) : sliceProblem(options, key, write, view);
    if (problem === undefined) return undefined;
    if (view === views.newest) reason = problem;
  }
  return reason;
}

/** The key of the Service of a write. */
function keyOfWrite(history: History, view: ControllerView, { resource, namespace, name, object }: WriteRequest): string | undefined {
  if (controllersByResource[resource.plural] === 'endpoints') return `${namespace}/${name}`;
  const slice = object ?? history.last(resource, `${namespace}/${name}`, view.endpointslices);
  const service = slice?.metadata.labels?.['kubernetes.io/service-name'];
  return service === undefined ? undefined : `${namespace}/${service}`;
}

function endpointsProblem(
  { history, content }: MonitorOptions,
  key: string,
  { verb, object }: WriteRequest,
  view: ControllerView,
): string | undefined {
  const existing = history.at(resources.endpoints, key, view.endpoints);
  const service = content.service(key, view);
  if (existing?.metadata.annotations?.['control-plane.alpha.kubernetes.io/leader'] !== undefined && !service)
    return 'the Endpoints are not left over';
  if (verb === 'delete') return service ? 'the Service exists' : undefined;
  if (!service) return 'the Service does not exist';
  if (verb !== 'create' && verb !== 'update') return 'the verb is not allowed for Endpoints';
  return content.isExpected(key, object as ApiObject, view)
    ? undefined
    : `the subsets are not the expected ones: ${JSON.stringify(object?.['subsets'])}`;
}

function sliceProblem({ history, content }: MonitorOptions, key: string, write: WriteRequest, view: ControllerView): string | undefined {
  const { verb, namespace, name, object } = write;
  if (verb !== 'create') {
    const existing = history.at(resources.endpointSlices, `${namespace}/${name}`, view.endpointslices);
    const manager = existing?.metadata.labels?.['endpointslice.kubernetes.io/managed-by'];
    if (existing && manager !== 'endpointslice-controller.k8s.io') return `the slice is managed by ${manager ?? 'no controller'}`;
    if (!existing) return 'the slice is not in its cache';
  }
  if (verb === 'delete') return undefined;
  if (verb !== 'create' && verb !== 'update') return 'the verb is not allowed for slices';
  return content.problemOfSlice(key, object as ApiObject, view);
}

/**
 * Whether a write changed only the annotations of a slice, so that the slice keeps its generation. Like the controllers of Kubernetes, ours
 * track slices by generation: they do not notice that their cached version is older, and the server rejects their next write.
 */
function keepsGeneration(history: History, { verb, resource, namespace, name, object }: WriteRequest, { metadata }: ApiObject): boolean {
  if (resource.plural !== resources.endpointSlices.plural || verb !== 'update') return false;
  const base = history.at(resource, `${namespace}/${name}`, Number(object?.metadata.resourceVersion));
  return base?.metadata.generation === metadata.generation;
}

const uidOf = ({ content }: MonitorOptions, key: string, view: ControllerView): string => content.service(key, view)?.metadata.uid ?? '';

/** Creates the record of the writes of a process, separately for each of several Services of the same name. */
function createMemory() {
  /** The resourceVersion of the last write of slices, by the UID of the Service. */
  const lastWrites = new Map<string, number>();
  /** The last write of slices before the current sync, by the key of the Service. */
  const writesBeforeSync = new Map<string, { readonly uid: string; readonly version: number }>();
  /** Versions of Endpoints that updates of this process have replaced. */
  const replacedVersions = new Set<string>();
  return {
    startSync(controller: ControllerName, key: string, uid: string): void {
      if (controller === 'endpointslices') writesBeforeSync.set(key, { uid, version: lastWrites.get(uid) ?? 0 });
    },
    recordWrite(key: string, uid: string, { verb, resource, object }: WriteRequest, answer: ApiObject): void {
      const controller = controllersByResource[resource.plural];
      const { resourceVersion, ownerReferences } = answer.metadata;
      const base = object?.metadata.resourceVersion;
      if (controller === 'endpoints' && verb === 'update' && base !== resourceVersion) replacedVersions.add(`${key} ${uid} ${base}`);
      if (controller === 'endpointslices' && ownerReferences?.[0]?.['uid'] === uid) lastWrites.set(uid, Number(resourceVersion));
    },
    forgetWrites(key: string, uid: string): void {
      writesBeforeSync.delete(key);
      lastWrites.delete(uid);
    },
    /** Forgets all writes, because other clients may have written in the meantime. */
    clear(): void {
      writesBeforeSync.clear();
      lastWrites.clear();
      replacedVersions.clear();
    },
    /** Returns a problem if a write is based on a cache that is older than the process's own writes. */
    problemOfStaleness(controller: ControllerName, key: string, uid: string, { verb, object }: WriteRequest, view: ControllerView) {
      if (controller === 'endpoints') {
        const base = object?.metadata.resourceVersion;
        return verb === 'update' && replacedVersions.has(`${key} ${uid} ${base}`)
          ? `it has already replaced version ${base} itself`
          : undefined;
      }
      const lastWrite = writesBeforeSync.get(key);
      const lastVersion = lastWrite?.uid === uid ? lastWrite.version : 0;
      return view.endpointslices < lastVersion
        ? `its cache of slices is at ${view.endpointslices}, but it wrote one at ${lastVersion} itself`
        : undefined;
    },
  };
}
