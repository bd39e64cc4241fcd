import { hasReason } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import {
  createSelectableFields,
  createServings,
  createStoredForm,
  deprecationOf,
  resourceOf,
  type StoredFormOptions,
  storageStrategyOf,
} from '../../../src/custom-resources/controller/serving.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { createEstablished, definition, makeThing, things, version } from '../support.ts';

const options = { mayHaveOlderObjects: false };

describe('createServings', () => {
  it('returns no version before the names are accepted', () => {
    expect(createServings(definition(), options)).toEqual([]);
  });

  it('returns the served versions, with conversion from the storage version', () => {
    const versions = [version('v1'), version('v2', { deprecated: true }), version('v3', { served: false })];
    const servings = createServings(createEstablished({ versions }), options);
    expect(servings.map(({ served: { resource, storedAs, deprecation } }) => [resource.version, storedAs?.version, deprecation])).toEqual([
      ['v1', undefined, undefined],
      ['v2', 'v1', 'example.com/v2 Thing is deprecated'],
    ]);
    expect(servings.map(({ strategy }) => strategy.storedAs?.resource.version)).toEqual([undefined, 'v1']);
  });

  it('converts stored objects if they may predate the schema', () => {
    const [serving] = createServings(createEstablished(), { mayHaveOlderObjects: true });
    expect(serving?.strategy.storedAs?.resource.version).toBe('v1');
    expect(serving?.served.storedAs).toBeUndefined();
  });

  it('publishes names, subresources and columns', () => {
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    const names = { shortNames: ['t'], categories: ['all'] };
    const versionOptions = {
      subresources: { status: {}, scale },
      additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }],
    };
    const [serving] = createServings(createEstablished({ names, versions: [version('v1', versionOptions)] }), options);
    expect(serving?.served).toMatchObject({ singular: 'thing', listKind: 'ThingList', shortNames: ['t'], categories: ['all'] });
    expect(serving?.served.subresources.map(({ name, type }) => [name, type?.kind])).toEqual([
      ['status', undefined],
      ['scale', 'Scale'],
    ]);
    expect(serving?.served.columns.map(({ name }) => name)).toEqual(['Name', 'N']);
    expect(serving?.strategy.subresources).toEqual(['status']);
  });
});

describe('storageStrategyOf', () => {
  it('returns the strategy of the storage version even if it is not served', () => {
    const versions = [version('v1', { served: false }), version('v2')];
    expect(storageStrategyOf(createEstablished({ versions }))?.resource).toEqual(resourceOf(createEstablished(), version('v1')));
    expect(storageStrategyOf(definition({ versions: [] }))).toBeUndefined();
  });
});

describe('deprecationOf', () => {
  const deprecatedVersion = version('v1beta1', { deprecated: true });

  it('names the newest version that is served and not deprecated', () => {
    const versions = [version('v1'), deprecatedVersion, version('v2', { deprecated: true }), version('v3', { served: false })];
    expect(deprecationOf(deprecatedVersion, 'example.com', 'Thing', versions)).toBe(
      'example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing',
    );
    expect(deprecationOf(deprecatedVersion, 'example.com', 'Thing', [deprecatedVersion])).toBe('example.com/v1beta1 Thing is deprecated');
  });

  it('returns the warning of the definition, and undefined for versions that are not deprecated', () => {
    expect(deprecationOf({ ...deprecatedVersion, deprecationWarning: 'gone soon' }, 'example.com', 'Thing', [])).toBe('gone soon');
    expect(deprecationOf(version('v1'), 'example.com', 'Thing', [])).toBeUndefined();
  });
});

describe('selectableFields', () => {
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
    served: v2,
    stored: things,
    servedSchema: schemaWithSpec({ a: text, onlyServed: text }),
    storedSchema: schemaWithSpec({ a: text, filled: { type: 'string', default: 'x' }, onlyStored: text }),
    needsWebhook: false,
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
    const sameVersionForm = createForm({ served: things, servedSchema: schemaWithSpec() });
    expect(sameVersionForm.toStored(storedObject)).toBe(storedObject);
    expect(sameVersionForm.fromStored(makeThing({ spec: { a: '1', gone: 1 } }))).toEqual(makeThing({ spec: { a: '1', filled: 'x' } }));
  });

  it('refuses only conversions that need a webhook', () => {
    const isRefused = (convert: () => unknown): boolean => {
      try {
        convert();
        return false;
      } catch (error) {
        expect(error).toMatchObject({
          message: 'conversion webhook for example.com/v2, Kind=Thing failed: this server calls no conversion webhooks',
          status: { code: 500 },
        });
        return hasReason(error, 'InternalError');
      }
    };
    expect(isRefused(() => createForm({ needsWebhook: true }).toStored(servedObject))).toBe(true);
    expect(isRefused(() => createForm({ needsWebhook: true }).fromStored(storedObject))).toBe(true);
    const sameVersionForm = createForm({ served: things, servedSchema: schemaWithSpec(), needsWebhook: true });
    expect(sameVersionForm.toStored(storedObject)).toBe(storedObject);
    expect(sameVersionForm.fromStored(storedObject)).toMatchObject({ spec: { a: '1' } });
  });
});
