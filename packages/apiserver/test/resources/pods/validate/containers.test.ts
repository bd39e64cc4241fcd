import { expect, test } from 'vitest';
import { validateContainers, validateInitContainers, validatePullPolicy } from '../../../../src/resources/pods/validate/containers.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const container = { name: 'a', image: 'b', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' };
const noVolumes = new Map<string, Record<string, unknown>>();
const fieldsOfContainers = (...containers: object[]): string[] =>
  fieldsOf(reportedCauses((causes) => validateContainers({ containers }, noVolumes, causes)));
const fieldsOfInitContainers = (...initContainers: object[]): string[] =>
  fieldsOf(reportedCauses((causes) => validateInitContainers({ containers: [container], initContainers }, noVolumes, causes)));

test('a pod requires containers with unique names', () => {
  expect(fieldsOfContainers(container)).toEqual([]);
  expect(fieldsOfContainers()).toEqual(['spec.containers']);
  expect(fieldsOfContainers(container, container, {})).toEqual([
    'spec.containers[1].name',
    'spec.containers[2].name',
    'spec.containers[2].image',
    'spec.containers[2].terminationMessagePolicy',
    'spec.containers[2].imagePullPolicy',
  ]);
});

test('init containers have no lifecycle, probes or resize policy unless restarted always', () => {
  const lifecycle = { preStop: { exec: { command: ['a'] } } };
  expect(fieldsOfInitContainers({ ...container, name: 'b', lifecycle, startupProbe: {} })).toEqual(
    ['lifecycle', 'startupProbe'].map((name) => `spec.initContainers[0].${name}`),
  );
  expect(fieldsOfInitContainers({ ...container, name: 'b', lifecycle, restartPolicy: 'Always' })).toEqual([]);
  expect(fieldsOfInitContainers(container)).toEqual(['spec.initContainers[0].name']);
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  expect(fieldsOfInitContainers({ ...container, name: 'b', resizePolicy })).toEqual([
    'spec.initContainers[0].resizePolicy[0].restartPolicy',
  ]);
});

test('validatePullPolicy refuses an unknown value', () => {
  expect(reportedCauses((causes) => validatePullPolicy({ p: 'Odd' }, 'p', 'f', causes))).toHaveLength(1);
});
