import type { ContainerPort, Pod } from '../types/index.ts';
import { readPath } from './evidence.ts';
import { findNearest, isClose } from './nearest.ts';
import type { ReasonCode } from './reasons.ts';
import { type DiagnosisInput, type RootCause, selectPods } from './root-cause.ts';
import { templateLabelsOf } from './workload.ts';

interface CommandContext extends DiagnosisInput {
  readonly cause: RootCause;
  /** "kubectl -n shop" */
  readonly kubectl: string;
  /** The name of the object with the cause. */
  readonly name: string;
  /** The container that the path of the reason names. */
  readonly container: string | undefined;
  /** The selected pods. */
  readonly pods: readonly Pod[];
}

type Command = (context: CommandContext) => string | undefined;

const describePod: Command = ({ kubectl, name }) => `${kubectl} describe pod ${quote(name)}`;
const editService: Command = ({ kubectl, service }) => `${kubectl} edit service ${quote(service.metadata?.name ?? '')}`;
const describeService: Command = ({ kubectl, service }) => `${kubectl} describe service ${quote(service.metadata?.name ?? '')}`;
const showLogs: Command = ({ kubectl, name, container }) => container && `${kubectl} logs ${quote(name)} -c ${quote(container)}`;
const showPreviousLogs: Command = (context) => {
  const logs = showLogs(context);
  return logs && `${logs} --previous`;
};

/** The command for each cause; `defaultCommand` for all others. */
const commands: Partial<Readonly<Record<ReasonCode, Command>>> = {
  SelectorMatchesNothing: patchSelector,
  TemplateLabelsDoNotMatch: patchSelector,
  PortFoundInNoPod: patchTargetPort,
  TargetPortUndeclared: patchTargetPort,
  InitContainerIncomplete: showLogs,
  ContainerEnded: showPreviousLogs,
  ContainerWaiting: (context) => (hasRun(context) ? showPreviousLogs(context) : describePod(context)),
  WorkloadScaledToZero: ({ kubectl, cause, name }) => `${kubectl} scale ${cause.subject.kind} ${quote(name)} --replicas=1`,
  WorkloadHasNoPods: ({ kubectl, cause, name }) => `${kubectl} describe ${cause.subject.kind} ${quote(name)}`,
  NodeNotReady: ({ name }) => `kubectl describe node ${quote(name)}`,
  NodeNotFound: ({ kubectl, name }) => `${kubectl} delete pod ${quote(name)}`,
  PoliciesDenyAll: ({ kubectl }) => `${kubectl} describe networkpolicies`,
  PodsNotGiven: ({ kubectl }) => `${kubectl} get services,pods,endpointslices,nodes -o json`,
  LoadBalancerFailing: describeService,
  LoadBalancerPending: describeService,
  LoadBalancerNotPickedUp: describeService,
  NotReadyPodsPublished: ({ kubectl, explanation, pods }) => {
    const first = pods.find((pod) =>
      explanation.pods.some(
        ({ name, reasons }) => name === pod.metadata?.name && reasons.some(({ code }) => code === 'PodPublishedNotReady'),
      ),
    );
    return first && `${kubectl} describe pod ${quote(first.metadata?.name ?? '')}`;
  },
};

/** A command that fixes a cause, or shows what to do next. */
export function findFixCommand(cause: RootCause, input: DiagnosisInput): string | undefined {
  const { service, objects } = input;
  const namespace = service.metadata?.namespace;
  const context: CommandContext = {
    ...input,
    cause,
    kubectl: namespace ? `kubectl -n ${quote(namespace)}` : 'kubectl',
    name: cause.subject.object.metadata?.name ?? '',
    container: findContainer(cause),
    pods: selectPods(service, objects.pods ?? []),
  };
  return commands[cause.reason.code]?.(context) ?? (cause.subject.kind === 'pod' ? describePod : editService)(context);
}

/** "pod.status.containerStatuses[0].state" names the container of the first status. */
function findContainer({ reason, subject }: RootCause): string | undefined {
  const [, path] = /^pod\.((?:spec|status)\.\w+\[\d+\])/.exec(reason.path) ?? [];
  const name = path === undefined ? undefined : readPath(subject.object, `${path}.name`);
  return typeof name === 'string' ? name : undefined;
}

/** Whether the container of a cause has ended before, so that it has previous logs. */
function hasRun({ cause: { reason, subject } }: CommandContext): boolean {
  const [, path] = /^pod\.(status\.\w+\[\d+\])/.exec(reason.path) ?? [];
  return path !== undefined && readPath(subject.object, `${path}.lastState.terminated`) !== undefined;
}

/** Sets the selector to the labels of the nearest pod or template: changes different values, and removes keys that it lacks. */
function patchSelector({ kubectl, service, objects }: CommandContext): string | undefined {
  const namespace = service.metadata?.namespace ?? '';
  const isHere = ({ metadata }: Pick<Pod, 'metadata'>): boolean => (metadata?.namespace ?? '') === namespace;
  const selector = service.spec?.selector ?? {};
  const nearest =
    findNearest(selector, (objects.pods ?? []).filter(isHere), ({ metadata }) => metadata?.labels ?? {}) ??
    findNearest(selector, (objects.workloads ?? []).filter(isHere), templateLabelsOf);
  if (!nearest || !isClose(selector, nearest)) return `${kubectl} get pods --show-labels`;
  const changes = Object.fromEntries(nearest.differences.map(({ key, actual }) => [key, actual ?? null]));
  return `${kubectl} patch service ${quote(service.metadata?.name ?? '')} -p ${quote(JSON.stringify({ spec: { selector: changes } }))}`;
}

/** Sets the target port to the only port of its protocol that the pods declare. */
function patchTargetPort({ kubectl, service, pods, cause }: CommandContext): string | undefined {
  const [, index] = /^service\.spec\.ports\[(\d+)\]/.exec(cause.reason.path) ?? [];
  const protocol = service.spec?.ports?.[Number(index)]?.protocol || 'TCP';
  const declaredPorts = pods.flatMap(({ spec }) => (spec?.containers ?? []).flatMap(({ ports }) => ports ?? []));
  const targets = new Set(declaredPorts.filter((port) => (port.protocol || 'TCP') === protocol).map(targetOf));
  if (targets.size !== 1) return undefined;
  const patch = [{ op: 'replace', path: `/spec/ports/${index}/targetPort`, value: [...targets][0] }];
  return `${kubectl} patch service ${quote(service.metadata?.name ?? '')} --type=json -p ${quote(JSON.stringify(patch))}`;
}

const targetOf = ({ name, containerPort }: ContainerPort): string | number => name || (containerPort ?? 0);

/** Quotes text for a shell, if necessary. */
const quote = (text: string): string => (/^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
