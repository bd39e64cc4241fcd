import { describe, expect, it } from 'vitest';
import {
  createSelectableFields,
  createServedVersions,
  createStoredForm,
  deprecationWarningOf,
  resourceOf,
  type StoredFormOptions,
  storageStrategyOf,
} from '../../../src/custom-resources/controller/serving.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { makeDefinition, makeEstablishedDefinition, makeThing, makeVersion, things } from '../support.ts';

const options = { mayHaveOlderObjects: false };

describe('createServedVersions', () => {
  it('returns no version before the names are accepted', () => {
    expect(createServedVersions(makeDefinition(), options)).toEqual([]);
  });

  it('returns the served versions, with conversion from the storage version', () => {
    const versions = [makeVersion('v1'), makeVersion('v2', { deprecated: true }), makeVersion('v3', { served: false })];
    const servedVersions = createServedVersions(makeEstablishedDefinition({ versions }), options);
    expect(
      servedVersions.map(({ catalogEntry: { resource, storedAs, deprecation } }) => [resource.version, storedAs?.version, deprecation]),
    ).toEqual([
      ['v1', undefined, undefined],
      ['v2', 'v1', 'example.com/v2 Thing is deprecated'],
    ]);
    expect(servedVersions.map(({ strategy }) => strategy.storedAs?.resource.version)).toEqual([undefined, 'v1']);
  });

  it('converts stored objects if they may predate the schema', () => {
    const [servedVersion] = createServedVersions(makeEstablishedDefinition(), { mayHaveOlderObjects: true });
    expect(servedVersion?.strategy.storedAs?.resource.version).toBe('v1');
    expect(servedVersion?.catalogEntry.storedAs).toBeUndefined();
  });

  it('publishes names, subresources and columns', () => {
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    const names = { shortNames: ['t'], categories: ['all'] };
    const versionOptions = {
      subresources: { status: {}, scale },
      additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }],
    };
    const [servedVersion] = createServedVersions(
      makeEstablishedDefinition({ names, versions: [makeVersion('v1', versionOptions)] }),
      options,
    );
    expect(servedVersion?.catalogEntry).toMatchObject({ singular: 'thing', listKind: 'ThingList', shortNames: ['t'], categories: ['all'] });
    expect(servedVersion?.catalogEntry.subresources.map(({ name, type }) => [name, type?.kind])).toEqual([
      ['status', undefined],
      ['scale', 'Scale'],
    ]);
    expect(servedVersion?.catalogEntry.columns.map(({ name }) => name)).toEqual(['Name', 'N']);
    expect(servedVersion?.strategy.subresources).toEqual(['status']);
  });
});

describe('storageStrategyOf', () => {
  it('returns the strategy of the storage version even if it is not served', () => {
    const versions = [makeVersion('v1', { served: false }), makeVersion('v2')];
    expect(storageStrategyOf(makeEstablishedDefinition({ versions }))?.resource).toEqual(
      resourceOf(makeEstablishedDefinition(), makeVersion('v1')),
    );
    expect(storageStrategyOf(makeDefinition({ versions: [] }))).toBeUndefined();
  });
});

describe('deprecationWarningOf', () => {
  const deprecatedVersion = makeVersion('v1beta1', { deprecated: true });

  it('names the newest version that is served and not deprecated', () => {
    const versions = [makeVersion('v1'), deprecatedVersion, makeVersion('v2', { deprecated: true }), makeVersion('v3', { served: false })];
    expect(deprecationWarningOf(deprecatedVersion, 'example.com', 'Thing', versions)).toBe(
      'example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing',
    );
    expect(deprecationWarningOf(deprecatedVersion, 'example.com', 'Thing', [deprecatedVersion])).toBe(
      'example.com/v1beta1 Thing is deprecated',
    );
  });

  it('returns the warning of the definition, and undefined for versions that are not deprecated', () => {
    expect(deprecationWarningOf({ ...deprecatedVersion, deprecationWarning: 'gone soon' }, 'example.com', 'Thing', [])).toBe('gone soon');
    expect(deprecationWarningOf(makeVersion('v1'), 'example.com', 'Thing', [])).toBeUndefined();
  });
});

describe('createSelectableFields', () => {
  it('reads fields by path; a missing field is an empty string', () => {
    const { fields = {} } = createSelectableFields(['.spec.colour', '.spec.on', '.spec.n']);
    expect(Object.keys(fields)).toEqual(['spec.colour', 'spec.on', 'spec.n']);
    const read = (spec: unknown): string[] => Object.values(fields).map((reader) => reader(makeThing({ spec })));
    expect(read({ colour: 'red', on: true, n: 5 })).toEqual(['red', 'true', '5']);
    expect(read({ colour: null })).toEqual(['', '', '']);
  });
});

const schemaWithSpec = (properties: Schema['properties'] = {}): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});
const text: Schema = { type: 'string' };
const v2 = { ...things, version: 'v2' };
const createForm = (options: Partial<StoredFormOptions> = {}) =>
  createStoredForm({
    servedResource: v2,
    storageResource: things,
    servedSchema: schemaWithSpec({ a: text, onlyServed: text }),
    storedSchema: schemaWithSpec({ a: text, filled: { type: 'string', default: 'x' }, onlyStored: text }),
    ...options,
  });
const servedObject = { ...makeThing({ spec: { a: '1', onlyServed: '2' } }), apiVersion: 'example.com/v2' };
const storedObject = makeThing({ spec: { a: '1', onlyStored: '3' } });

describe('createStoredForm', () => {
  it('converts a served version to the storage version', () => {
    expect(createForm().resource).toBe(things);
    expect(createForm().toStored(servedObject)).toEqual(makeThing({ spec: { a: '1', filled: 'x' } }));
  });

  it('converts a stored object to the served version', () => {
    expect(createForm().fromStored(storedObject)).toEqual({ ...makeThing({ spec: { a: '1' } }), apiVersion: 'example.com/v2' });
  });

  it('prunes and defaults stored objects of the same version', () => {
    const sameVersionForm = createForm({ servedResource: things, servedSchema: schemaWithSpec() });
    expect(sameVersionForm.toStored(storedObject)).toBe(storedObject);
    expect(sameVersionForm.fromStored(makeThing({ spec: { a: '1', gone: 1 } }))).toEqual(makeThing({ spec: { a: '1', filled: 'x' } }));
  });
});
