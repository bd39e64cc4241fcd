import { expect, test } from 'vitest';
import { containersWithPaths, warningsOfContainers } from '../../../../src/resources/pods/warnings/containers.ts';

const warnings = (spec: object): readonly string[] => warningsOfContainers(spec as Record<string, unknown>);

test('duplicate and overlapping ports cause warnings', () => {
  const ports = [
    { containerPort: 80, name: 'a' },
    { containerPort: 80 },
    { containerPort: 80, hostPort: 81 },
    { containerPort: 80, hostPort: 81, hostIP: '192.0.2.1' },
    { containerPort: 81, hostIP: '192.0.2.1' },
    { containerPort: 80, protocol: 'UDP', name: 'a' },
  ];
  const at = (i: number): string => `spec.containers[0].ports[${i}]`;
  expect(warnings({ containers: [{ ports }] })).toEqual([
    `${at(1)}: duplicate port definition with ${at(0)}`,
    `${at(2)}: overlapping port definition with ${at(0)}`,
    `${at(2)}: overlapping port definition with ${at(1)}`,
    `${at(3)}: overlapping port definition with ${at(0)}`,
    `${at(3)}: overlapping port definition with ${at(1)}`,
    `${at(3)}: dangerously ambiguous port definition with ${at(2)}`,
    `${at(4)}: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:81 Protocol: HostIP:192.0.2.1}`,
    `${at(5)}: duplicate port name "a" with ${at(0)}, services and probes that select ports by name will use ${at(0)}`,
  ]);
  expect(warnings({ initContainers: [{ ports: [{ containerPort: 1 }] }], containers: [{ ports: [{ containerPort: 1 }] }] })).toEqual([
    'spec.containers[0].ports[0]: duplicate port definition with spec.initContainers[0].ports[0]',
  ]);
});

test('variables that hide earlier ones cause warnings, unless they refer to them', () => {
  const env = ['1', '$(A)2', '$(A)', '3'].map((value) => ({ name: 'A', value }));
  const hides = 'hides previous definition of "A", which may be dropped when using apply';
  expect(warnings({ containers: [{ env: [...env, { name: 'A', valueFrom: {} }] }] })).toEqual(
    [2, 3, 4].map((i) => `spec.containers[0].env[${i}]: ${hides}`),
  );
});

test('containersWithPaths lists init containers first and ephemeral containers last', () => {
  const spec = { ephemeralContainers: [{}], containers: [{}, {}], initContainers: [{}] };
  expect(containersWithPaths(spec).map(({ path }) => path)).toEqual([
    'spec.initContainers[0]',
    'spec.containers[0]',
    'spec.containers[1]',
    'spec.ephemeralContainers[0]',
  ]);
});
