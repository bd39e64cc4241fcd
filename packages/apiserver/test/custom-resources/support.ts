import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { Definition, DefinitionSpec, DefinitionVersion } from '../../src/custom-resources/definition/definition.ts';
import type { Schema } from '../../src/custom-resources/schema/schema.ts';
import { type Causes, collectCauses } from '../../src/resources/field/causes.ts';

export const things: Resource = { group: 'example.com', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true };

/** Wraps a value in the given number of objects. */
export function nest(levels: number, inner: unknown = 'x'): unknown {
  let value = inner;
  for (let i = 0; i < levels; i += 1) value = { a: value };
  return value;
}

/** A schema that allows anything below spec. */
export const openSchema: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    status: { type: 'object', properties: { n: { type: 'integer' } } },
  },
};

export const makeVersion = (name: string, fields: Partial<DefinitionVersion> = {}): DefinitionVersion => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: openSchema },
  ...fields,
});

export function makeDefinition(spec: Partial<DefinitionSpec> = {}, metadata: Partial<ApiObject['metadata']> = {}): Definition {
  const names = { plural: 'things', kind: 'Thing', ...spec.names };
  const group = spec.group ?? 'example.com';
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}`, ...metadata },
    spec: { group, scope: 'Namespaced', versions: [makeVersion('v1')], ...spec, names },
  };
}

/** A definition with accepted names and the condition Established. */
export function makeEstablishedDefinition(spec: Partial<DefinitionSpec> = {}): Definition {
  const base = makeDefinition(spec, { uid: 'u' });
  const { plural = '', kind = '' } = base.spec?.names ?? {};
  const acceptedNames = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...base.spec?.names, plural, kind };
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' as const }));
  return { ...base, status: { acceptedNames, conditions, storedVersions: ['v1'] } };
}

export const makeThing = (fields: Record<string, unknown> = {}, metadata: ApiObject['metadata'] = {}): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'one', namespace: 'default', ...metadata },
  ...fields,
});

/** Runs a check. @returns a line for each reported cause */
export function problemLinesOf(check: (causes: Causes) => void): string[] {
  const causes = collectCauses();
  check(causes);
  return causes.list.map(({ field, message }) => `${field}: ${message}`);
}
