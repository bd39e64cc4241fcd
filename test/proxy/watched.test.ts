import { expect, it } from 'vitest';
import { isWatched } from '../../src/proxy/index.ts';

it('kube-proxy ignores Services with another proxy name, and slices of headless Services', () => {
  const labels = { 'service.kubernetes.io/service-proxy-name': 'other' };
  const headlessLabels = { 'service.kubernetes.io/headless': '' };
  expect(isWatched({ kind: 'Service' })).toBe(true);
  expect(isWatched({ kind: 'Service', metadata: { labels } })).toBe(false);
  expect(isWatched({ metadata: { labels } }, 'Service')).toBe(false);
  expect(isWatched({ kind: 'Service', metadata: { labels: headlessLabels } })).toBe(true);
  expect(isWatched({ kind: 'EndpointSlice', metadata: { labels: headlessLabels } })).toBe(false);
  expect(isWatched({ metadata: { labels: headlessLabels } }, 'EndpointSlice')).toBe(false);
  expect(isWatched({ metadata: { labels } }, 'EndpointSlice')).toBe(true);
});
