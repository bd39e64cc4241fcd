import { expect, test } from 'vitest';
import { nextAction, type Pod, type Surroundings } from './pods.ts';

const surroundings: Surroundings = {
  nodes: [
    { name: 'fake-1', cpus: 8 },
    { name: 'fake-2', cpus: 8 },
  ],
  now: '2026-01-01T00:00:00Z',
  addressOf: () => '10.240.0.7',
};

type Changes = { [Key in keyof Pod]?: Partial<Pod[Key]> };
const createPod = ({ metadata, spec, status }: Changes = {}): Pod => ({
  metadata: { name: 'p', namespace: 'n', uid: 'u', generation: 1, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  status: { phase: 'Pending', ...status },
});
const actionFor = (changes: Changes): unknown => nextAction(createPod(changes), surroundings);
const bound = { nodeName: 'fake-2' };

test('binds a pod to the first node, or to the node that it selects', () => {
  expect(actionFor({})).toStrictEqual({ type: 'bind', node: 'fake-1' });
  const nodeSelector = { 'kubernetes.io/hostname': 'fake-2' };
  expect(actionFor({ spec: { nodeSelector } })).toStrictEqual({ type: 'bind', node: 'fake-2' });
});

test.each<[string, Changes]>([
  ['that requests more CPUs than a node has', { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '9' } } }] } }],
  ['that is gated', { spec: { schedulingGates: [{ name: 'g' }] } }],
  ['of another scheduler', { spec: { schedulerName: 'other' } }],
  ['that is terminating and not bound', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['of another node', { spec: { nodeName: 'real' } }],
  ['that runs', { spec: bound, status: { phase: 'Running', observedGeneration: 1 } }],
])('does nothing for a pod %s', (_, changes) => {
  expect(actionFor(changes)).toBe(undefined);
});

test('binds a pod that requests milli-CPUs', () => {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '900m' } } }];
  expect(actionFor({ spec: { containers } })).toStrictEqual({ type: 'bind', node: 'fake-1' });
});

test('reports a bound pod as running and ready', () => {
  const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' });
  expect(actionFor({ spec: bound })).toStrictEqual({
    type: 'report',
    status: {
      observedGeneration: 1,
      phase: 'Running',
      hostIP: '10.250.0.1',
      hostIPs: [{ ip: '10.250.0.1' }],
      podIP: '10.240.0.7',
      podIPs: [{ ip: '10.240.0.7' }],
      startTime: '2026-01-01T00:00:00Z',
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(condition),
      containerStatuses: [
        {
          name: 'c',
          image: 'i',
          imageID: 'i',
          containerID: 'fake://u/c',
          restartCount: 0,
          started: true,
          ready: true,
          state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
        },
      ],
    },
  });
});

test('reports a pod of a Job as succeeded', () => {
  const changes: Changes = { metadata: { ownerReferences: [{ kind: 'Job' }] }, spec: bound };
  expect(actionFor(changes)).toMatchObject({ type: 'report', status: { phase: 'Succeeded', containerStatuses: [{ ready: false }] } });
});

test('reports the generation of a changed pod', () => {
  const changes: Changes = { metadata: { generation: 2 }, spec: bound, status: { phase: 'Running', observedGeneration: 1 } };
  expect(actionFor(changes)).toStrictEqual({ type: 'report', status: { observedGeneration: 2 } });
});

test('deletes a terminating pod of its nodes', () => {
  expect(actionFor({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, spec: bound })).toStrictEqual({ type: 'delete' });
});
