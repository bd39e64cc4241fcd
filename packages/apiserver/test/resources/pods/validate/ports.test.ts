import { expect, test } from 'vitest';
import { validateContainerPorts, validateUniqueHostPorts } from '../../../../src/resources/pods/validate/ports.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const port = { containerPort: 80, protocol: 'TCP' };

test('container port names are unique, and numbers are in range', () => {
  const ports = [
    { ...port, name: 'a' },
    { ...port, name: 'a' },
    { name: 'A', containerPort: 0, hostPort: -1 },
  ];
  expect(fieldsOf(reportedCauses((causes) => validateContainerPorts(ports, 'p', causes)))).toEqual([
    'p[1].name',
    'p[2].name',
    'p[2].name',
    'p[2].containerPort',
    'p[2].hostPort',
    'p[2].protocol',
  ]);
});

test('a host port must be unique in the pod', () => {
  const portWithHostPort = { ...port, hostPort: 80 };
  const containers = [{ ports: [portWithHostPort, { ...portWithHostPort, hostIP: '1.2.3.4' }] }, { ports: [portWithHostPort] }];
  expect(reportedCauses((causes) => validateUniqueHostPorts(containers, (i) => `c[${i}]`, causes))).toEqual([
    'FieldValueDuplicate c[1].ports[0].hostPort: Duplicate value: "TCP//80"',
  ]);
});
