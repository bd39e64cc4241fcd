import { expect, test } from 'vitest';
import { aggregateResources, defaultPodResources, isPodLevel } from '../../../../src/resources/pods/defaults/pod-resources.ts';

const makeContainer = (cpu: string, fields: object = {}): object => ({ resources: { requests: { cpu } }, ...fields });
const nanosPerUnit = 1_000_000_000n;

test('aggregateResources returns the maximum of the running containers and of each init step', () => {
  const spec = {
    containers: [makeContainer('1'), makeContainer('2')],
    initContainers: [makeContainer('9'), makeContainer('4', { restartPolicy: 'Always' }), makeContainer('5')],
  };
  expect(aggregateResources(spec, 'requests').get('cpu')?.nanos).toBe(9n * nanosPerUnit);
  expect(aggregateResources({ ...spec, initContainers: spec.initContainers.slice(1) }, 'requests').get('cpu')?.nanos).toBe(
    9n * nanosPerUnit,
  );
  expect(aggregateResources({ ...spec, initContainers: [] }, 'requests').get('cpu')?.nanos).toBe(3n * nanosPerUnit);
});

test.each([
  [['1e3', '1e3'], '2e3'],
  [['0', '1Ki'], '1Ki'],
  [['1Ki', '1e3'], '2024'],
  [['500m', '500m'], '1'],
  [['1e3', '1Ki'], '2024'],
])('the sum of %j has the format of the first amount that is not zero', ([first = '', second = ''], expected) => {
  const spec = { containers: [makeContainer(first), makeContainer(second)] };
  expect(aggregateResources(spec, 'requests').get('cpu')?.text).toBe(expected);
});

test('the larger of two steps keeps its format', () => {
  const spec = { containers: [], initContainers: [makeContainer('0'), makeContainer('1e3')] };
  expect(aggregateResources(spec, 'requests').get('cpu')?.text).toBe('1e3');
});

test('pod-level requests default to the sum of the containers or to the limits', () => {
  const spec = { resources: { limits: { cpu: '8', memory: '1Gi' } }, containers: [makeContainer('500m')] };
  defaultPodResources(spec);
  expect(spec.resources).toEqual({ limits: { cpu: '8', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } });
});

test('pod-level huge page limits default to those of the containers', () => {
  const spec = { resources: { requests: { cpu: '1' } }, containers: [{ resources: { limits: { 'hugepages-2Mi': '4Mi' } } }] };
  defaultPodResources(spec);
  expect(spec.resources).toEqual({ requests: { cpu: '1', 'hugepages-2Mi': '4Mi' }, limits: { 'hugepages-2Mi': '4Mi' } });
  const withoutResources = { containers: [makeContainer('1')] };
  defaultPodResources(withoutResources);
  expect(withoutResources).not.toHaveProperty('resources');
  expect(['cpu', 'memory', 'hugepages-1Gi', 'storage'].map(isPodLevel)).toEqual([true, true, true, false]);
});
