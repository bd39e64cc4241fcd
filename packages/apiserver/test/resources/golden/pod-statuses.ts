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

const running = { running: { startedAt: '2025-01-01T00:00:00Z' } };
const terminated = (exitCode: number, fields: Json = {}): Json => ({
  terminated: { exitCode, finishedAt: '2025-01-01T00:00:00Z', ...fields },
});
const waiting = (reason: string): Json => ({ waiting: { reason } });
const condition = (type: string, status: string, reason = ''): Json => ({ type, status, reason });
const initContainerStatuses = [
  container('first', terminated(0)),
  container('side', running, { started: true, ready: true, restartCount: 2, lastState: terminated(1) }),
];
const main = (state: Json, fields: Json = {}): Json => ({ initContainerStatuses, containerStatuses: [container('main', state, fields)] });

/** Pod statuses for every value of the STATUS column. */
export const podStatuses: readonly Json[] = [
  { phase: 'Pending' },
  { phase: 'Pending', reason: 'Evicted' },
  { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'SchedulingGated')] },
  { phase: 'Pending', initContainerStatuses: [container('first', waiting('PodInitializing')), container('side', {})] },
  { phase: 'Pending', initContainerStatuses: [container('first', waiting('ImagePullBackOff'))] },
  { phase: 'Pending', initContainerStatuses: [container('first', terminated(3), { restartCount: 4, lastState: terminated(3) })] },
  { phase: 'Pending', initContainerStatuses: [container('first', terminated(3, { reason: 'OOMKilled' }))] },
  { phase: 'Pending', initContainerStatuses: [container('first', terminated(3, { signal: 9 }))] },
  { phase: 'Pending', initContainerStatuses: [container('first', terminated(0)), container('side', running, { restartCount: 1 })] },
  { phase: 'Pending', ...main(waiting('CrashLoopBackOff'), { restartCount: 5, lastState: terminated(1) }) },
  { phase: 'Running', ...main(running, { ready: true }), podIPs: [{ ip: '10.0.0.1' }], conditions: [condition('Ready', 'True')] },
  {
    phase: 'Running',
    ...main(running, { ready: true }),
    conditions: [condition('example.com/a', 'True'), condition('example.com/b', 'False')],
  },
  { phase: 'Running', ...main(running) },
  { phase: 'Succeeded', ...main(terminated(0, { reason: 'Completed' })) },
  { phase: 'Failed', ...main(terminated(137, { reason: 'OOMKilled' })) },
  { phase: 'Failed', ...main(terminated(2)) },
  { phase: 'Failed', ...main(terminated(0, { signal: 15 })) },
  {
    phase: 'Pending',
    initContainerStatuses: [container('first', waiting('Odd'))],
    containerStatuses: [container('main', waiting('ContainerCreating'))],
    conditions: [condition('Initialized', 'True')],
  },
  { phase: 'Pending', nominatedNodeName: 'node-b' },
];
