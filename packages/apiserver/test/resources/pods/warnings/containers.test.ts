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
  const portPath = (i: number): string => `spec.containers[0].ports[${i}]`;
  expect(warnings({ containers: [{ ports }] })).toEqual([
    `${portPath(1)}: duplicate port definition with ${portPath(0)}`,
    `${portPath(2)}: overlapping port definition with ${portPath(0)}`,
    `${portPath(2)}: overlapping port definition with ${portPath(1)}`,
    `${portPath(3)}: overlapping port definition with ${portPath(0)}`,
    `${portPath(3)}: overlapping port definition with ${portPath(1)}`,
    `${portPath(3)}: dangerously ambiguous port definition with ${portPath(2)}`,
    `${portPath(4)}: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:81 Protocol: HostIP:192.0.2.1}`,
    `${portPath(5)}: duplicate port name "a" with ${portPath(0)}, services and probes that select ports by name will use ${portPath(0)}`,
  ]);
  expect(warnings({ initContainers: [{ ports: [{ containerPort: 1 }] }], containers: [{ ports: [{ containerPort: 1 }] }] })).toEqual([
    'spec.containers[0].ports[0]: duplicate port definition with spec.initContainers[0].ports[0]',
  ]);
});

test('a variable that hides an earlier definition causes a warning, unless its value extends that definition', () => {
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
