import { describe, expect, test } from 'vitest';
import { createFieldSet, type FieldSet, pathsOf } from '../../../src/patch/apply/field-set.ts';
import { lastAppliedAnnotation, removeLastAppliedConflicts, updateLastApplied } from '../../../src/patch/apply/last-applied.ts';
import { Conflicts } from '../../../src/patch/apply/updater.ts';
import { builtInKind } from '../../../src/patch/types/built-in.ts';
import { deducedType } from '../../../src/patch/types/type.ts';

const type = builtInKind('v1', 'ConfigMap')?.type ?? deducedType;
const createLiveResource = (applied: unknown) => ({
  apiVersion: 'v1',
  type,
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { annotations: { [lastAppliedAnnotation]: typeof applied === 'string' ? applied : JSON.stringify(applied) } },
    data: { same: '1', changed: '2' },
  },
});
const applied = { apiVersion: 'v1', kind: 'ConfigMap', data: { same: '1', changed: '1' } };
const conflicts = (...names: string[]) =>
  new Conflicts(new Map<string, FieldSet>([['m', createFieldSet(...names.map((name) => ['f:data', `f:${name}`]))]]));

describe('conflicts', () => {
  test('are dropped for fields that equal the last-applied configuration', () => {
    expect(removeLastAppliedConflicts(conflicts('same'), createLiveResource(applied))).toBeUndefined();
  });

  test('remain for all other fields', () => {
    const remaining = removeLastAppliedConflicts(conflicts('same', 'changed', 'other'), createLiveResource(applied));
    expect([...(remaining?.sets.values() ?? [])].flatMap((set) => pathsOf(set))).toEqual([
      ['f:data', 'f:changed'],
      ['f:data', 'f:other'],
    ]);
  });

  test.each([['{'], [''], [{ ...applied, apiVersion: 'v2' }], [{ ...applied, bogus: 1 }], [5]])(
    'remain if the last-applied configuration is %j',
    (text) => {
      const all = conflicts('same');
      expect(removeLastAppliedConflicts(all, createLiveResource(text))).toBe(all);
    },
  );
});

describe('the last-applied annotation', () => {
  test('is updated if present', () => {
    const { object } = createLiveResource(applied);
    const config = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { annotations: { [lastAppliedAnnotation]: 'old', a: '<' } } };
    updateLastApplied(object, config);
    expect(object.metadata.annotations[lastAppliedAnnotation]).toBe(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"a":"\\u003c"}}}\n',
    );
    expect(config.metadata.annotations[lastAppliedAnnotation]).toBe('old');
  });

  test('is not created', () => {
    const object = { metadata: { annotations: {} } };
    updateLastApplied(object, applied);
    expect(object).toEqual({ metadata: { annotations: {} } });
  });

  test('is removed if it would be too large', () => {
    const { object } = createLiveResource(applied);
    updateLastApplied(object, { data: { a: 'x'.repeat(300_000) } });
    expect(Object.keys(object.metadata.annotations)).toEqual([]);
  });
});
