import type { Service } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { isServiceChanged } from '../../src/controllers/wiring.ts';

const service = (more: Service = {}): Service => ({
  metadata: { name: 'web', uid: 'u', resourceVersion: '1', ...more.metadata },
  spec: { selector: { app: 'web' }, ...more.spec },
});

test.each<[string, Service, boolean]>([
  ['a version', { metadata: { resourceVersion: '2' } }, false],
  ['labels', { metadata: { labels: { a: 'b' } } }, true],
  ['annotations', { metadata: { annotations: { a: 'b' } } }, true],
  ['the uid', { metadata: { uid: 'v' } }, true],
  ['the end', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, true],
  ['the selector', { spec: { selector: { app: 'api' } } }, true],
  ['ports', { spec: { ports: [{ port: 1 }] } }, true],
])('%s', (_, more, changed) => {
  expect(isServiceChanged(service(), service(more))).toBe(changed);
});
