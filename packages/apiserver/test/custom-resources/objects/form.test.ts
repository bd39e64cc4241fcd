import { hasReason } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { type FormOptions, storedForm } from '../../../src/custom-resources/objects/form.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { thing, things } from '../support.ts';

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
  it('stores a version as another one', () => {
    expect(form().resource).toBe(things);
    expect(form().toStored(served)).toEqual(thing({ spec: { a: '1', filled: 'x' } }));
  });

  it('shows what is stored in the version that is asked for', () => {
    expect(form().fromStored(stored)).toEqual({ ...thing({ spec: { a: '1' } }), apiVersion: 'example.com/v2' });
  });

  it('brings what is stored under the schema that is, with its defaults', () => {
    const same = form({ served: things, servedSchema: specOf() });
    expect(same.toStored(stored)).toBe(stored);
    expect(same.fromStored(thing({ spec: { a: '1', gone: 1 } }))).toEqual(thing({ spec: { a: '1', filled: 'x' } }));
  });

  it('refuses what a webhook would have to convert, and only that', () => {
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
