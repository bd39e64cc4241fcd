import { describe, expect, it } from 'vitest';
import { maxSchemaDepth, maxSchemas, readSchemas } from '../../../src/custom-resources/definition/read-schemas.ts';

const around = (
  schema: unknown,
): { readonly spec: { readonly versions: { readonly schema: { readonly openAPIV3Schema: unknown } }[] } } => ({
  spec: { versions: [{ schema: { openAPIV3Schema: schema } }] },
});

/** The schema as it is read, or why it cannot be. */
function read(schema: unknown): unknown {
  const definition = around(schema);
  return readSchemas(definition as never) ?? definition.spec.versions[0]?.schema.openAPIV3Schema;
}

describe('readSchemas', () => {
  it('reads what may be a schema or something else', () => {
    expect(read({ items: { type: 'string', nonesuch: 1 } })).toEqual({ items: { type: 'string' } });
    expect(read({ items: [{ type: 'string', nonesuch: 1 }] })).toEqual({ items: [{ type: 'string' }] });
    expect(read({ items: 5 })).toEqual({});
    expect(read({ additionalProperties: true })).toEqual({ additionalProperties: true });
    expect(read({ additionalProperties: { properties: { a: { items: { x: 1 } } } } })).toEqual({
      additionalProperties: { properties: { a: { items: {} } } },
    });
    expect(read({ dependencies: { a: ['b'], c: { type: 'string', x: 1 } } })).toEqual({
      dependencies: { a: ['b'], c: { type: 'string' } },
    });
  });

  it('says what it cannot read', () => {
    expect(read({ additionalProperties: 5 })).toBe('boolean or JSON schema expected');
    expect(read({ properties: { a: { items: { type: 5 } } } })).toMatch(
      /^json: cannot unmarshal number into Go struct field JSONSchemaProps\./,
    );
  });

  it('refuses schemas that are too deep, and too many', () => {
    let deep: unknown = {};
    for (let i = 0; i < maxSchemaDepth; i += 1) deep = { not: deep };
    expect(read(deep)).toBe(`the schema is more than ${maxSchemaDepth} levels deep`);
    const many = { properties: Object.fromEntries(Array.from({ length: maxSchemas }, (_, i) => [`p${i}`, {}])) };
    expect(read(many)).toBe(`there are more than ${maxSchemas} schemas in the definition`);
  });

  it('minds nothing where there is no schema', () => {
    expect(readSchemas({})).toBeUndefined();
    expect(readSchemas({ spec: { versions: [{}] } } as never)).toBeUndefined();
  });
});
