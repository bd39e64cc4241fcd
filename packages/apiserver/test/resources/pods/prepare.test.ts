import { expect, test } from 'vitest';
import { preparePod, preparePodStatus, preparePodUpdate, qosOf } from '../../../src/resources/pods/prepare.ts';

type Draft = Record<string, Record<string, unknown>>;

test('a new pod is Pending with generation 1', () => {
  const draft: Draft = { metadata: { generation: 7 }, spec: {}, status: { phase: 'Running' } };
  preparePod(draft);
  expect(draft).toEqual({ metadata: { generation: 1 }, spec: {}, status: { phase: 'Pending', qosClass: 'BestEffort' } });
});

test('a pod with scheduling gates gets the condition SchedulingGated', () => {
  const draft: Draft = { metadata: { creationTimestamp: 't' }, spec: { schedulingGates: [{ name: 'a' }] } };
  preparePod(draft);
  expect(draft['status']).toMatchObject({
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', lastTransitionTime: 't' }],
  });
});

test("matchLabelKeys become match expressions of the pod's own labels", () => {
  const term = { labelSelector: {}, matchLabelKeys: ['a', 'none'], mismatchLabelKeys: ['b'] };
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const draft = {
    metadata: { labels: { a: '1', b: '2' } },
    spec: { affinity: { podAffinity: { [required]: [structuredClone(term)] } }, topologySpreadConstraints: [structuredClone(term)] },
  };
  preparePod(draft);
  const matchExpressions = [
    { key: 'a', operator: 'In', values: ['1'] },
    { key: 'b', operator: 'NotIn', values: ['2'] },
  ];
  expect(draft.spec.affinity.podAffinity[required]?.[0]?.labelSelector).toEqual({ matchExpressions });
  expect(draft.spec.topologySpreadConstraints[0]?.labelSelector).toEqual({ matchExpressions });
});

test('fields of disabled features are dropped', () => {
  const draft = {
    spec: {
      schedulingGroup: {},
      containers: [
        { lifecycle: { stopSignal: 'SIGTERM' } },
        { lifecycle: {} },
        { lifecycle: { stopSignal: 'SIGTERM', preStop: { exec: {} } } },
      ],
      volumes: [{ projected: { sources: [{ podCertificate: {}, clusterTrustBundle: {} }] } }],
    },
  };
  preparePod(draft);
  expect(draft.spec).toEqual({
    containers: [{}, { lifecycle: {} }, { lifecycle: { preStop: { exec: {} } } }],
    volumes: [{ projected: { sources: [{}] } }],
  });
});

test('an update raises the generation and keeps the status', () => {
  const old = { metadata: { generation: 2 }, spec: { a: 1 }, status: { phase: 'Running' } };
  const draft: Draft = { metadata: { generation: 2 }, spec: { a: 2 }, status: { phase: 'Odd' } };
  preparePodUpdate(draft, old);
  expect(draft).toEqual({ metadata: { generation: 3 }, spec: { a: 2 }, status: { phase: 'Running' } });
});

test('a status update keeps metadata and spec', () => {
  const old = {
    metadata: { ownerReferences: [{ uid: 'u' }] },
    spec: { a: 1 },
    status: { qosClass: 'Burstable', observedGeneration: 3, conditions: [{ type: 'Ready', observedGeneration: 2 }] },
  };
  const draft: Draft = {
    metadata: { deletionTimestamp: 't' },
    spec: { a: 2 },
    status: { phase: 'Running', conditions: [{ type: 'Ready' }, { type: 'Ready' }] },
  };
  preparePodStatus(draft, old);
  expect(draft).toEqual({
    metadata: { ownerReferences: [{ uid: 'u' }] },
    spec: { a: 1 },
    status: {
      phase: 'Running',
      qosClass: 'Burstable',
      observedGeneration: 3,
      conditions: [{ type: 'Ready', observedGeneration: 2 }, { type: 'Ready' }],
    },
  });
});

const cpuAndMemory = { cpu: '1', memory: '1Gi' };
const createSpec = (...containers: object[]): Record<string, unknown> => ({ containers: containers.map((resources) => ({ resources })) });

test.each([
  [createSpec({}), 'BestEffort'],
  [createSpec({ limits: cpuAndMemory, requests: cpuAndMemory }), 'Guaranteed'],
  [createSpec({ limits: cpuAndMemory, requests: { cpu: '1000m', memory: '1024Mi' } }), 'Guaranteed'],
  [createSpec({ limits: cpuAndMemory, requests: cpuAndMemory }, {}), 'Burstable'],
  [createSpec({ limits: cpuAndMemory, requests: { cpu: '1' } }), 'Burstable'],
  [createSpec({ requests: { cpu: '1' } }), 'Burstable'],
  [createSpec({ requests: { 'example.com/gpu': '1' } }), 'BestEffort'],
  [createSpec({ requests: { cpu: '0' } }), 'BestEffort'],
  [{ ...createSpec({}), resources: { limits: cpuAndMemory, requests: cpuAndMemory } }, 'Guaranteed'],
  [{ ...createSpec({ requests: cpuAndMemory }), resources: {} }, 'BestEffort'],
])('qosOf computes the QoS class of %j', (spec, qos) => expect(qosOf(spec)).toBe(qos));
