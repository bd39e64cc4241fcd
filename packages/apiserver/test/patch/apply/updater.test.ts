import { describe, expect, test } from 'vitest';
import { createFieldSet, pathsOf } from '../../../src/patch/apply/field-set.ts';
import { formatPath } from '../../../src/patch/apply/path-element.ts';
import { apply, Conflicts, type Managers, type UpdateContext, update, type VersionedObject } from '../../../src/patch/apply/updater.ts';
import { deducedType } from '../../../src/patch/types/type.ts';
import { toy } from '../support.ts';
import { parseTypes } from '../type-text.ts';

const v1 = (object: unknown): VersionedObject => ({ object, apiVersion: 'v1', type: toy });
const noManagers: Managers = new Map();
const identityConverter: UpdateContext = { convert: (object, apiVersion) => (apiVersion === 'v1' ? object : undefined) };
const formatSets = (managers: Managers) =>
  Object.fromEntries(
    [...managers].map(([name, { set }]) => [
      name,
      pathsOf(set)
        .map((path) => formatPath(path))
        .join(' '),
    ]),
  );
const applyConfig = (live: unknown, config: unknown, managers: Managers, manager: string, { force = false } = {}) =>
  apply(v1(live), v1(config), managers, manager, force, identityConverter);

describe('apply', () => {
  const first = applyConfig({}, { count: 1, labels: { a: '1' } }, noManagers, 'm');

  test('assigns applied fields to the manager', () => {
    expect(first.object).toEqual({ count: 1, labels: { a: '1' } });
    expect(formatSets(first.managers)).toEqual({ m: '.count .labels.a' });
  });

  test('removes fields that the manager no longer applies', () => {
    const second = applyConfig(first.object, { labels: { a: '1' } }, first.managers, 'm');
    expect(second.object).toEqual({ labels: { a: '1' } });
    expect(formatSets(second.managers)).toEqual({ m: '.labels.a' });
  });

  test('keeps fields that another manager applies', () => {
    const shared = applyConfig(first.object, { count: 1 }, first.managers, 'other');
    expect(shared.object).toBeUndefined();
    const dropped = applyConfig(first.object, {}, shared.managers, 'm');
    expect(dropped.object).toEqual({ count: 1 });
    expect(formatSets(dropped.managers)).toEqual({ other: '.count' });
  });

  test('refuses to change fields of another manager unless forced', () => {
    expect(() => applyConfig(first.object, { count: 2 }, first.managers, 'other')).toThrow(Conflicts);
    const forced = applyConfig(first.object, { count: 2 }, first.managers, 'other', { force: true });
    expect(forced.object).toEqual({ count: 2, labels: { a: '1' } });
    expect(formatSets(forced.managers)).toEqual({ m: '.labels.a', other: '.count' });
  });

  test('drops managers of unknown versions', () => {
    const old: Managers = new Map([['old', { set: createFieldSet(['f:count']), apiVersion: 'v0', applied: true }]]);
    expect(formatSets(applyConfig({ count: 1 }, { count: 2 }, old, 'm').managers)).toEqual({ m: '.count' });
  });
});

describe('update', () => {
  test('moves changed fields to the manager', () => {
    const before: Managers = new Map([
      ['m', { set: createFieldSet(['f:count'], ['f:flag'], ['f:kind']), apiVersion: 'v1', applied: true }],
    ]);
    const after = update(v1({ count: 1, flag: true, kind: 'k' }), v1({ count: 2, kind: 'k', raw: 1 }), before, 'u', identityConverter);
    expect(formatSets(after)).toEqual({ m: '.kind', u: '.count .raw' });
  });

  test('creates no manager if nothing changes', () => {
    expect(formatSets(update(v1({ count: 1 }), v1({ count: 1 }), noManagers, 'u', identityConverter))).toEqual({});
  });

  test('does not own reset fields', () => {
    const resetFields = new Map([['v1', createFieldSet(['f:nest'])]]);
    expect(
      formatSets(update(v1({}), v1({ count: 1, nest: { left: 'l' } }), noManagers, 'u', { ...identityConverter, resetFields })),
    ).toEqual({ u: '.count' });
  });
});

test('apply compares and prunes each version by its own type', () => {
  const old = parseTypes('Old\n  number:n other:s').get('Old') ?? deducedType;
  const convert = (versioned: VersionedObject, apiVersion: string): VersionedObject => {
    const { count, number, other } = (versioned.object ?? {}) as Record<string, unknown>;
    if (apiVersion === versioned.apiVersion) return versioned;
    const value = count ?? number;
    const object = {
      ...(value !== undefined && { [apiVersion === 'v0' ? 'number' : 'count']: value }),
      ...(other !== undefined && { other }),
    };
    return { object, apiVersion, type: apiVersion === 'v0' ? old : toy };
  };
  const managers: Managers = new Map([['m', { set: createFieldSet(['f:number']), apiVersion: 'v0', applied: true }]]);
  expect(() => apply(v1({ count: 1 }), v1({ count: 2 }), managers, 'n', false, { convert })).toThrow(Conflicts);
  const result = apply(v1({ count: 1 }), v1({ flag: true }), managers, 'm', false, {
    convert: (object, version) => (version === 'v1' ? object : convert(object, version)),
  });
  expect(formatSets(result.managers)).toEqual({ m: '.flag' });
});

test('apply restores owned fields in the version of the object first, since other versions may need them for conversion', () => {
  const old = parseTypes('Old\n  number:n kind:s').get('Old') ?? deducedType;
  const convert = (versioned: VersionedObject, apiVersion: string): VersionedObject => {
    if (apiVersion === versioned.apiVersion) return versioned;
    const { count, number, kind } = versioned.object as Record<string, unknown>;
    const value = count ?? number;
    const fields = { ...(value !== undefined && { [apiVersion === 'v0' ? 'number' : 'count']: value }), kind };
    return { object: kind === undefined ? {} : fields, apiVersion, type: apiVersion === 'v0' ? old : toy };
  };
  const managers: Managers = new Map([
    ['m', { set: createFieldSet(['f:count'], ['f:kind']), apiVersion: 'v1', applied: true }],
    ['n', { set: createFieldSet(['f:number']), apiVersion: 'v0', applied: true }],
    ['other', { set: createFieldSet(['f:kind']), apiVersion: 'v1', applied: true }],
  ]);
  const { object, managers: remaining } = apply(v1({ count: 1, kind: 'k' }), v1({}), managers, 'm', false, { convert });
  expect(object).toBeUndefined();
  expect(formatSets(remaining)).toEqual({ n: '.number', other: '.kind' });
});
