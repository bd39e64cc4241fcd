import { hasReason } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  deprecationOf,
  type FormOptions,
  resourceOf,
  selectableFields,
  servingsOf,
  storageStrategyOf,
  storedForm,
} from '../../../src/custom-resources/controller/serving.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { definition, established, thing, things, version } from '../support.ts';

const options = { hasOlder: false };

describe('servingsOf', () => {
  it('serves nothing before names are accepted', () => {
    expect(servingsOf(definition(), options)).toEqual([]);
  });

  it('serves the versions marked as served, converted from the storage version', () => {
    const versions = [version('v1'), version('v2', { deprecated: true }), version('v3', { served: false })];
    const servings = servingsOf(established({ versions }), options);
    expect(servings.map(({ served: { resource, storedAs, deprecation } }) => [resource.version, storedAs?.version, deprecation])).toEqual([
      ['v1', undefined, undefined],
      ['v2', 'v1', 'example.com/v2 Thing is deprecated'],
    ]);
    expect(servings.map(({ strategy }) => strategy.storedAs?.resource.version)).toEqual([undefined, 'v1']);
  });

  it('converts stored objects if they may predate the schema', () => {
    const [serving] = servingsOf(established(), { hasOlder: true });
    expect(serving?.strategy.storedAs?.resource.version).toBe('v1');
    expect(serving?.served.storedAs).toBeUndefined();
  });

  it('publishes names, subresources and columns', () => {
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    const names = { shortNames: ['t'], categories: ['all'] };
    const parts = { subresources: { status: {}, scale }, additionalPrinterColumns: [{ name: 'N', type: 'integer', jsonPath: '.spec.n' }] };
    const [serving] = servingsOf(established({ names, versions: [version('v1', parts)] }), options);
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
  it('uses the storage version, served or not', () => {
    const versions = [version('v1', { served: false }), version('v2')];
    expect(storageStrategyOf(established({ versions }))?.resource).toEqual(resourceOf(established(), version('v1')));
    expect(storageStrategyOf(definition({ versions: [] }))).toBeUndefined();
  });
});

describe('compareVersions', () => {
  it('orders stable versions before others, and newer before older ones', () => {
    const order = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    expect([...order].reverse().sort((a, b) => compareVersions(b, a))).toEqual(order);
    expect(compareVersions('v1', 'v1')).toBe(0);
  });
});

describe('deprecationOf', () => {
  const old = version('v1beta1', { deprecated: true });

  it('names the newest version that is served and not deprecated', () => {
    const all = [version('v1'), old, version('v2', { deprecated: true }), version('v3', { served: false })];
    expect(deprecationOf(old, 'example.com', 'Thing', all)).toBe('example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing');
    expect(deprecationOf(old, 'example.com', 'Thing', [old])).toBe('example.com/v1beta1 Thing is deprecated');
  });

  it('uses the warning of the definition, and is undefined for versions that are not deprecated', () => {
    expect(deprecationOf({ ...old, deprecationWarning: 'gone soon' }, 'example.com', 'Thing', [])).toBe('gone soon');
    expect(deprecationOf(version('v1'), 'example.com', 'Thing', [])).toBeUndefined();
  });
});

describe('selectableFields', () => {
  it('reads fields by path, and missing ones as empty strings', () => {
    const { fields = {} } = selectableFields(['.spec.colour', '.spec.on', '.spec.n']);
    expect(Object.keys(fields)).toEqual(['spec.colour', 'spec.on', 'spec.n']);
    const read = (spec: unknown): string[] => Object.values(fields).map((reader) => reader(thing({ spec })));
    expect(read({ colour: 'red', on: true, n: 5 })).toEqual(['red', 'true', '5']);
    expect(read({ colour: null })).toEqual(['', '', '']);
  });
});

const specOf = (properties: Schema['properties'] = {}): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});
const text: Schema = { type: 'string' };
const v2 = { ...things, version: 'v2' };
const form = (options: Partial<FormOptions> = {}) =>
  storedForm({
    served: v2,
    stored: things,
    servedSchema: specOf({ a: text, onlyServed: text }),
    storedSchema: specOf({ a: text, filled: { type: 'string', default: 'x' }, onlyStored: text }),
    needsWebhook: false,
    ...options,
  });
const served = { ...thing({ spec: { a: '1', onlyServed: '2' } }), apiVersion: 'example.com/v2' };
const stored = thing({ spec: { a: '1', onlyStored: '3' } });

describe('storedForm', () => {
  it('converts a served version to the storage version', () => {
    expect(form().resource).toBe(things);
    expect(form().toStored(served)).toEqual(thing({ spec: { a: '1', filled: 'x' } }));
  });

  it('converts a stored object to the served version', () => {
    expect(form().fromStored(stored)).toEqual({ ...thing({ spec: { a: '1' } }), apiVersion: 'example.com/v2' });
  });

  it('prunes and defaults stored objects of the same version', () => {
    const same = form({ served: things, servedSchema: specOf() });
    expect(same.toStored(stored)).toBe(stored);
    expect(same.fromStored(thing({ spec: { a: '1', gone: 1 } }))).toEqual(thing({ spec: { a: '1', filled: 'x' } }));
  });

  it('refuses only conversions that need a webhook', () => {
    const refused = (convert: () => unknown): boolean => {
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
    expect(refused(() => form({ needsWebhook: true }).toStored(served))).toBe(true);
    expect(refused(() => form({ needsWebhook: true }).fromStored(stored))).toBe(true);
    const same = form({ served: things, servedSchema: specOf(), needsWebhook: true });
    expect(same.toStored(stored)).toBe(stored);
    expect(same.fromStored(stored)).toMatchObject({ spec: { a: '1' } });
  });
});
