import { describe, expect, it } from 'vitest';
import {
  definitionWarnings,
  rulesAreNotEvaluated,
  webhooksAreNotCalled,
} from '../../../../src/apiserver/custom-resources/definition/warnings.ts';
import type { Schema } from '../../../../src/apiserver/custom-resources/schema/schema.ts';
import { definition, version } from '../support.ts';

const withSchema = (schema: Schema, names = ['v1']) =>
  definition({ versions: names.map((name) => version(name, { schema: { openAPIV3Schema: schema } })) });

describe('definitionWarnings', () => {
  it('tells of formats that nobody knows', () => {
    const schema: Schema = { type: 'object', properties: { a: { type: 'string', format: 'odd' }, b: { type: 'string', format: 'date' } } };
    expect(definitionWarnings(withSchema(schema))).toEqual(['unrecognized format "odd"']);
    expect(definitionWarnings(withSchema(schema, ['v1', 'v2']))).toEqual(['unrecognized format "odd"']);
    expect(definitionWarnings(withSchema(schema), withSchema(schema))).toEqual([]);
  });

  it('tells of rules, and of webhooks, that they do nothing here', () => {
    const ruled = withSchema({ type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] });
    expect(definitionWarnings(ruled)).toEqual([rulesAreNotEvaluated]);
    expect(definitionWarnings(ruled, definition())).toEqual([rulesAreNotEvaluated]);
    expect(definitionWarnings(ruled, ruled)).toEqual([]);
    const hooked = definition({ conversion: { strategy: 'Webhook' } });
    expect(definitionWarnings(hooked)).toEqual([webhooksAreNotCalled]);
    expect(definitionWarnings(hooked, hooked)).toEqual([]);
  });
});
