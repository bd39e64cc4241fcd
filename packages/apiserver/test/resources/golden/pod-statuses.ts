type Json = Record<string, unknown>;

const container = (name: string, state: Json, fields: Json = {}): Json => ({
  name,
  state,
  ready: false,
  restartCount: 0,
  image: 'web',
  imageID: '',
  ...fields,
});

const runningState = { running: { startedAt: '2025-01-01T00:00:00Z' } };
const createTerminatedState = (exitCode: number, fields: Json = {}): Json => ({
  terminated: { exitCode, finishedAt: '2025-01-01T00:00:00Z', ...fields },
});
const createWaitingState = (reason: string): Json => ({ waiting: { reason } });
const condition = (type: string, status: string, reason = ''): Json => ({ type, status, reason });
const initContainerStatuses = [
  container('first', createTerminatedState(0)),
  container('side', runningState, { started: true, ready: true, restartCount: 2, lastState: createTerminatedState(1) }),
];
const createStatuses = (state: Json, fields: Json = {}): Json => ({
  initContainerStatuses,
  containerStatuses: [container('main', state, fields)],
});

/** Pod statuses for every value of the STATUS column. */
export const podStatuses: readonly Json[] = [
  { phase: 'Pending' },
  { phase: 'Pending', reason: 'Evicted' },
  { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'SchedulingGated')] },
  { phase: 'Pending', initContainerStatuses: [container('first', createWaitingState('PodInitializing')), container('side', {})] },
  { phase: 'Pending', initContainerStatuses: [container('first', createWaitingState('ImagePullBackOff'))] },
  {
    phase: 'Pending',
    initContainerStatuses: [container('first', createTerminatedState(3), { restartCount: 4, lastState: createTerminatedState(3) })],
  },
  { phase: 'Pending', initContainerStatuses: [container('first', createTerminatedState(3, { reason: 'OOMKilled' }))] },
  { phase: 'Pending', initContainerStatuses: [container('first', createTerminatedState(3, { signal: 9 }))] },
  {
    phase: 'Pending',
    initContainerStatuses: [container('first', createTerminatedState(0)), container('side', runningState, { restartCount: 1 })],
  },
  { phase: 'Pending', ...createStatuses(createWaitingState('CrashLoopBackOff'), { restartCount: 5, lastState: createTerminatedState(1) }) },
  {
    phase: 'Running',
    ...createStatuses(runningState, { ready: true }),
    podIPs: [{ ip: '10.0.0.1' }],
    conditions: [condition('Ready', 'True')],
  },
  {
    phase: 'Running',
    ...createStatuses(runningState, { ready: true }),
    conditions: [condition('example.com/a', 'True'), condition('example.com/b', 'False')],
  },
  { phase: 'Running', ...createStatuses(runningState) },
  { phase: 'Succeeded', ...createStatuses(createTerminatedState(0, { reason: 'Completed' })) },
  { phase: 'Failed', ...createStatuses(createTerminatedState(137, { reason: 'OOMKilled' })) },
  { phase: 'Failed', ...createStatuses(createTerminatedState(2)) },
  { phase: 'Failed', ...createStatuses(createTerminatedState(0, { signal: 15 })) },
  {
    phase: 'Pending',
    initContainerStatuses: [container('first', createWaitingState('Odd'))],
    containerStatuses: [container('main', createWaitingState('ContainerCreating'))],
    conditions: [condition('Initialized', 'True')],
  },
  { phase: 'Pending', nominatedNodeName: 'node-b' },
];
