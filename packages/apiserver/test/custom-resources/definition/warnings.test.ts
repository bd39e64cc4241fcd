import { describe, expect, it } from 'vitest';
import { findDefinitionWarnings } from '../../../src/custom-resources/definition/warnings.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import { makeDefinition, makeVersion } from '../support.ts';

const definitionWithSchema = (schema: Schema, names = ['v1']) =>
  makeDefinition({ versions: names.map((name) => makeVersion(name, { schema: { openAPIV3Schema: schema } })) });

describe('findDefinitionWarnings', () => {
  it('warns about unknown formats, once for equal schemas and not again on update', () => {
    const schema: Schema = { type: 'object', properties: { a: { type: 'string', format: 'odd' }, b: { type: 'string', format: 'date' } } };
    expect(findDefinitionWarnings(definitionWithSchema(schema))).toEqual(['unrecognized format "odd"']);
    expect(findDefinitionWarnings(definitionWithSchema(schema, ['v1', 'v2']))).toEqual(['unrecognized format "odd"']);
    expect(findDefinitionWarnings(definitionWithSchema(schema), definitionWithSchema(schema))).toEqual([]);
  });

  it('warns about rules that need unsupported CEL features, once per rule and not again on update', () => {
    const definitionWithRules = (rule: string) =>
      definitionWithSchema({ type: 'object', properties: { n: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule }, { rule }] });
    const warning = 'x-kubernetes-validations: this server has no optional elements of lists: not evaluated: "[?self.?n].size() > 0"';
    expect(findDefinitionWarnings(definitionWithRules('self.n > 1'))).toEqual([]);
    expect(findDefinitionWarnings(definitionWithRules('[?self.?n].size() > 0'))).toEqual([warning]);
    expect(findDefinitionWarnings(definitionWithRules('[?self.?n].size() > 0'), makeDefinition())).toEqual([warning]);
    expect(findDefinitionWarnings(definitionWithRules('[?self.?n].size() > 0'), definitionWithRules('[?self.?n].size() > 0'))).toEqual([]);
  });
});
