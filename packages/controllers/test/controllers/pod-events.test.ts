import type { Pod } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { expect, test } from 'vitest';
import { classifyPodUpdate, labelsDiffer } from '../../src/controllers/pod-events.ts';

const at = (resourceVersion: string, more: Pod = {}): Pod => ({
  metadata: { name: 'p', uid: 'u', resourceVersion, labels: { app: 'web' }, ...more.metadata },
  spec: { nodeName: 'n', containers: [{ ports: [{ name: 'http', containerPort: 80 }] }], ...more.spec },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    ...more.status,
  },
});

const newest = profileFor();
const weigh = (more: Pod, version = newest): string => classifyPodUpdate(at('1'), at('2', more), version);

test.each<[string, Pod]>([
  ['its readiness', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }],
  ['its end', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['a failure that leaves readiness alone', { status: { phase: 'Failed' } }],
  ['its IP', { status: { podIP: '10.0.0.2' } }],
  ['one IP more', { status: { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } }],
  ['another IP', { status: { podIPs: [{ ip: '10.0.0.9' }] } }],
  ['another pod of its name', { metadata: { uid: 'v' } }],
  ['its node', { spec: { nodeName: 'm' } }],
  ['its host name', { spec: { hostname: 'h' } }],
  ['its subdomain', { spec: { subdomain: 's' } }],
  ['whether it is restarted', { spec: { restartPolicy: 'Never' } }],
  ['a port', { spec: { containers: [{ ports: [{ name: 'http', containerPort: 81 }] }] } }],
  ['a sidecar', { spec: { initContainers: [{ restartPolicy: 'Always', ports: [{ containerPort: 1 }] }] } }],
])('a change of %s makes a sync due', (_, more) => {
  expect(weigh(more)).toBe('changed');
});

test('changes that do not affect endpoints are ignored', () => {
  expect(weigh({ metadata: { annotations: { a: 'b' } } })).toBe('nothing');
  expect(weigh({ metadata: { labels: { app: 'api' } } })).toBe('nothing');
  expect(weigh({ status: { phase: 'Pending' } })).toBe('nothing');
  expect(classifyPodUpdate(at('1'), at('1', { status: { phase: 'Failed' } }), newest)).toBe('nothing');
});

test('a newer transition time, or resourceVersion in releases that write it, waits for the next sync', () => {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T00:00:00Z' }];
  expect(weigh({ status: { conditions } })).toBe('noted');
  expect(weigh({ metadata: { annotations: { a: 'b' } } }, profileFor('1.23'))).toBe('noted');
  expect(weigh({ metadata: { annotations: { a: 'b' } } }, profileFor('1.24'))).toBe('nothing');
});

test('labelsDiffer compares keys and values regardless of order', () => {
  const labelled = (labels: Record<string, string> | undefined): Pod => ({ metadata: labels ? { labels } : {} });
  expect(labelsDiffer(labelled({ a: '1', b: '2' }), labelled({ b: '2', a: '1' }))).toBe(false);
  expect(labelsDiffer(labelled({}), labelled(undefined))).toBe(false);
  expect(labelsDiffer(labelled({ a: '1' }), labelled({ a: '2' }))).toBe(true);
  expect(labelsDiffer(labelled({ a: '1' }), labelled({ b: '1' }))).toBe(true);
  expect(labelsDiffer(labelled({ a: '1' }), labelled({}))).toBe(true);
});
