import { describe, expect, test } from 'vitest';
import { rules } from '../../src/input/rules.ts';
import { formatPath, validate } from '../../src/input/validate.ts';

const metadata = { name: 'x' };

describe('validate', () => {
  test('reports each field once, in the order of the rules', () => {
    const object = {
      metadata: { name: 'X', labels: { a: 1, b: 'b', c: null } },
      spec: { selector: 'no', ports: [{}, null, { port: 80, protocol: '' }] },
    };
    expect(validate('Service', object).map(({ message }) => message)).toEqual([
      'metadata.name is "X": give a name of lower-case letters, digits, "-" and "."',
      'metadata.labels.a is 1: give text, quoted in YAML',
      'metadata.labels.c is null: give text, quoted in YAML',
      'spec.selector is "no": give a map',
      'spec.ports[1] is null: give a map',
      'spec.ports[0].port is missing: give a whole number from 1 to 65535',
    ]);
  });

  test('treats null fields as absent', () => {
    expect(
      validate('Pod', { metadata: { ...metadata, labels: null, creationTimestamp: null }, spec: null, status: { podIPs: null } }),
    ).toEqual([]);
  });

  test('treats __proto__ and constructor like any other key', () => {
    const object = JSON.parse('{"metadata": {"name": "x", "labels": {"__proto__": "a", "constructor": 1}}}');
    expect(validate('Pod', object)).toEqual([
      { path: ['metadata', 'labels', 'constructor'], message: 'metadata.labels.constructor is 1: give text, quoted in YAML' },
    ]);
    expect(validate('Pod', JSON.parse('{"metadata": {"name": "x", "labels": {"__proto__": {}}}}'))).toHaveLength(1);
    expect(validate('Pod', { metadata })).toEqual([]);
  });

  test.each<['Service' | 'Pod' | 'Endpoints', object]>([
    [
      'Service',
      { spec: { clusterIP: '', type: '', ports: [{ port: 65535, targetPort: 0, protocol: 'SCTP' }], publishNotReadyAddresses: true } },
    ],
    ['Pod', { status: { podIP: '010.0.0.1', phase: '', conditions: [{ lastTransitionTime: '2026-01-31T12:00:00.123456789+01:00' }] } }],
    ['Endpoints', { subsets: [{ addresses: [{ ip: '::ffff:1.2.3.4', nodeName: '', targetRef: { kind: 'Pod' } }], ports: [{ port: 0 }] }] }],
  ])('accepts unusual but valid values of a %s', (kind, rest) => {
    expect(validate(kind, { metadata, ...rest })).toEqual([]);
  });

  test.each(Object.entries(rules))('checks a parent before its fields: %s', (_, table) => {
    const previousPaths = new Set<string>();
    for (const { path } of table) {
      const parent = path.replace(/(?:\[\]|\{\}|\.?[^.[\]{}]+)$/, '');
      if (parent !== '') expect(previousPaths, path).toContain(parent);
      previousPaths.add(path);
    }
  });
});

test('formatPath formats paths as kubectl does', () => {
  expect(formatPath(['spec', 'ports', 0, 'port'])).toBe('spec.ports[0].port');
  expect(formatPath(['metadata', 'labels', 'app.kubernetes.io/name'])).toBe('metadata.labels["app.kubernetes.io/name"]');
});
