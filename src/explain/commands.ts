import { namespaceOf } from '../apimachinery/index.ts';
import { serviceNameLabel } from '../spec/index.ts';
import { readPath } from './evidence.ts';
import { findCompleteName, findSimilarName } from './external-name.ts';
import { findNearest, isClose, printSelector } from './nearest.ts';
import { patchPort } from './port-commands.ts';
import type { ReasonCode } from './reasons.ts';
import type { DiagnosisInput, RootCause } from './root-cause.ts';
import { quote } from './shell.ts';
import { templateLabelsOf } from './workload.ts';
import { findOwnWorkloads } from './workload-causes.ts';
import { findStraySlice } from './written-endpoints.ts';

interface CommandContext extends DiagnosisInput {
  readonly cause: RootCause;
  /** "kubectl -n shop" */
  readonly kubectl: string;
  /** The name of the object with the cause. */
  readonly name: string;
  /** The name of the Service. */
  readonly serviceName: string;
  /** The container that the path of the reason names. */
  readonly container: string | undefined;
}

type Command = (context: CommandContext) => string | undefined;

const describePod: Command = ({ kubectl, name }) => `${kubectl} describe pod ${quote(name)}`;
const editService: Command = ({ kubectl, serviceName }) => `${kubectl} edit service ${quote(serviceName)}`;
const describeService: Command = ({ kubectl, serviceName }) => `${kubectl} describe service ${quote(serviceName)}`;
const describeObject: Command = ({ kubectl, cause, name }) => `${kubectl} describe ${cause.subject.kind} ${quote(name)}`;
const getSlices: Command = ({ kubectl, serviceName }) => `${kubectl} get endpointslices -l ${quote(`${serviceNameLabel}=${serviceName}`)}`;
const showLogs: Command = ({ kubectl, name, container }) => container && `${kubectl} logs ${quote(name)} -c ${quote(container)}`;
const showPreviousLogs: Command = (context) => {
  const logs = showLogs(context);
  return logs && `${logs} --previous`;
};

/** Logs exist only if the container has run. */
const showRunLogs: Command = (context) => (hasRun(context) ? showPreviousLogs(context) : describePod(context));

/** The command for each cause; for all others, one that shows the object. */
const commands: Partial<Readonly<Record<ReasonCode, Command>>> = {
  SelectorMatchesNothing: patchSelector,
  TemplateLabelsDoNotMatch: patchSelector,
  PodsInOtherNamespace: ({ service }) => `kubectl get pods -A -l ${quote(printSelector(service.spec?.selector ?? {}))}`,
  PortFoundInNoPod: patchPort,
  PortMissingInSomePods: ({ kubectl, service }) => `${kubectl} describe pods -l ${quote(printSelector(service.spec?.selector ?? {}))}`,
  TargetPortUndeclared: patchPort,
  InitContainerIncomplete: (context) => (isWaiting(context) ? showRunLogs(context) : showLogs(context)),
  ContainerEnded: showLogs,
  ContainerWaiting: showRunLogs,
  ContainerNotReady: showLogs,
  WorkloadScaledToZero: resumeWorkload,
  WorkloadHasNoPods: describeObject,
  NoNodeForDaemonSet: () => 'kubectl get nodes --show-labels',
  NamespaceTerminating: ({ service }) => `kubectl describe namespace ${quote(namespaceOf(service))}`,
  NodeNotReady: ({ name }) => `kubectl describe node ${quote(name)}`,
  NodeNotFound: ({ kubectl, name }) => `${kubectl} delete pod ${quote(name)}`,
  NoEndpointsWritten: labelSlice,
  WrittenPortsDiffer: getSlices,
  SlicesOutOfDate: getSlices,
  ExternalNameIncomplete: (context) => patchExternalName(context, findCompleteName(context)),
  ExternalNameNotFound: (context) => patchExternalName(context, findSimilarName(context)) ?? 'kubectl get services -A',
  PoliciesDenyAll: ({ kubectl }) => `${kubectl} describe networkpolicies`,
  PodsNotGiven: ({ kubectl }) => `${kubectl} get services,pods,endpointslices,nodes -o json`,
  LoadBalancerOfOtherClass: describeService,
  LoadBalancerFailing: describeService,
  LoadBalancerPending: describeService,
  LoadBalancerNotPickedUp: describeService,
  LoadBalancerWithoutNodes: () => 'kubectl get nodes --show-labels',
  NotReadyPodsPublished({ kubectl, explanation }) {
    const first = explanation.pods.find(({ reasons }) => reasons.some(({ code }) => code === 'PodPublishedNotReady'));
    return first && `${kubectl} describe pod ${quote(first.name)}`;
  },
};

/** A command that fixes a cause, or shows what to do next. */
export function findFixCommand(cause: RootCause, input: DiagnosisInput): string | undefined {
  const { service } = input;
  const namespace = namespaceOf(service);
  const context: CommandContext = {
    ...input,
    cause,
    kubectl: namespace ? `kubectl -n ${quote(namespace)}` : 'kubectl',
    name: cause.subject.object.metadata?.name ?? '',
    serviceName: service.metadata?.name ?? '',
    container: findContainer(cause),
  };
  return commands[cause.reason.code]?.(context) ?? (cause.subject.kind === 'pod' ? describePod : editService)(context);
}

/** "pod.status.containerStatuses[0].state" names the container of the first status. */
function findContainer({ reason, subject }: RootCause): string | undefined {
  const [, path] = /^pod\.((?:spec|status)\.\w+\[\d+\])/.exec(reason.path) ?? [];
  const name = path === undefined ? undefined : readPath(subject.object, `${path}.name`);
  return typeof name === 'string' ? name : undefined;
}

const readStatus = ({ cause: { reason, subject } }: CommandContext, field: string): unknown => {
  const [, path] = /^pod\.(status\.\w+\[\d+\])/.exec(reason.path) ?? [];
  return path === undefined ? undefined : readPath(subject.object, `${path}.${field}`);
};

/** Whether the container of a cause has ended before, so that it has previous logs. */
const hasRun = (context: CommandContext): boolean => readStatus(context, 'lastState.terminated') !== undefined;

const isWaiting = (context: CommandContext): boolean => readStatus(context, 'state.waiting') !== undefined;

/** Sets the selector to the labels of the nearest pod or template: changes different values, and removes keys that it lacks. */
function patchSelector(context: CommandContext): string | undefined {
  const { kubectl, service, serviceName, cluster } = context;
  const selector = service.spec?.selector ?? {};
  const nearest =
    context.cause.reason.code === 'TemplateLabelsDoNotMatch'
      ? findNearest(selector, findOwnWorkloads(context), templateLabelsOf)
      : findNearest(selector, cluster.podsIn(namespaceOf(service)), ({ metadata }) => metadata?.labels ?? {});
  if (!nearest || !isClose(selector, nearest)) return `${kubectl} get pods --show-labels`;
  const changes = nearest.differences.flatMap(({ key, wanted, actual, otherKey }): [string, string | null][] =>
    otherKey === undefined
      ? [[key, actual ?? null]]
      : [
          [key, null],
          [otherKey, wanted],
        ],
  );
  const patch = JSON.stringify({ spec: { selector: Object.fromEntries(changes) } });
  return `${kubectl} patch service ${quote(serviceName)} -p ${quote(patch)}`;
}

function resumeWorkload({ kubectl, cause, name }: CommandContext): string {
  const { kind } = cause.subject;
  const [, field] = /^workload\.spec\.(\w+)$/.exec(cause.reason.path) ?? [];
  if (field === 'replicas') return `${kubectl} scale ${kind} ${quote(name)} --replicas=1`;
  const patch = JSON.stringify({ spec: { [`${field}`]: field === 'suspend' ? false : 1 } });
  return `${kubectl} patch ${kind} ${quote(name)} -p ${quote(patch)}`;
}

function labelSlice(context: CommandContext): string | undefined {
  const stray = findStraySlice(context);
  if (!stray || context.cluster.slicesOf(context.service).length > 0) return getSlices(context);
  const label = quote(`${serviceNameLabel}=${context.serviceName}`);
  return `${context.kubectl} label endpointslice ${quote(stray.metadata?.name ?? '')} ${label} --overwrite`;
}

function patchExternalName({ kubectl, serviceName }: CommandContext, externalName: string | undefined): string | undefined {
  return externalName && `${kubectl} patch service ${quote(serviceName)} -p ${quote(JSON.stringify({ spec: { externalName } }))}`;
}
