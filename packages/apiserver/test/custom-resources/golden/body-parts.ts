import { type Json, withValueAt } from './steps.ts';

export interface Names {
  readonly group: string;
  readonly kind: string;
  readonly scope?: 'Cluster' | 'Namespaced';
}

/** A definition with a version for each schema; the first is the storage version. */
export function createDefinition({ group, kind, scope = 'Namespaced' }: Names, ...versions: readonly Json[]): Json {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind }, versions: versions.map((each, i) => ({ ...version(`v${i + 1}`, i === 0), ...each })) },
  };
}

const version = (name: string, storage: boolean): Json => ({ name, served: true, storage, schema: { openAPIV3Schema: plainSchema } });

export const plainSchema: Json = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, name: { type: 'string' } } } },
};

/** A valid definition, and variants of it. The builders below replace one part of it. */
export const baseDefinition: Json = createDefinition({ group: 'checks.example.com', kind: 'Check' }, {});
export const withSpec = (path: readonly (string | number)[], value: unknown): Json => withValueAt(baseDefinition, ['spec', ...path], value);
export const inFirstVersion = (path: readonly (string | number)[], value: unknown): Json => withSpec(['versions', 0, ...path], value);
export const withRootSchema = (value: unknown): Json => inFirstVersion(['schema', 'openAPIV3Schema'], value);
export const withField = (value: unknown): Json =>
  withRootSchema({ type: 'object', properties: { spec: { type: 'object', properties: { field: value } } } });
export const withList = (more: Json, items: Json): Json => withField({ type: 'array', items, ...more });
export const withRule = (more: Json): Json => withField({ type: 'string', 'x-kubernetes-validations': [more] });
export const withColumns = (...items: readonly Json[]): Json => inFirstVersion(['additionalPrinterColumns'], items);
export const withScale = (more: Json): Json => inFirstVersion(['subresources', 'scale'], more);
export const withSelectableFields = (schema: unknown, ...paths: readonly string[]): Json =>
  withValueAt(
    withField(schema),
    ['spec', 'versions', 0, 'selectableFields'],
    paths.map((jsonPath) => ({ jsonPath })),
  );
export const withStatusSubresource = (schema: unknown): Json =>
  withValueAt(withRootSchema(schema), ['spec', 'versions', 0, 'subresources'], { status: {} });
export const mapListType = (more: Json = {}): Json => ({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'], ...more });
export const keyItem = (key: Json, more: Json = {}): Json => ({ type: 'object', properties: { key, n: { type: 'integer' } }, ...more });
export const createProtectedDefinition = (annotation?: string): Json => {
  const definitionInGroup = createDefinition({ group: 'checks.k8s.io', kind: 'Check' }, {});
  return annotation === undefined
    ? definitionInGroup
    : withValueAt(definitionInGroup, ['metadata', 'annotations'], { 'api-approved.kubernetes.io': annotation });
};
export const withConversionWebhook = (more: Json): Json => withSpec(['conversion'], { strategy: 'Webhook', ...more });
/** A definition with two versions of the same schema. */
export const twoVersions: Json = createDefinition({ group: 'checks.example.com', kind: 'Check' }, {}, {});
export const inVersion = (i: number, path: readonly (string | number)[], value: unknown): Json =>
  withValueAt(twoVersions, ['spec', 'versions', i, ...path], value);
/** A definition whose two versions have different schemas. */
export const differingVersions: Json = inVersion(1, ['schema', 'openAPIV3Schema', 'properties', 'more'], { type: 'string' });
