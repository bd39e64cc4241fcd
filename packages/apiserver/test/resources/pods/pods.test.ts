import { expect, test } from 'vitest';
import { admitPod } from '../../../src/resources/pods/admit.ts';
import { pods } from '../../../src/resources/pods/pods.ts';
import { selectableValues } from '../support.ts';

test.each([
  [{ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, undefined, 30],
  [{ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, 5, 5],
  [{ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, 0, 0],
  [{ nodeName: 'n' }, {}, -1, 1],
  [{ nodeName: 'n' }, {}, undefined, 0],
  [{ terminationGracePeriodSeconds: 30 }, {}, 5, 0],
  [{ nodeName: 'n', terminationGracePeriodSeconds: 30 }, { phase: 'Succeeded' }, undefined, 0],
])('gracePeriod of spec %j and status %j with %s seconds requested is %s', (spec, status, requestedSeconds, seconds) =>
  expect(pods.gracePeriod?.({ spec, status }, requestedSeconds)).toBe(seconds),
);

test('pods have their selectable fields', () => {
  const object = { spec: { nodeName: 'n', hostNetwork: true }, status: { podIPs: [{ ip: '10.0.0.1' }], phase: 'Running' } };
  expect(selectableValues(pods, object)).toMatchObject({
    'spec.nodeName': 'n',
    'spec.hostNetwork': 'true',
    'status.podIP': '10.0.0.1',
    'status.phase': 'Running',
    'spec.schedulerName': '',
  });
});

const hostname = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
test.each([
  ['web-1', []],
  ['web.1', [`metadata.name: ${hostname}: [must not contain dots]`]],
  ['a'.repeat(64), [`metadata.name: ${hostname}: [must be no more than 63 characters]`]],
  [`a.${'b'.repeat(64)}`, [`metadata.name: ${hostname}: [must be no more than 63 characters must not contain dots]`]],
])('a new pod named %s gets the warnings of Kubernetes about host names', (name, warnings) => {
  expect(pods.strategy.warnings?.({ metadata: { name } })).toEqual(warnings);
  expect(pods.strategy.warnings?.({ metadata: { name } }, { metadata: { name } })).toEqual([]);
});

const admit = (spec: object, old?: object): { spec: Record<string, unknown>; forbidden: string | undefined } => {
  const draft = { spec: { ...spec } };
  const forbidden = admitPod(draft, old && { spec: old }, () => []);
  return { spec: draft.spec as Record<string, unknown>, forbidden };
};

test('admission adds tolerations of unhealthy nodes for five minutes', () => {
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
])('admission checks priority and runtime class of the spec %j', (spec, forbidden) => expect(admit(spec).forbidden).toEqual(forbidden));

test('an update keeps priority and preemptionPolicy', () => {
  expect(admit({}, { priority: 7, preemptionPolicy: 'Never' })).toMatchObject({ spec: { priority: 7, preemptionPolicy: 'Never' } });
});
