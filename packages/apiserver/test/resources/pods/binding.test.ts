import { expect, test } from 'vitest';
import { bindPod } from '../../../src/resources/pods/binding.ts';

const now = '2025-01-02T00:00:00Z';
const pod = { metadata: { name: 'a' }, spec: {}, status: { nominatedNodeName: 'x', conditions: [{ type: 'Ready', status: 'False' }] } };
const binding = { metadata: { annotations: { a: 'b' }, labels: { c: 'd' } }, target: { kind: 'Node', name: 'node' } };

test('bindPod sets the node and the condition PodScheduled, and refuses a pod that is already bound', () => {
  const before = JSON.stringify(pod);
  const { object } = bindPod(pod, binding, now);
  expect(object).toEqual({
    metadata: { name: 'a', annotations: { a: 'b' }, labels: { c: 'd' } },
    spec: { nodeName: 'node' },
    status: {
      conditions: [
        { type: 'Ready', status: 'False' },
        { type: 'PodScheduled', status: 'True', lastTransitionTime: now },
      ],
    },
  });
  expect(JSON.stringify(pod)).toBe(before);
  expect(bindPod(object ?? {}, binding, now)).toEqual({ conflict: 'pod a is already assigned to node "node"' });
});

test('bindPod sets lastTransitionTime only if the condition changes', () => {
  const condition = { type: 'PodScheduled', status: 'True', lastTransitionTime: 'then' };
  const status = (each: object): unknown => {
    const bound = bindPod({ ...pod, status: { conditions: [each] } }, binding, now);
    return (bound.object?.['status'] as { conditions: unknown[] } | undefined)?.conditions;
  };
  expect(status(condition)).toEqual([condition]);
  expect(status({ ...condition, status: 'False', reason: 'SchedulingGated' })).toEqual([{ ...condition, lastTransitionTime: now }]);
});

test.each([
  [{ metadata: { name: 'a', deletionTimestamp: 't' } }, 'pod a is being deleted, cannot be assigned to a host'],
  [{ metadata: { name: 'a' }, spec: { schedulingGates: [{ name: 'x' }] } }, 'pod a has non-empty .spec.schedulingGates'],
])('bindPod refuses %j', (unboundPod, conflict) => expect(bindPod(unboundPod, binding, now)).toEqual({ conflict }));

test('bindPod requires a target node', () => {
  const bound = bindPod(pod, { target: { kind: 'Pod' } }, now);
  expect('causes' in bound && bound.causes?.map(({ field }) => field)).toEqual(['target.kind', 'target.name']);
});
