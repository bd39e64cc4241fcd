import { describe, expect, it } from 'vitest';
import { definitionWarnings, webhooksAreNotCalled } from '../../../src/custom-resources/definition/warnings.ts';
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
    const ruled = (rule: string) =>
      withSchema({ type: 'object', properties: { n: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule }, { rule }] });
    const said = 'x-kubernetes-validations: this server has no optional elements of lists: not evaluated: "[?self.?n].size() > 0"';
    expect(definitionWarnings(ruled('self.n > 1'))).toEqual([]);
    expect(definitionWarnings(ruled('[?self.?n].size() > 0'))).toEqual([said]);
    expect(definitionWarnings(ruled('[?self.?n].size() > 0'), definition())).toEqual([said]);
    expect(definitionWarnings(ruled('[?self.?n].size() > 0'), ruled('[?self.?n].size() > 0'))).toEqual([]);
  });

  it('warns that conversion webhooks are not called', () => {
    const hooked = definition({ conversion: { strategy: 'Webhook' } });
    expect(definitionWarnings(hooked)).toEqual([webhooksAreNotCalled]);
    expect(definitionWarnings(hooked, hooked)).toEqual([]);
  });
});
