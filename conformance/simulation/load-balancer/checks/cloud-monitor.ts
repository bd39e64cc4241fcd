import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import type { CloudMonitor, CrashPoint, ObservedCall } from '../cloud/link.ts';
import type { DesiredState } from './desired-state.ts';
import type { MonitorOptions } from './monitor.ts';
import type { ControllerView, ControllerViews } from './views.ts';

/** Observes the cloud calls of a process. */
export interface ProcessCloudMonitor extends CloudMonitor {
  /** Whether the cloud has reported that a Service has no load balancer, and the process has not ensured one since. */
  isKnownAbsent(uid: string): boolean;
}

const currentVersion = Number.POSITIVE_INFINITY;

export function createCloudMonitor(options: MonitorOptions, views: ControllerViews): ProcessCloudMonitor {
  const { name, trace } = options;
  /** The pending call that changes each Service's load balancer. */
  const pendingCalls = new Map<string, ObservedCall>();
  const absentUids = new Set<string>();
  return {
    isKnownAbsent: (uid) => absentUids.has(uid),
    onCall(call) {
      const { verb, service, nodes } = call;
      trace.log(name, 'calls', formatCall(call), service ? uidOf(service) : '', nodes ?? '');
      options.countAction(verb);
      const problem = findProblem(options, views, pendingCalls, call);
      if (problem !== undefined) options.reportProblem(`${name} calls ${formatCall(call)}: ${problem}`);
      if (service && verb !== 'get') pendingCalls.set(keyOf(service), call);
      if (service && verb === 'ensure') absentUids.delete(uidOf(service));
      return crashPointOf(options, call);
    },
    onAnswer(call, answer) {
      const { verb, service } = call;
      trace.log(name, 'gets the answer of', formatCall(call), 'value' in answer ? (answer.value ?? 'nothing') : answer.error);
      if (!service) return;
      if (verb !== 'get') pendingCalls.delete(keyOf(service));
      if ('value' in answer && (verb === 'delete' || (verb === 'get' && !answer.value))) absentUids.add(uidOf(service));
    },
    onAborted(call) {
      trace.log(name, 'aborts', formatCall(call));
      if (call.service && call.verb !== 'get') pendingCalls.delete(keyOf(call.service));
    },
  };
}

const formatCall = ({ verb, service }: ObservedCall): string => (service ? `${verb} ${keyOf(service)}` : verb);

function crashPointOf({ name, trace, crashOnCall }: MonitorOptions, call: ObservedCall): CrashPoint | undefined {
  const crashPoint = crashOnCall();
  if (crashPoint) trace.log(name, 'crashes', crashPoint, formatCall(call));
  return crashPoint;
}

/** Returns the problem of a call; undefined if the call is allowed. */
function findProblem(
  options: MonitorOptions,
  views: ControllerViews,
  pendingCalls: ReadonlyMap<string, ObservedCall>,
  call: ObservedCall,
): string | undefined {
  const { verb, service } = call;
  if (options.hasEnded()) return 'it has stopped';
  if (views.missingCaches.length > 0) return `its caches of ${views.missingCaches.join(', ')} are not complete`;
  if (!service) return undefined;
  const key = keyOf(service);
  if (!options.ownership().owns(key)) return 'it does not own the Service';
  const pendingCall = pendingCalls.get(key);
  return pendingCall && verb !== 'get'
    ? `${pendingCall.verb} is still in flight`
    : callChecks[verb]?.(options, views, { ...call, service }, key);
}

const keyOf = ({ metadata }: BalancedService): string => `${metadata?.namespace}/${metadata?.name}`;
const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';

type CallCheck = (
  options: MonitorOptions,
  views: ControllerViews,
  call: ObservedCall & { readonly service: BalancedService },
  key: string,
) => string | undefined;

const callChecks: Readonly<Partial<Record<ObservedCall['verb'], CallCheck>>> = {
  ensure({ desired, uidsWithFinalizer }, views, { service, nodes }, key) {
    const uid = uidOf(service);
    const viewsSinceStart = views.sinceStart(key);
    const versions = [...viewsSinceStart.map(({ services }) => services), currentVersion];
    const states = versions.map((version) => desired.service(key, version)).filter((state) => state && uidOf(state) === uid);
    if (!uidsWithFinalizer.has(uid) && !states.some((state) => state && hasCleanupFinalizer(state)))
      return 'it has never held the finalizer';
    if (!states.some(desired.needsLoadBalancer)) return 'the Service does not need a load balancer';
    return areNodesExpected(desired, service, nodes ?? [], viewsSinceStart) ? undefined : `unexpected nodes: ${nodes}`;
  },
  update({ desired }, views, { service, nodes }) {
    return areNodesExpected(desired, service, nodes ?? [], views.possibleViews()) ? undefined : `unexpected nodes: ${nodes}`;
  },
  delete({ desired }, views, { service }, key) {
    const uid = uidOf(service);
    const versions = [...views.sinceStart(key).map(({ services }) => services), currentVersion];
    return versions.every((version) => isNeeded(desired.service(key, version), uid, desired.needsLoadBalancer))
      ? 'the Service needs it'
      : undefined;
  },
};

const isNeeded = (service: BalancedService | undefined, uid: string, needsLoadBalancer: DesiredState['needsLoadBalancer']): boolean =>
  service !== undefined && uidOf(service) === uid && needsLoadBalancer(service);

function areNodesExpected(
  desired: DesiredState,
  service: BalancedService,
  nodes: readonly string[],
  views: readonly ControllerView[],
): boolean {
  const text = nodes.join(' ');
  return views.some((view) => desired.nodesOf(service, view.nodes).join(' ') === text);
}
