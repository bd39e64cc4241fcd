import { expect, test } from 'vitest';
import { validatePortNumberOrName, validatePorts } from '../../../src/resources/services/ports.ts';
import { fieldsOf, reportedCauses } from '../support.ts';

const port = { port: 80, protocol: 'TCP', targetPort: 80 };
const check = (phase: 'fields' | 'uniqueness', ports: readonly object[], type = 'NodePort'): string[] =>
  reportedCauses((causes) => validatePorts({ type, ports }, causes, phase));

test('a Service with several ports requires unique port names', () => {
  expect(check('fields', [port])).toEqual([]);
  expect(fieldsOf(check('fields', [port, { ...port, name: 'a' }, { ...port, name: 'a', port: 0, protocol: '' }]))).toEqual([
    'spec.ports[0].name',
    'spec.ports[2].name',
    'spec.ports[2].port',
    'spec.ports[2].protocol',
  ]);
});

test('ports are unique by protocol and number, and node ports by protocol', () => {
  const lines = check('uniqueness', [
    { ...port, nodePort: 1 },
    { ...port, nodePort: 1 },
    { ...port, protocol: 'UDP', nodePort: 1 },
  ]);
  expect(fieldsOf(lines)).toEqual(['spec.ports[1].nodePort', 'spec.ports[1]']);
  expect(fieldsOf(check('uniqueness', [{ ...port, nodePort: 1 }], 'ClusterIP'))).toEqual(['spec.ports[0].nodePort']);
});

test('validatePortNumberOrName accepts a number in range or a name', () => {
  for (const valid of [1, 'http']) expect(reportedCauses((causes) => validatePortNumberOrName(valid, 'f', causes))).toEqual([]);
  for (const invalid of [0, undefined, '', '1', {}])
    expect(reportedCauses((causes) => validatePortNumberOrName(invalid, 'f', causes))).not.toEqual([]);
});
