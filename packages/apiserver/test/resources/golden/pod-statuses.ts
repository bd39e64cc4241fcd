type Json = Record<string, unknown>;

const container = (name: string, state: Json, more: Json = {}): Json => ({
  name,
  state,
  ready: false,
  restartCount: 0,
  image: 'web',
  imageID: '',
  ...more,
});

const running = { running: { startedAt: '2025-01-01T00:00:00Z' } };
const ended = (exitCode: number, more: Json = {}): Json => ({ terminated: { exitCode, finishedAt: '2025-01-01T00:00:00Z', ...more } });
const waiting = (reason: string): Json => ({ waiting: { reason } });
const condition = (type: string, status: string, reason = ''): Json => ({ type, status, reason });
const done = [
  container('first', ended(0)),
  container('side', running, { started: true, ready: true, restartCount: 2, lastState: ended(1) }),
];
const main = (state: Json, more: Json = {}): Json => ({ initContainerStatuses: done, containerStatuses: [container('main', state, more)] });

/** Pod statuses for the STATUS column. */
export const podStatuses: readonly Json[] = [
  { phase: 'Pending' },
  { phase: 'Pending', reason: 'Evicted' },
  { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'SchedulingGated')] },
  { phase: 'Pending', initContainerStatuses: [container('first', waiting('PodInitializing')), container('side', {})] },
  { phase: 'Pending', initContainerStatuses: [container('first', waiting('ImagePullBackOff'))] },
  { phase: 'Pending', initContainerStatuses: [container('first', ended(3), { restartCount: 4, lastState: ended(3) })] },
  { phase: 'Pending', initContainerStatuses: [container('first', ended(3, { reason: 'OOMKilled' }))] },
  { phase: 'Pending', initContainerStatuses: [container('first', ended(3, { signal: 9 }))] },
  { phase: 'Pending', initContainerStatuses: [container('first', ended(0)), container('side', running, { restartCount: 1 })] },
  { phase: 'Pending', ...main(waiting('CrashLoopBackOff'), { restartCount: 5, lastState: ended(1) }) },
  { phase: 'Running', ...main(running, { ready: true }), podIPs: [{ ip: '10.0.0.1' }], conditions: [condition('Ready', 'True')] },
  {
    phase: 'Running',
    ...main(running, { ready: true }),
    conditions: [condition('example.com/a', 'True'), condition('example.com/b', 'False')],
  },
  { phase: 'Running', ...main(running) },
  { phase: 'Succeeded', ...main(ended(0, { reason: 'Completed' })) },
  { phase: 'Failed', ...main(ended(137, { reason: 'OOMKilled' })) },
  { phase: 'Failed', ...main(ended(2)) },
  { phase: 'Failed', ...main(ended(0, { signal: 15 })) },
  {
    phase: 'Pending',
    initContainerStatuses: [container('first', waiting('Odd'))],
    containerStatuses: [container('main', waiting('ContainerCreating'))],
    conditions: [condition('Initialized', 'True')],
  },
  { phase: 'Pending', nominatedNodeName: 'node-b' },
];
