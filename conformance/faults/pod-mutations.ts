import { createStatus, probes } from './healthy-pods.ts';
import { type Mutation, type Mutations, mutatePods, setCondition, setNotReady } from './mutation.ts';
import { isManaged, type PodObject, type World } from './objects.ts';

/** Published pods that are not ready are another cause. */
const applies: NonNullable<Mutation['applies']> = (application) =>
  isManaged(application) && !application.service.spec.publishNotReadyAddresses;

const mutation = (cause: Mutation['cause'], mutate: (pod: PodObject) => void): Mutation => ({ cause, applies, apply: mutatePods(mutate) });

/** The pod never got an address. */
function setPending(pod: PodObject): void {
  pod.status = { phase: 'Pending', conditions: [] };
  setNotReady(pod);
}

const unschedulable = (reason: string, message: string): Mutation => ({
  cause: 'PodHasNoIP',
  apply: mutatePods((pod) => {
    setPending(pod);
    delete pod.spec.nodeName;
    setCondition(pod, 'PodScheduled', 'False', { reason, message });
  }),
});

type ContainerChange = Partial<ReturnType<typeof createStatus>>;

/** Changes the status of the first container. */
const container = (cause: Mutation['cause'], change: ContainerChange, spec: object = {}): Mutation =>
  mutation(cause, (pod) => {
    const [first, ...others] = pod.status.containerStatuses ?? [];
    pod.status.containerStatuses = [{ ...(first ?? createStatus('app')), ready: false, ...change }, ...others];
    Object.assign(pod.spec.containers[0] ?? {}, spec);
    setNotReady(pod);
  });

const waiting = (reason: string, change: ContainerChange = {}): Mutation =>
  container('ContainerWaiting', { state: { waiting: { reason, message: 'see the Events' } }, started: false, ...change });

/** An init container that has not completed; the containers of the pod wait. */
const initContainer = (state: object, change: ContainerChange = {}): Mutation =>
  mutation('InitContainerIncomplete', (pod) => {
    pod.spec.initContainers = [{ name: 'setup' }, ...(pod.spec.initContainers ?? [])];
    const status = { ...createStatus('setup'), ready: false, started: false, state, ...change };
    const waitingState = { waiting: { reason: 'PodInitializing' } };
    const toWaiting = (each: ReturnType<typeof createStatus>) => ({ ...each, ready: false, started: false, state: waitingState });
    pod.status.initContainerStatuses = [status, ...(pod.status.initContainerStatuses ?? []).map(toWaiting)];
    pod.status.containerStatuses = (pod.status.containerStatuses ?? []).map(toWaiting);
    pod.status.phase = 'Pending';
    setCondition(pod, 'Initialized', 'False');
    setNotReady(pod);
  });

/** A sidecar that has started, but then fails. */
const sidecar = (cause: Mutation['cause'], spec: object, change: ContainerChange): Mutation =>
  mutation(cause, (pod) => {
    pod.spec.initContainers = [...(pod.spec.initContainers ?? []), { name: 'agent', restartPolicy: 'Always', ...spec }];
    pod.status.initContainerStatuses = [...(pod.status.initContainerStatuses ?? []), { ...createStatus('agent'), ready: false, ...change }];
    setNotReady(pod);
  });

const lastRun = { lastState: { terminated: { exitCode: 1, reason: 'Error' } }, restartCount: 7 };

/** Every pod of the Service, also those of the past. */
const podsOf = ({ pods }: { readonly pods: PodObject[] }, world: World): PodObject[] => [
  ...pods,
  ...world.others.filter((each): each is PodObject => {
    const labels = (each as PodObject).metadata.labels;
    return (
      each.kind === 'Pod' && each.metadata.namespace === pods[0]?.metadata.namespace && labels?.['app'] === pods[0]?.metadata.labels['app']
    );
  }),
];

const endAll = (cause: Mutation['cause'], end: (pod: PodObject) => void): Mutation => ({
  cause,
  applies: (application) => applies(application, { namespaces: [], nodes: [], applications: [], others: [] }),
  apply(application, world) {
    application.slices = [];
    const all = podsOf(application, world);
    for (const pod of application.pods) end(pod);
    // Remains of the past would be a second cause.
    world.others = world.others.filter((each) => !all.includes(each as PodObject));
  },
});

export const podMutations: Mutations = {
  unschedulable: unschedulable('Unschedulable', '0/3 nodes are available: 3 Insufficient cpu.'),
  schedulingGate: unschedulable('SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates'),
  noScheduler: {
    cause: 'PodHasNoIP',
    apply: mutatePods((pod) => {
      setPending(pod);
      delete pod.spec.nodeName;
      pod.spec.schedulerName = 'missing';
    }),
  },
  containerCreating: {
    cause: 'PodHasNoIP',
    apply: mutatePods((pod) => {
      setPending(pod);
      setCondition(pod, 'PodScheduled', 'True');
    }),
  },
  imagePull: waiting('ImagePullBackOff'),
  invalidImage: waiting('InvalidImageName'),
  configError: waiting('CreateContainerConfigError'),
  runError: waiting('RunContainerError'),
  crashLoop: waiting('CrashLoopBackOff', lastRun),
  oomKilled: container('ContainerEnded', { state: { terminated: { exitCode: 137, reason: 'OOMKilled' } }, started: false }),
  containerEnded: container('ContainerEnded', { state: { terminated: { exitCode: 2, reason: 'Error' } }, started: false }),
  readinessHttp: container('ReadinessProbeFails', {}, { readinessProbe: probes.http }),
  readinessTcp: container('ReadinessProbeFails', {}, { readinessProbe: probes.tcp }),
  readinessGrpc: container('ReadinessProbeFails', {}, { readinessProbe: probes.grpc }),
  readinessExec: container('ReadinessProbeFails', {}, { readinessProbe: probes.exec }),
  startupHttp: container('ContainerNotStarted', { started: false }, { startupProbe: probes.http }),
  startupExec: container('ContainerNotStarted', { started: false }, { startupProbe: probes.exec }),
  notReadyWithoutProbe: container('ContainerNotReady', {}, { readinessProbe: undefined }),
  containerUnknown: mutation('ContainerUnknown', (pod) => {
    pod.spec.containers = [...pod.spec.containers, { name: 'late' }];
    setNotReady(pod);
  }),
  statusesUnknown: mutation('StatusesUnknown', (pod) => {
    delete pod.status.containerStatuses;
    delete pod.status.initContainerStatuses;
    setNotReady(pod);
    setCondition(pod, 'Ready', 'False', { reason: 'UnknownContainerStatuses' });
  }),
  initCrash: initContainer({ waiting: { reason: 'CrashLoopBackOff' } }, lastRun),
  initImage: initContainer({ waiting: { reason: 'ImagePullBackOff' } }),
  initRuns: initContainer({ running: {} }),
  sidecarProbe: sidecar('ReadinessProbeFails', { readinessProbe: probes.http }, {}),
  sidecarCrash: sidecar('ContainerWaiting', {}, { state: { waiting: { reason: 'CrashLoopBackOff' } }, ...lastRun }),
  sidecarEnded: sidecar('ContainerEnded', {}, { state: { terminated: { exitCode: 1, reason: 'Error' } } }),
  gateMissing: mutation('ReadinessGateMissing', (pod) => {
    pod.spec.readinessGates = [{ conditionType: 'example.com/lb' }];
    setCondition(pod, 'Ready', 'False', { reason: 'ReadinessGatesNotReady' });
  }),
  gateFalse: mutation('ReadinessGateNotTrue', (pod) => {
    pod.spec.readinessGates = [{ conditionType: 'example.com/lb' }];
    setCondition(pod, 'example.com/lb', 'False', { reason: 'Registering' });
    setCondition(pod, 'Ready', 'False', { reason: 'ReadinessGatesNotReady' });
  }),
  readyOverridden: mutation('ReadyConditionOverridden', (pod) => setCondition(pod, 'Ready', 'False')),
  allEvicted: endAll('PodTerminal', (pod) => {
    pod.status = { phase: 'Failed', reason: 'Evicted', conditions: [] };
  }),
  allCompleted: endAll('PodTerminal', (pod) => {
    pod.status.phase = 'Succeeded';
    setNotReady(pod);
  }),
  allTerminating: endAll('PodTerminating', (pod) => {
    pod.metadata.deletionTimestamp = '2026-05-02T00:00:00Z';
  }),
};
