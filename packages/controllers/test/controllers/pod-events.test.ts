import type { Pod } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { expect, test } from 'vitest';
import { classifyPodUpdate, labelsDiffer } from '../../src/controllers/pod-events.ts';

const podAt = (resourceVersion: string, changes: Pod = {}): Pod => ({
  metadata: { name: 'p', uid: 'u', resourceVersion, labels: { app: 'web' }, ...changes.metadata },
  spec: { nodeName: 'n', containers: [{ ports: [{ name: 'http', containerPort: 80 }] }], ...changes.spec },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    ...changes.status,
  },
});

const newestProfile = profileFor();
const classify = (changes: Pod, profile = newestProfile): string => classifyPodUpdate(podAt('1'), podAt('2', changes), profile);

test.each<[string, Pod]>([
  ['the readiness', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }],
  ['the deletionTimestamp', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['the phase to Failed', { status: { phase: 'Failed' } }],
  ['the IP', { status: { podIP: '10.0.0.2' } }],
  ['the number of IPs', { status: { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } }],
  ['podIPs', { status: { podIPs: [{ ip: '10.0.0.9' }] } }],
  ['the UID', { metadata: { uid: 'v' } }],
  ['the node', { spec: { nodeName: 'm' } }],
  ['the hostname', { spec: { hostname: 'h' } }],
  ['the subdomain', { spec: { subdomain: 's' } }],
  ['the restartPolicy', { spec: { restartPolicy: 'Never' } }],
  ['a port', { spec: { containers: [{ ports: [{ name: 'http', containerPort: 81 }] }] } }],
  ['a sidecar', { spec: { initContainers: [{ restartPolicy: 'Always', ports: [{ containerPort: 1 }] }] } }],
])('a change of %s requires a sync', (_, changes) => {
  expect(classify(changes)).toBe('changed');
});

test('changes that do not affect endpoints are ignored', () => {
  expect(classify({ metadata: { annotations: { a: 'b' } } })).toBe('nothing');
  expect(classify({ metadata: { labels: { app: 'api' } } })).toBe('nothing');
  expect(classify({ status: { phase: 'Pending' } })).toBe('nothing');
  expect(classifyPodUpdate(podAt('1'), podAt('1', { status: { phase: 'Failed' } }), newestProfile)).toBe('nothing');
});

test('a newer transition time, or resourceVersion in releases that write it, waits for the next sync', () => {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T00:00:00Z' }];
  expect(classify({ status: { conditions } })).toBe('noted');
  expect(classify({ metadata: { annotations: { a: 'b' } } }, profileFor('1.23'))).toBe('noted');
  expect(classify({ metadata: { annotations: { a: 'b' } } }, profileFor('1.24'))).toBe('nothing');
});

test('labelsDiffer compares keys and values regardless of order', () => {
  const podWithLabels = (labels: Record<string, string> | undefined): Pod => ({ metadata: labels ? { labels } : {} });
  expect(labelsDiffer(podWithLabels({ a: '1', b: '2' }), podWithLabels({ b: '2', a: '1' }))).toBe(false);
  expect(labelsDiffer(podWithLabels({}), podWithLabels(undefined))).toBe(false);
  expect(labelsDiffer(podWithLabels({ a: '1' }), podWithLabels({ a: '2' }))).toBe(true);
  expect(labelsDiffer(podWithLabels({ a: '1' }), podWithLabels({ b: '1' }))).toBe(true);
  expect(labelsDiffer(podWithLabels({ a: '1' }), podWithLabels({}))).toBe(true);
});
