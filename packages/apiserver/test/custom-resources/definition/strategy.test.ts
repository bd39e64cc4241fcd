import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../src/custom-resources/definition/definition.ts';
import {
  createDefinitionStrategy,
  createDefinitionsCatalogEntry,
  decodeSchemas,
  maxSchemaCount,
  maxSchemaDepth,
} from '../../../src/custom-resources/definition/strategy.ts';
import { makeDefinition, makeVersion, nest } from '../support.ts';

const strategy = createDefinitionStrategy({ now: () => 0 });
const decode = (value: Definition): Definition =>
  strategy.decode({ ...value, metadata: { resourceVersion: '5', ...value.metadata } }).object as Definition;
const problemsOf = (value: Definition, old?: Definition): string[] => {
  const { causes = [] } = old ? strategy.checkUpdate(decode(value), decode(old)) : strategy.checkCreate(decode(value));
  return causes.map(({ field, message }) => `${field}: ${message}`);
};

describe('createDefinitionStrategy', () => {
  it('defaults names and conversion, and initializes status', () => {
    const { object } = strategy.checkCreate(decode({ ...makeDefinition(), status: { storedVersions: ['old'] } }));
    expect(object).toMatchObject({
      metadata: { generation: 1, name: 'things.example.com' },
      spec: { names: { singular: 'thing', listKind: 'ThingList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    });
  });

  it('refuses invalid definitions', () => {
    expect(problemsOf(makeDefinition({}, { name: 'other' }))).toEqual([
      'metadata.name: Invalid value: "other": must be spec.names.plural+"."+spec.group',
    ]);
    expect(problemsOf(makeDefinition({ scope: 'Global', versions: [makeVersion('v1'), makeVersion('v2', { storage: true })] }))[0]).toBe(
      'spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"',
    );
    expect(problemsOf(makeDefinition({ versions: [makeVersion('v1', { storage: false })] }))[0]).toContain(
      'must have exactly one version marked as storage version',
    );
    expect(problemsOf(makeDefinition({ versions: [makeVersion('v1', { schema: { openAPIV3Schema: {} } })] }))).toEqual([
      'spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
    ]);
  });

  it('makes the group immutable, and the scope after the definition is established', () => {
    const [clusterScopedDefinition, definitionInOtherGroup] = [
      makeDefinition({ scope: 'Cluster' }),
      makeDefinition({ group: 'other.com' }),
    ];
    const old = { ...makeDefinition(), status: { storedVersions: ['v1'] } };
    const establishedDefinition = { ...old, status: { ...old.status, conditions: [{ type: 'Established', status: 'True' as const }] } };
    const withStatus = (value: Definition): Definition => ({ ...value, status: { storedVersions: ['v1'] } });
    expect(problemsOf(withStatus(clusterScopedDefinition), old)).toEqual([]);
    expect(problemsOf(withStatus(clusterScopedDefinition), establishedDefinition)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
    expect(problemsOf(withStatus(definitionInOtherGroup), old)).toContain('spec.group: Invalid value: "other.com": field is immutable');
  });

  it('records storage versions and requires them in spec.versions', () => {
    const old = decode({ ...makeDefinition(), status: { storedVersions: ['v1'] } });
    const withNewStorage = decode({
      ...makeDefinition({ versions: [makeVersion('v1', { storage: false }), makeVersion('v2', { storage: true })] }),
      status: { storedVersions: ['v1'] },
    });
    expect(strategy.checkUpdate(withNewStorage, old).object?.['status']).toEqual({ storedVersions: ['v1', 'v2'] });
    const withoutV1 = decode({
      ...makeDefinition({ versions: [makeVersion('v2', { storage: true })] }),
      status: { storedVersions: ['v1'] },
    });
    const { causes = [] } = strategy.checkUpdate(withoutV1, old);
    expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });

  it('refuses a deeply nested body', () => {
    const schema = nest(5_000, {});
    expect(strategy.decode({ ...makeDefinition(), spec: { schema } }).problem).toBe('exceeded max depth');
  });
});

describe('createDefinitionsCatalogEntry', () => {
  it('publishes names, subresources and columns', () => {
    const { singular, shortNames, categories, subresources, columns, cells } = createDefinitionsCatalogEntry();
    expect({ singular, shortNames, categories }).toEqual({
      singular: 'customresourcedefinition',
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
    });
    expect(subresources.map(({ name }) => name)).toEqual(['status']);
    expect(columns.map(({ name }) => name)).toEqual(['Name', 'Created At']);
    expect(cells(makeDefinition({}, { creationTimestamp: '2026-01-01T00:00:00Z' }), new Date(0))).toEqual([
      'things.example.com',
      '2026-01-01T00:00:00Z',
    ]);
  });
});

const definitionWithSchema = (
  schema: unknown,
): { readonly spec: { readonly versions: { readonly schema: { readonly openAPIV3Schema: unknown } }[] } } => ({
  spec: { versions: [{ schema: { openAPIV3Schema: schema } }] },
});

/** Decodes a schema within a definition. @returns the decoded schema, or the problem */
function readSchema(schema: unknown): unknown {
  const definition = definitionWithSchema(schema);
  return decodeSchemas(definition as never) ?? definition.spec.versions[0]?.schema.openAPIV3Schema;
}

describe('decodeSchemas', () => {
  it('decodes fields that hold a schema or another type', () => {
    expect(readSchema({ items: { type: 'string', nonesuch: 1 } })).toEqual({ items: { type: 'string' } });
    expect(readSchema({ items: [{ type: 'string', nonesuch: 1 }] })).toEqual({ items: [{ type: 'string' }] });
    expect(readSchema({ items: 5 })).toEqual({});
    expect(readSchema({ additionalProperties: true })).toEqual({ additionalProperties: true });
    expect(readSchema({ additionalProperties: { properties: { a: { items: { x: 1 } } } } })).toEqual({
      additionalProperties: { properties: { a: { items: {} } } },
    });
    expect(readSchema({ dependencies: { a: ['b'], c: { type: 'string', x: 1 } } })).toEqual({
      dependencies: { a: ['b'], c: { type: 'string' } },
    });
  });

  it('reports a problem for an unreadable schema', () => {
    expect(readSchema({ additionalProperties: 5 })).toBe('boolean or JSON schema expected');
    expect(readSchema({ properties: { a: { items: { type: 5 } } } })).toMatch(
      /^json: cannot unmarshal number into Go struct field JSONSchemaProps\./,
    );
  });

  it('refuses a schema that exceeds the maximum depth or number of subschemas', () => {
    let deepSchema: unknown = {};
    for (let i = 0; i < maxSchemaDepth; i += 1) deepSchema = { not: deepSchema };
    expect(readSchema(deepSchema)).toBe(`the schema is more than ${maxSchemaDepth} levels deep`);
    const manySchemas = { properties: Object.fromEntries(Array.from({ length: maxSchemaCount }, (_, i) => [`p${i}`, {}])) };
    expect(readSchema(manySchemas)).toBe(`there are more than ${maxSchemaCount} schemas in the definition`);
  });

  it('accepts a definition without schemas', () => {
    expect(decodeSchemas({})).toBeUndefined();
    expect(decodeSchemas({ spec: { versions: [{}] } } as never)).toBeUndefined();
  });
});
