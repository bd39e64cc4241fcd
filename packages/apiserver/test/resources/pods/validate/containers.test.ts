import { expect, test } from 'vitest';
import { validateContainers, validateInitContainers, validatePullPolicy } from '../../../../src/resources/pods/validate/containers.ts';
import { fieldsOf, found } from '../../support.ts';

const container = { name: 'a', image: 'b', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' };
const none = new Map<string, Record<string, unknown>>();
const regular = (...containers: object[]): string[] => fieldsOf(found((causes) => validateContainers({ containers }, none, causes)));
const initial = (...initContainers: object[]): string[] =>
  fieldsOf(found((causes) => validateInitContainers({ containers: [container], initContainers }, none, causes)));

test('a pod requires containers with unique names', () => {
  expect(regular(container)).toEqual([]);
  expect(regular()).toEqual(['spec.containers']);
  expect(regular(container, container, {})).toEqual([
    'spec.containers[1].name',
    'spec.containers[2].name',
    'spec.containers[2].image',
    'spec.containers[2].terminationMessagePolicy',
    'spec.containers[2].imagePullPolicy',
  ]);
});

test('init containers have no lifecycle, probes or resize policy unless restarted always', () => {
  const lifecycle = { preStop: { exec: { command: ['a'] } } };
  expect(initial({ ...container, name: 'b', lifecycle, startupProbe: {} })).toEqual(
    ['lifecycle', 'startupProbe'].map((name) => `spec.initContainers[0].${name}`),
  );
  expect(initial({ ...container, name: 'b', lifecycle, restartPolicy: 'Always' })).toEqual([]);
  expect(initial(container)).toEqual(['spec.initContainers[0].name']);
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  expect(initial({ ...container, name: 'b', resizePolicy })).toEqual(['spec.initContainers[0].resizePolicy[0].restartPolicy']);
});

test('validatePullPolicy refuses an unknown value', () => {
  expect(found((causes) => validatePullPolicy({ p: 'Odd' }, 'p', 'f', causes))).toHaveLength(1);
});
