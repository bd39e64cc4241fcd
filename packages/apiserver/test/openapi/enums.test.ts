import { expect, test } from 'vitest';
import { toEnum } from '../../src/openapi/enums.ts';
import { apiTypes } from '../../src/resources/index.ts';

test('enum types list their values', () => {
  expect(toEnum('v1.ServiceType')).toEqual({ enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] });
  expect(toEnum('v1.IPFamily')).toEqual({ enum: ['', 'IPv4', 'IPv6'] });
  expect(toEnum('v1.OperationType')).toEqual({ enum: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'] });
});

test('other types have no enum', () => {
  expect(toEnum('string')).toEqual({});
  expect(toEnum('v1.ConditionStatus')).toEqual({});
});

test('Signal lists all signals, including real-time ones', () => {
  const { enum: signals } = toEnum('v1.Signal') as { enum: readonly string[] };
  expect(signals).toHaveLength(65);
  expect(signals).toEqual(expect.arrayContaining(['SIGTERM', 'SIGRTMIN+15', 'SIGRTMAX-14', 'SIGRTMIN', 'SIGRTMAX']));
  expect(signals).not.toContain('SIGRTMIN+16');
});

test('every enum type in the tables is a string', () => {
  const enumTypes = [...apiTypes.values()].filter((type) => 'go' in type && toEnum(type.go)['enum'] !== undefined);
  expect(enumTypes.length).toBeGreaterThan(35);
  expect(enumTypes.filter(({ kind }) => kind !== 'text')).toEqual([]);
});
