import { expect, test } from 'vitest';
import { admitPod } from '../../../src/resources/pods/admit.ts';

const admit = (spec: object, old?: object): { spec: Record<string, unknown>; forbidden: string | undefined } => {
  const draft = { spec: { ...spec } };
  const forbidden = admitPod(draft, old && { spec: old });
  return { spec: draft.spec as Record<string, unknown>, forbidden };
};

test('bears with nodes that fail for five minutes', () => {
  const { spec } = admit({});
  expect(spec['tolerations']).toMatchObject([
    { key: 'node.kubernetes.io/not-ready', tolerationSeconds: 300 },
    { key: 'node.kubernetes.io/unreachable' },
  ]);
  expect(admit({ tolerations: [{ operator: 'Exists' }] }).spec['tolerations']).toHaveLength(1);
  expect(admit({ tolerations: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] }).spec['tolerations']).toHaveLength(3);
});

test.each([
  [{}, undefined],
  [{ priority: 0, preemptionPolicy: 'PreemptLowerPriority' }, undefined],
  [{ priorityClassName: 'system-node-critical' }, undefined],
  [{ priorityClassName: 'constructor' }, 'no PriorityClass with name constructor was found'],
  [
    { priority: 5 },
    'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  [{ preemptionPolicy: 'Never' }, expect.stringContaining('PreemptionPolicy (Never)')],
  [{ runtimeClassName: 'x' }, 'pod rejected: RuntimeClass "x" not found'],
])('%j', (spec, forbidden) => expect(admit(spec).forbidden).toEqual(forbidden));

test('an update keeps the priority', () => {
  expect(admit({}, { priority: 7, preemptionPolicy: 'Never' })).toMatchObject({ spec: { priority: 7, preemptionPolicy: 'Never' } });
});
