/** A decoded JSONSchemaProps of `apiextensions.k8s.io/v1`; empty and zero fields are absent. */
export interface Schema {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: Schema | readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly dependencies?: Readonly<Record<string, Schema | readonly string[]>>;
  readonly additionalItems?: Schema | boolean;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

export interface ValidationRule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The schema of a list's items; undefined if absent or if each item has its own. */
export const itemsOf = ({ items }: Schema): Schema | undefined => (Array.isArray(items) ? undefined : (items as Schema | undefined));

/** The schema of a declared property; ignores inherited names such as __proto__. */
export const propertyOf = ({ properties }: Schema, name: string): Schema | undefined =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** The schema of undeclared properties. */
export const additionalPropertiesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

export const propertiesOf = ({ properties }: Schema): readonly (readonly [string, Schema])[] =>
  properties === undefined ? [] : Object.entries(properties);

/** Iterates over a schema and all its subschemas, the schema itself first. */
export function* schemasIn(schema: Schema): Generator<Schema> {
  yield schema;
  for (const child of childrenOf(schema)) yield* schemasIn(child);
}

function childrenOf(schema: Schema): readonly Schema[] {
  const { items, allOf = [], anyOf = [], oneOf = [], not, properties, additionalProperties, patternProperties, definitions } = schema;
  const { additionalItems, dependencies = {} } = schema;
  return [
    ...(items === undefined ? [] : [items].flat()),
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...(not ? [not] : []),
    ...Object.values(properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...Object.values(patternProperties ?? {}),
    ...(typeof additionalItems === 'object' ? [additionalItems] : []),
    ...Object.values(definitions ?? {}),
    ...Object.values(dependencies).filter((each): each is Schema => !Array.isArray(each)),
  ] as readonly Schema[];
}
