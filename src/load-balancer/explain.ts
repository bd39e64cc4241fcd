import { nameOf } from '../apimachinery/index.ts';
import type { Cause, LoadBalancerCauseCode, Optional, Timestamp } from '../types/index.ts';
import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import { chooseNodes, findExclusion, type NodeExclusion } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import { cleanupFinalizer, hasCleanupFinalizer, isLoadBalancer, needsCleanupForSettings, wantsLoadBalancerForSettings } from './wants.ts';

export type LoadBalancerCause = Cause<LoadBalancerCauseCode>;

/** `corev1.Event`, with the fields that show the result of a sync. */
export interface BalancerEvent {
  readonly type?: Optional<string>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
  readonly count?: Optional<number>;
  readonly lastTimestamp?: Optional<Timestamp>;
  readonly eventTime?: Optional<Timestamp>;
  /** For a repeated Event; `lastTimestamp` is then empty, and `eventTime` is the first occurrence. */
  readonly series?: Optional<{ readonly lastObservedTime?: Optional<Timestamp> }>;
  readonly metadata?: Optional<{ readonly creationTimestamp?: Optional<Timestamp> }>;
  readonly involvedObject?: Optional<{
    readonly kind?: Optional<string>;
    readonly namespace?: Optional<string>;
    readonly name?: Optional<string>;
    readonly uid?: Optional<string>;
  }>;
}

export interface ExplainLoadBalancerOptions extends LoadBalancerVersion {
  readonly service: BalancedService;
  /** All nodes; absent if unknown. */
  readonly nodes?: readonly BalancedNode[] | undefined;
  /** May include Events of other objects, in any order. */
  readonly events?: readonly BalancerEvent[] | undefined;
}

/**
 * Explains why a Service has no load balancer yet, or still has one that must be deleted. Returns the most relevant cause first; empty if
 * nothing is wrong.
 * @throws RangeError if the version is unknown
 */
export function explainLoadBalancer(options: ExplainLoadBalancerOptions): LoadBalancerCause[] {
  const settings = loadBalancerSettings(options);
  const { service } = options;
  if (!isLoadBalancer(service.spec?.type)) return findCleanupCauses(options, settings);
  if (!wantsLoadBalancerForSettings(service, settings))
    return [...findClassCauses(service), ...(hasCleanupFinalizer(service) ? findCleanupCauses(options, settings) : [])];
  if (service.metadata?.deletionTimestamp) return findDeletionCauses(options, settings);
  const missingNodeCauses = findNodeCauses(options, settings);
  const failures = findFailureCauses(options);
  if (hasLoadBalancer(service)) return [...failures, ...missingNodeCauses];
  const pendingCause =
    hasCleanupFinalizer(service) || !settings.finalizerAdded
      ? createCause('LoadBalancerPending', 'service.status.loadBalancer.ingress')
      : createCause('LoadBalancerNotPickedUp', 'service.metadata.finalizers', { finalizer: cleanupFinalizer });
  return [...failures, ...(failures.length > 0 ? [] : [pendingCause]), ...missingNodeCauses, ...findNodePortCauses(service)];
}

const createCause = (code: LoadBalancerCauseCode, path: string, values: LoadBalancerCause['values'] = {}): LoadBalancerCause => ({
  code,
  path,
  values,
});

const hasLoadBalancer = ({ status }: BalancedService): boolean => !!status?.loadBalancer?.ingress?.length;

/** Reports the class of a Service without a load balancer; empty if the load balancer already exists. */
const findClassCauses = (service: BalancedService): LoadBalancerCause[] =>
  hasLoadBalancer(service)
    ? []
    : [createCause('LoadBalancerOfOtherClass', 'service.spec.loadBalancerClass', { class: service.spec?.loadBalancerClass ?? '' })];

function findCleanupCauses(options: ExplainLoadBalancerOptions, settings: LoadBalancerSettings): LoadBalancerCause[] {
  const { service } = options;
  if (!settings.finalizerRemoved || !hasCleanupFinalizer(service)) return [];
  if (service.metadata?.deletionTimestamp) return findDeletionCauses(options, settings);
  const cleanupPending = createCause('LoadBalancerCleanupPending', 'service.metadata.finalizers', {
    finalizer: cleanupFinalizer,
  });
  return [cleanupPending, ...findFailureCauses(options)];
}

function findDeletionCauses(options: ExplainLoadBalancerOptions, settings: LoadBalancerSettings): LoadBalancerCause[] {
  const { service } = options;
  if (!needsCleanupForSettings(service, settings)) return [];
  const { deletionTimestamp } = service.metadata ?? {};
  const time = deletionTimestamp instanceof Date ? deletionTimestamp.toISOString() : (deletionTimestamp ?? '');
  return [createCause('LoadBalancerBeingDeleted', 'service.metadata.deletionTimestamp', { time }), ...findFailureCauses(options)];
}

function findNodeCauses({ service, nodes }: ExplainLoadBalancerOptions, settings: LoadBalancerSettings): LoadBalancerCause[] {
  const policy = service.spec?.externalTrafficPolicy;
  if (!nodes || chooseNodes(nodes, policy, settings).length > 0) return [];
  const exclusions = nodes.map((node) => `${nameOf(node)} ${exclusionTexts[findExclusion(node, policy, settings) ?? 'NotReady']}`).sort();
  const shownExclusions = [
    ...exclusions.slice(0, maxShownNodes),
    ...(exclusions.length > maxShownNodes ? [`and ${exclusions.length - maxShownNodes} more`] : []),
  ];
  const why = shownExclusions.length > 0 ? `: ${shownExclusions.join(', ')}` : '';
  return [createCause('LoadBalancerWithoutNodes', 'nodes', { count: String(nodes.length), why })];
}

const maxShownNodes = 5;

const exclusionTexts: Readonly<Record<NodeExclusion, string>> = {
  BeingDeleted: 'is being deleted',
  ExcludeLabel: 'is excluded by its label',
  ToBeDeletedTaint: 'is about to be deleted by the cluster autoscaler',
  WithoutProviderID: 'has no provider ID',
  NotReady: 'is not ready',
  Unschedulable: 'is unschedulable',
  ControlPlane: 'has the label node-role.kubernetes.io/master',
};

/** Reports ports without a node port, a problem because most clouds forward to node ports. */
function findNodePortCauses({ spec }: BalancedService): LoadBalancerCause[] {
  if (spec?.allocateLoadBalancerNodePorts !== false) return [];
  const portsWithoutNodePort = (spec.ports ?? []).filter(({ nodePort }) => !nodePort).map(({ name, port }) => name || String(port ?? 0));
  const path = 'service.spec.allocateLoadBalancerNodePorts';
  return portsWithoutNodePort.length > 0
    ? [createCause('LoadBalancerWithoutNodePorts', path, { ports: portsWithoutNodePort.join(', ') })]
    : [];
}

/** Reports the last failure, unless a later sync succeeded. */
function findFailureCauses({ service, events = [] }: ExplainLoadBalancerOptions): LoadBalancerCause[] {
  const relevantEvents = events.filter((event) => isAbout(event, service) && failureFlagByReason.has(event.reason ?? ''));
  const lastEvent = relevantEvents.reduce<BalancerEvent | undefined>(
    (best, event) => (best && timeOf(best) > timeOf(event) ? best : event),
    undefined,
  );
  if (!lastEvent || !failureFlagByReason.get(lastEvent.reason ?? '')) return [];
  const message = (lastEvent.message ?? '').replace(/\.$/, '');
  return [createCause('LoadBalancerFailing', 'events', { message, reason: lastEvent.reason ?? '' })];
}

/** The reasons of Events that end a sync, and whether each is a failure. */
const failureFlagByReason: ReadonlyMap<string, boolean> = new Map([
  ['EnsuredLoadBalancer', false],
  ['DeletedLoadBalancer', false],
  ['UpdatedLoadBalancer', false],
  ['SyncLoadBalancerFailed', true],
  ['DeleteLoadBalancerFailed', true],
  ['UpdateLoadBalancerFailed', true],
  // Up to 1.14.
  ['CreatingLoadBalancerFailed', true],
  ['CleanupLoadBalancerFailed', true],
  ['DeletingLoadBalancerFailed', true],
  ['LoadBalancerUpdateFailed', true],
]);

function isAbout({ involvedObject }: BalancerEvent, { metadata }: BalancedService): boolean {
  if (!involvedObject) return true;
  const { kind, namespace, name, uid } = involvedObject;
  const isDifferent = (actual: Optional<string>, expected: Optional<string>): boolean => !!actual && actual !== (expected ?? '');
  return (
    !isDifferent(kind, 'Service') &&
    !isDifferent(namespace, metadata?.namespace) &&
    !isDifferent(name, metadata?.name) &&
    !isDifferent(uid, metadata?.uid)
  );
}

function timeOf({ lastTimestamp, eventTime, metadata, series }: BalancerEvent): number {
  const time = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata?.creationTimestamp;
  return time ? new Date(time).getTime() : 0;
}
