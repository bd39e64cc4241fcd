import { expect, test } from 'vitest';
import { aggregate, defaultPodResources, isPodLevel } from '../../../../src/resources/pods/defaults/pod-resources.ts';

const asks = (cpu: string, more: object = {}): object => ({ resources: { requests: { cpu } }, ...more });
const unit = 1_000_000_000n;

test('aggregate is the maximum of running containers and of each init step', () => {
  const spec = {
    containers: [asks('1'), asks('2')],
    initContainers: [asks('9'), asks('4', { restartPolicy: 'Always' }), asks('5')],
  };
  expect(aggregate(spec, 'requests').get('cpu')).toBe(9n * unit);
  expect(aggregate({ ...spec, initContainers: spec.initContainers.slice(1) }, 'requests').get('cpu')).toBe(9n * unit);
  expect(aggregate({ ...spec, initContainers: [] }, 'requests').get('cpu')).toBe(3n * unit);
});

test('pod-level requests default to the sum of the containers or to the limits', () => {
  const spec = { resources: { limits: { cpu: '8', memory: '1Gi' } }, containers: [asks('500m')] };
  defaultPodResources(spec);
  expect(spec.resources).toEqual({ limits: { cpu: '8', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } });
});

test('pod-level huge page limits default to those of the containers', () => {
  const spec = { resources: { requests: { cpu: '1' } }, containers: [{ resources: { limits: { 'hugepages-2Mi': '4Mi' } } }] };
  defaultPodResources(spec);
  expect(spec.resources).toEqual({ requests: { cpu: '1', 'hugepages-2Mi': '4Mi' }, limits: { 'hugepages-2Mi': '4Mi' } });
  const none = { containers: [asks('1')] };
  defaultPodResources(none);
  expect(none).not.toHaveProperty('resources');
  expect(['cpu', 'memory', 'hugepages-1Gi', 'storage'].map(isPodLevel)).toEqual([true, true, true, false]);
});
