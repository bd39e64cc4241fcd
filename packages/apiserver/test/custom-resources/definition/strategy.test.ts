import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../src/custom-resources/definition/definition.ts';
import {
  definitionStrategy,
  maxSchemaDepth,
  maxSchemas,
  readSchemas,
  servedDefinitions,
} from '../../../src/custom-resources/definition/strategy.ts';
import { definition, nested, version } from '../support.ts';

const strategy = definitionStrategy({ now: () => 0 });
const decoded = (value: Definition): Definition =>
  strategy.decode({ ...value, metadata: { resourceVersion: '5', ...value.metadata } }).object as Definition;
const lines = (value: Definition, old?: Definition): string[] => {
  const { causes = [] } = old ? strategy.checkUpdate(decoded(value), decoded(old)) : strategy.checkCreate(decoded(value));
  return causes.map(({ field, message }) => `${field}: ${message}`);
};

describe('definitionStrategy', () => {
  it('defaults names and conversion, and initializes status', () => {
    const { object } = strategy.checkCreate(decoded({ ...definition(), status: { storedVersions: ['old'] } }));
    expect(object).toMatchObject({
      metadata: { generation: 1, name: 'things.example.com' },
      spec: { names: { singular: 'thing', listKind: 'ThingList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    });
  });

  it('refuses invalid definitions', () => {
    expect(lines(definition({}, { name: 'other' }))).toEqual([
      'metadata.name: Invalid value: "other": must be spec.names.plural+"."+spec.group',
    ]);
    expect(lines(definition({ scope: 'Global', versions: [version('v1'), version('v2', { storage: true })] }))[0]).toBe(
      'spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"',
    );
    expect(lines(definition({ versions: [version('v1', { storage: false })] }))[0]).toContain(
      'must have exactly one version marked as storage version',
    );
    expect(lines(definition({ versions: [version('v1', { schema: { openAPIV3Schema: {} } })] }))).toEqual([
      'spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
    ]);
  });

  it('makes the group immutable, and the scope once established', () => {
    const [cluster, other] = [definition({ scope: 'Cluster' }), definition({ group: 'other.com' })];
    const old = { ...definition(), status: { storedVersions: ['v1'] } };
    const served = { ...old, status: { ...old.status, conditions: [{ type: 'Established', status: 'True' as const }] } };
    const withStatus = (value: Definition): Definition => ({ ...value, status: { storedVersions: ['v1'] } });
    expect(lines(withStatus(cluster), old)).toEqual([]);
    expect(lines(withStatus(cluster), served)).toEqual(['spec.scope: Invalid value: "Cluster": field is immutable']);
    expect(lines(withStatus(other), old)).toContain('spec.group: Invalid value: "other.com": field is immutable');
  });

  it('records storage versions and requires them in spec.versions', () => {
    const old = decoded({ ...definition(), status: { storedVersions: ['v1'] } });
    const next = decoded({
      ...definition({ versions: [version('v1', { storage: false }), version('v2', { storage: true })] }),
      status: { storedVersions: ['v1'] },
    });
    expect(strategy.checkUpdate(next, old).object?.['status']).toEqual({ storedVersions: ['v1', 'v2'] });
    const dropped = decoded({ ...definition({ versions: [version('v2', { storage: true })] }), status: { storedVersions: ['v1'] } });
    const { causes = [] } = strategy.checkUpdate(dropped, old);
    expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });

  it('refuses a body that is nested too deeply', () => {
    const schema = nested(5_000, {});
    expect(strategy.decode({ ...definition(), spec: { schema } }).problem).toBe('exceeded max depth');
  });
});

describe('servedDefinitions', () => {
  it('publishes names, subresources and columns', () => {
    const { singular, shortNames, categories, subresources, columns, cells } = servedDefinitions();
    expect({ singular, shortNames, categories }).toEqual({
      singular: 'customresourcedefinition',
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
    });
    expect(subresources.map(({ name }) => name)).toEqual(['status']);
    expect(columns.map(({ name }) => name)).toEqual(['Name', 'Created At']);
    expect(cells(definition({}, { creationTimestamp: '2026-01-01T00:00:00Z' }), new Date(0))).toEqual([
      'things.example.com',
      '2026-01-01T00:00:00Z',
    ]);
  });
});

const around = (
  schema: unknown,
): { readonly spec: { readonly versions: { readonly schema: { readonly openAPIV3Schema: unknown } }[] } } => ({
  spec: { versions: [{ schema: { openAPIV3Schema: schema } }] },
});

/** The schema as it is read, or the problem. */
function read(schema: unknown): unknown {
  const definition = around(schema);
  return readSchemas(definition as never) ?? definition.spec.versions[0]?.schema.openAPIV3Schema;
}

describe('readSchemas', () => {
  it('reads fields that hold a schema or another type', () => {
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

  it('reports a problem for an unreadable schema', () => {
    expect(read({ additionalProperties: 5 })).toBe('boolean or JSON schema expected');
    expect(read({ properties: { a: { items: { type: 5 } } } })).toMatch(
      /^json: cannot unmarshal number into Go struct field JSONSchemaProps\./,
    );
  });

  it('refuses schemas that are too deep or too many', () => {
    let deep: unknown = {};
    for (let i = 0; i < maxSchemaDepth; i += 1) deep = { not: deep };
    expect(read(deep)).toBe(`the schema is more than ${maxSchemaDepth} levels deep`);
    const many = { properties: Object.fromEntries(Array.from({ length: maxSchemas }, (_, i) => [`p${i}`, {}])) };
    expect(read(many)).toBe(`there are more than ${maxSchemas} schemas in the definition`);
  });

  it('accepts a definition without schemas', () => {
    expect(readSchemas({})).toBeUndefined();
    expect(readSchemas({ spec: { versions: [{}] } } as never)).toBeUndefined();
  });
});
