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
import { createMemory, type Memory } from './memory.ts';
import { isMirrored, type MirrorCheckOptions, planMirror, problemOfMirror } from './mirrored.ts';
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
  readonly mirroring: MirrorCheckOptions;
  readonly trace: Trace;
  /** Whether the process is alive and owns a Service. */
  readonly isResponsibleFor: (key: string) => boolean;
  /** Called when a write is committed whose sender was killed or has lost ownership. */
  readonly onAbandonedWrite: (object: ApiObject) => void;
  /** Called when a write of Endpoints or slices is committed. */
  readonly onWrite: () => void;
  readonly reportProblem: (problem: string) => void;
}

const isChecked = ({ resource: { plural } }: WriteRequest): boolean =>
  plural === resources.endpoints.plural || plural === resources.endpointSlices.plural;

/** The controller that sends a write of Endpoints or slices. */
function controllerOf(history: History, { resource, namespace, name, object }: WriteRequest): ControllerName {
  if (resource.plural === resources.endpoints.plural) return 'endpoints';
  const slice = object ?? history.last(resource, `${namespace}/${name}`, Number.POSITIVE_INFINITY);
  return slice && isMirrored(slice) ? 'endpointslicemirroring' : 'endpointslices';
}

export function createMonitor(options: MonitorOptions): EndpointsMonitor {
  const { name, history, trace } = options;
  const views = createViews(options.scheduler, requiredResources);
  const memory = createMemory();
  /** The Service of a write when it was sent. When the answer arrives, another Service may have its name. */
  const servicesOfWrites = new WeakMap<WriteRequest, { readonly controller: ControllerName; readonly key: string; readonly uid: string }>();
  const reportProblem = (write: WriteRequest, reason: string): void =>
    options.reportProblem(`${name} sends ${formatWrite(write)}: ${reason}`);
  const rememberService = (write: WriteRequest): void => {
    const key = keyOfWrite(history, views.newest, write);
    const controller = controllerOf(history, write);
    if (key !== undefined) servicesOfWrites.set(write, { controller, key, uid: uidOf(options, controller, key, views.newest) });
  };
  const forgetWrites = (controller: ControllerName, key: string): void =>
    memory.forgetWrites(controller, key, uidOf(options, controller, key, views.newest));
  return {
    onOwnershipChange: memory.clear,
    get view() {
      return views.newest;
    },
    onCached(resource, version, { namespace, labelSelector } = {}) {
      if (labelSelector === undefined && namespace === undefined) views.add(resource, version);
      // A list of all slices of a Service replaces the memory of own writes.
      const service = /kubernetes\.io\/service-name=([^,]+)/.exec(labelSelector ?? '')?.[1];
      if (service !== undefined)
        forgetWrites(labelSelector?.includes('mirroring') ? 'endpointslicemirroring' : 'endpointslices', `${namespace}/${service}`);
    },
    onEvent(event) {
      recordEvent(options, event, views, memory);
      traceEvent(options, event);
    },
    onSend(write) {
      // The trace omits Lease renewals.
      if (write.resource.plural !== resources.leases.plural) trace.log(name, 'sends', formatWrite(write));
      if (isChecked(write)) {
        rememberService(write);
        const problem = findProblem(options, views, memory, write, controllerOf(history, write));
        if (problem !== undefined) reportProblem(write, problem);
      } else if (!isBookkeeping(write.resource)) reportProblem(write, 'no sync is running for it');
      if (options.hasEnded()) reportProblem(write, 'it has stopped');
      const crashPoint = options.crashOnWrite();
      if (crashPoint) trace.log(name, 'crashes', crashPoint, formatWrite(write));
      return crashPoint;
    },
    onCommitted(write, answer) {
      if (write.resource.plural !== resources.leases.plural) trace.log(name, 'has done', formatWrite(write));
      if (isChecked(write)) handleCommit(options, servicesOfWrites.get(write)?.key, answer);
    },
    onAnswer(write, answer) {
      const service = servicesOfWrites.get(write);
      if (answer && service && !keepsGeneration(history, write, answer)) memory.recordWrite(service, write, answer);
    },
  };
}

function handleCommit({ onWrite, isResponsibleFor, onAbandonedWrite }: MonitorOptions, key: string | undefined, answer: ApiObject): void {
  onWrite();
  if (key !== undefined && !isResponsibleFor(key)) onAbandonedWrite(answer);
}

/** Records the start of a sync. The mirroring controller forgets its writes for Endpoints that are not mirrored. */
function recordEvent(options: MonitorOptions, event: RuntimeEvent, views: Views<keyof ControllerView>, memory: Memory): void {
  const uid = (controller: ControllerName, key: string): string => uidOf(options, controller, key, views.newest);
  if (event.kind === 'taken') {
    const { queue, key } = event;
    views.startWork(workOn(queue, key));
    memory.startSync(queue, key, uid(queue, key));
  } else if (event.kind === 'planned' && event.controller === 'endpointslicemirroring' && !event.figures && !event.plan.retry) {
    memory.forgetWrites(event.controller, event.key, uid(event.controller, event.key));
  }
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
  const isTracked = controller !== 'endpoints' || options.tracksEndpoints;
  const stalenessProblem = isTracked
    ? memory.problemOfStaleness(controller, key, uidOf(options, controller, key, views.newest), write, views.newest)
    : undefined;
  if (stalenessProblem !== undefined) return stalenessProblem;
  let reason = 'it has cached nothing';
  for (const view of views.sinceStart(workOn(controller, key)).toReversed()) {
    const problem = problemFinders[controller]?.(options, key, write, view);
    if (problem === undefined) return undefined;
    if (view === views.newest) reason = problem;
  }
  return reason;
}

/** The key of the Service of a write. */
function keyOfWrite(history: History, view: ControllerView, { resource, namespace, name, object }: WriteRequest): string | undefined {
  if (resource.plural === resources.endpoints.plural) return `${namespace}/${name}`;
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

const mirrorProblem = (
  { history, mirroring }: MonitorOptions,
  key: string,
  write: WriteRequest,
  view: ControllerView,
): string | undefined => problemOfMirror(write, planMirror(history, key, view, mirroring));

type ProblemFinder = (options: MonitorOptions, key: string, write: WriteRequest, view: ControllerView) => string | undefined;

const problemFinders: Partial<Record<ControllerName, ProblemFinder>> = {
  endpoints: endpointsProblem,
  endpointslices: sliceProblem,
  endpointslicemirroring: mirrorProblem,
};

/**
 * Whether a write changed only the annotations of a slice, so that the slice keeps its generation. Like the controllers of Kubernetes, ours
 * track slices by generation: they do not notice that their cached version is older, and the server rejects their next write.
 */
function keepsGeneration(history: History, { verb, resource, namespace, name, object }: WriteRequest, { metadata }: ApiObject): boolean {
  if (resource.plural !== resources.endpointSlices.plural || verb !== 'update') return false;
  const base = history.at(resource, `${namespace}/${name}`, Number(object?.metadata.resourceVersion));
  return base?.metadata.generation === metadata.generation;
}

/** The UID of the owner of what a controller writes for a Service. */
const uidOf = ({ content, history }: MonitorOptions, controller: ControllerName, key: string, view: ControllerView): string =>
  (controller === 'endpointslicemirroring' ? history.at(resources.endpoints, key, view.endpoints) : content.service(key, view))?.metadata
    .uid ?? '';
