import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { cleanupFinalizer } from 'kube-endpoints/internal';
import { resources } from 'kube-endpoints/port';
import { formatWrite, isBookkeeping, type ProcessMonitor, traceHostEvents } from '../../harness/monitor.ts';
import type { WriteRequest } from '../../harness/replica/network.ts';
import type { ObservedProcess } from '../../harness/replica/replica.ts';
import type { Trace } from '../../harness/trace.ts';
import { createViews } from '../../harness/views.ts';
import type { CrashPoint } from '../cloud/link.ts';
import { createCloudMonitor, type ProcessCloudMonitor } from './cloud-monitor.ts';
import type { DesiredState } from './desired-state.ts';
import { requiredResources } from './views.ts';

/** Observes one process and checks its calls to the cloud and the API server against its caches. */
export interface BalancerMonitor extends ProcessMonitor {
  readonly cloud: ProcessCloudMonitor;
}

export interface MonitorOptions extends Omit<ObservedProcess, 'lifecycle' | 'kill'> {
  readonly scheduler: { readonly executedActions: number };
  readonly desired: DesiredState;
  /** The UIDs of Services that have ever had the finalizer. */
  readonly uidsWithFinalizer: Set<string>;
  readonly trace: Trace;
  /** Called at each cloud call. Returns the crash point if the process crashes at this call. */
  readonly crashOnCall: () => CrashPoint | undefined;
  /** Counts an attempt to change the cluster or the cloud. */
  readonly countAction: (action: string) => void;
  readonly reportProblem: (problem: string) => void;
}

export function createMonitor(options: MonitorOptions): BalancerMonitor {
  const { name, trace, reportProblem } = options;
  const views = createViews(options.scheduler, requiredResources);
  const cloud = createCloudMonitor(options, views);
  return {
    cloud,
    get view() {
      return views.newest;
    },
    onCached(resource, version, { namespace, labelSelector } = {}) {
      if (labelSelector === undefined && namespace === undefined) views.add(resource, version);
    },
    onEvent(event) {
      if (event.kind === 'taken') views.startWork(event.key);
      traceEvent(options, event);
    },
    onSend(write) {
      const { plural } = write.resource;
      if (plural === resources.services.plural) {
        options.countAction('write');
        const problem = findWriteProblem(options, views.missingCaches, cloud, write);
        if (problem !== undefined) reportProblem(`${name} sends ${formatWrite(write)}: ${problem}`);
      } else if (!isBookkeeping(write.resource)) reportProblem(`${name} sends ${formatWrite(write)}: no sync is running for it`);
      if (options.hasEnded()) reportProblem(`${name} sends ${formatWrite(write)}: it has stopped`);
      if (!isBookkeeping(write.resource)) trace.log(name, 'sends', formatWrite(write), write.object ?? '');
      const crashPoint = plural === resources.events.plural ? undefined : options.crashOnWrite();
      if (crashPoint) trace.log(name, 'crashes', crashPoint, formatWrite(write));
      return crashPoint;
    },
    onCommitted(write, answer) {
      if (write.resource.plural !== resources.services.plural) return;
      trace.log(name, 'has done', formatWrite(write), answer.metadata.resourceVersion);
      if (answer.metadata.finalizers?.includes(cleanupFinalizer)) options.uidsWithFinalizer.add(answer.metadata.uid ?? '');
    },
    onAnswer() {},
  };
}

/** Traces syncs, orphans and node syncs, and the events of informers, leader election and sharding. */
function traceEvent(options: MonitorOptions, event: RuntimeEvent): void {
  const { name, trace } = options;
  const { kind } = event;
  if (kind === 'synced') trace.log(name, 'synced', event.key, event.outcome, event.error ?? '');
  if (kind === 'orphan') trace.log(name, 'orphan', event.key, event.uid, event.outcome, event.error ?? '');
  if (kind === 'nodes') trace.log(name, 'node sync', event.state, event.services, event.failed);
  traceHostEvents(options, event);
}

type ServicePatch = { readonly metadata?: Readonly<Record<string, unknown>>; readonly status?: unknown };

/** Returns the problem of a write of a Service; undefined if the write is allowed. */
function findWriteProblem(
  { ownership }: MonitorOptions,
  missingCaches: readonly string[],
  cloud: ProcessCloudMonitor,
  write: WriteRequest,
): string | undefined {
  const { verb, namespace, name, object } = write;
  if (missingCaches.length > 0) return `its caches of ${missingCaches.join(', ')} are not complete`;
  if (!ownership().owns(`${namespace}/${name}`)) return 'it does not own the Service';
  if (verb !== 'patch') return 'the verb is not patch';
  const { metadata, status: _, ...otherFields } = object as unknown as ServicePatch;
  if (Object.keys(otherFields).length > 0) return `it writes ${Object.keys(otherFields).join(', ')}`;
  const uid = metadata?.['uid'];
  if (typeof uid !== 'string') return 'it does not set the uid of the Service';
  return removesFinalizer(metadata) && !cloud.isKnownAbsent(uid) ? 'the load balancer may still exist' : undefined;
}

function removesFinalizer(metadata: ServicePatch['metadata'] = {}): boolean {
  const removedFinalizers = metadata['$deleteFromPrimitiveList/finalizers'] as readonly string[] | undefined;
  return metadata['finalizers'] === null || (removedFinalizers?.includes(cleanupFinalizer) ?? false);
}
