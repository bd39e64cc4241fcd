import { describe, expect, it } from 'vitest';
import { conversionWebhookWarning, definitionWarnings } from '../../../src/custom-resources/definition/warnings.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { definition, version } from '../support.ts';

const withSchema = (schema: Schema, names = ['v1']) =>
  definition({ versions: names.map((name) => version(name, { schema: { openAPIV3Schema: schema } })) });

describe('definitionWarnings', () => {
  it('warns about unknown formats, once for equal schemas and not again on update', () => {
    const schema: Schema = { type: 'object', properties: { a: { type: 'string', format: 'odd' }, b: { type: 'string', format: 'date' } } };
    expect(definitionWarnings(withSchema(schema))).toEqual(['unrecognized format "odd"']);
    expect(definitionWarnings(withSchema(schema, ['v1', 'v2']))).toEqual(['unrecognized format "odd"']);
    expect(definitionWarnings(withSchema(schema), withSchema(schema))).toEqual([]);
  });

  it('warns about rules that need unsupported CEL features, once per rule and not again on update', () => {
    const withRules = (rule: string) =>
      withSchema({ type: 'object', properties: { n: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule }, { rule }] });
    const warning = 'x-kubernetes-validations: this server has no optional elements of lists: not evaluated: "[?self.?n].size() > 0"';
    expect(definitionWarnings(withRules('self.n > 1'))).toEqual([]);
    expect(definitionWarnings(withRules('[?self.?n].size() > 0'))).toEqual([warning]);
    expect(definitionWarnings(withRules('[?self.?n].size() > 0'), definition())).toEqual([warning]);
    expect(definitionWarnings(withRules('[?self.?n].size() > 0'), withRules('[?self.?n].size() > 0'))).toEqual([]);
  });

  it('warns that conversion webhooks are not called', () => {
    const withConversionWebhook = definition({ conversion: { strategy: 'Webhook' } });
    expect(definitionWarnings(withConversionWebhook)).toEqual([conversionWebhookWarning]);
    expect(definitionWarnings(withConversionWebhook, withConversionWebhook)).toEqual([]);
  });
});
