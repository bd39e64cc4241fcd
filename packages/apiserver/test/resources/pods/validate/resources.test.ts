import { expect, test } from 'vitest';
import { validatePodResources, validateRequirements } from '../../../../src/resources/pods/validate/resources.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const check = (resources: object, level: 'container' | 'pod' = 'container'): string[] =>
  fieldsOf(reportedCauses((causes) => validateRequirements(resources as Record<string, unknown>, 'r', level, causes)));

test.each([
  [{ limits: { cpu: '1' }, requests: { cpu: '1' } }, []],
  [{ limits: { cpu: '1' }, requests: { cpu: '2' } }, ['r.requests']],
  [{ requests: { 'example.com/gpu': '1' } }, ['r.limits']],
  [{ limits: { 'example.com/gpu': '2' }, requests: { 'example.com/gpu': '1' } }, ['r.requests']],
  [{ limits: { odd: '1' } }, ['r.limits[odd]', 'r.limits[odd]']],
  [{ limits: { a_: '-1' } }, ['r.limits[a_]', 'r.limits[a_]', 'r.limits[a_]']],
  [{ limits: { 'hugepages-2Mi': '3Mi' } }, ['r.limits[hugepages-2Mi]', 'r']],
  [
    { claims: [{}, { name: 'a' }, { name: 'a', request: 'B' }] },
    ['r.claims[0]', 'r.claims[1]', 'r.claims[2]', 'r.claims[2].request', 'r.claims[2]'],
  ],
])('validateRequirements checks %j', (resources, fields) => expect(check(resources)).toEqual(fields));

test('pod-level resources support few resource types and must cover the containers', () => {
  expect(check({ limits: { storage: '1' } }, 'pod')).toEqual(['r.limits[storage]']);
  const spec = {
    resources: { limits: { cpu: '1' }, requests: { cpu: '1' }, claims: [{ name: 'a' }] },
    containers: [{ resources: { limits: { cpu: '2' }, requests: { cpu: '1' } } }, { resources: { requests: { cpu: '500m' } } }],
  };
  expect(reportedCauses((causes) => validatePodResources(spec, causes)).map((line) => line.split(' ').slice(1).join(' '))).toEqual([
    'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
    'spec.resources.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty',
    'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1500m',
    'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
  ]);
});

test('claims must name existing resource claims', () => {
  const check = (podClaims: readonly string[]): string[] =>
    reportedCauses((causes) => validateRequirements({ claims: [{ name: 'a' }] }, 'r', 'container', causes, podClaims));
  expect(check(['a'])).toEqual([]);
  expect(check(['c', 'b'])).toEqual([
    'FieldValueNotFound r.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims: b, c',
  ]);
});
