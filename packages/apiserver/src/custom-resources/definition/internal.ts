import { isFields, sameValue } from '../../resources/field/read.ts';
import type { ColumnDefinition } from '../objects/columns.ts';
import type { Schema } from '../schema/schema.ts';
import type { DefinitionSpec, DefinitionVersion, Subresources } from './definition.ts';

/**
 * The internal form of a spec in kube-apiserver: fields with the same value in all versions move to the top level. Error messages show this
 * form.
 *
 * Mirrors Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec (1.36).
 */
export interface InternalSpec {
  readonly version: string;
  readonly versions: readonly DefinitionVersion[];
  readonly validation?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly ColumnDefinition[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export function toInternalSpec({ versions = [] }: DefinitionSpec): InternalSpec {
  const [firstVersion, ...otherVersions] = versions;
  if (!firstVersion) return { version: '', versions: [] };
  const sharedFields = shareableFields.filter((field) => otherVersions.every((version) => sameValue(version[field], firstVersion[field])));
  const isShared = (field: ShareableField): boolean => sharedFields.includes(field) && firstVersion[field] !== undefined;
  return {
    version: firstVersion.name ?? '',
    versions: versions.map((version) =>
      Object.fromEntries(Object.entries(version).filter(([name]) => !sharedFields.includes(name as ShareableField))),
    ),
    ...(isShared('schema') && { validation: firstVersion.schema as NonNullable<DefinitionVersion['schema']> }),
    ...(isShared('subresources') && { subresources: firstVersion.subresources as Subresources }),
    ...(isShared('additionalPrinterColumns') && {
      additionalPrinterColumns: firstVersion.additionalPrinterColumns as readonly ColumnDefinition[],
    }),
    ...(isShared('selectableFields') && {
      selectableFields: firstVersion.selectableFields as NonNullable<DefinitionVersion['selectableFields']>,
    }),
  };
}

const shareableFields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
type ShareableField = (typeof shareableFields)[number];

/** Formats versions as Go prints them: with Go's field names, including zero values. */
export const printVersions = (versions: readonly DefinitionVersion[]): unknown => versions.map(printVersion);

const printVersion = (version: DefinitionVersion): unknown => ({
  Name: version.name ?? '',
  Served: version.served ?? false,
  Storage: version.storage ?? false,
  Deprecated: version.deprecated ?? false,
  DeprecationWarning: version.deprecationWarning ?? null,
  Schema: version.schema ? { OpenAPIV3Schema: version.schema.openAPIV3Schema ? printSchema(version.schema.openAPIV3Schema) : null } : null,
  Subresources: version.subresources ? printSubresources(version.subresources) : null,
  AdditionalPrinterColumns: version.additionalPrinterColumns?.map(printColumn) ?? null,
  SelectableFields: version.selectableFields?.map(({ jsonPath = '' }) => ({ JSONPath: jsonPath })) ?? null,
});

const printSubresources = ({ status, scale }: Subresources): unknown => ({
  Status: status ? {} : null,
  Scale: scale
    ? {
        SpecReplicasPath: scale.specReplicasPath ?? '',
        StatusReplicasPath: scale.statusReplicasPath ?? '',
        LabelSelectorPath: scale.labelSelectorPath ?? null,
      }
    : null,
});

const printColumn = ({ name = '', type = '', format = '', description = '', priority = 0, jsonPath = '' }: ColumnDefinition): unknown => ({
  Name: name,
  Type: type,
  Format: format,
  Description: description,
  Priority: priority,
  JSONPath: jsonPath,
});

/** The fields of a schema in Go's order: their Go and JSON names and their zero values. */
export const schemaFields: readonly { readonly go: string; readonly json: keyof Schema; readonly zero: unknown }[] = [
  { go: 'ID', json: 'id', zero: '' },
  { go: 'Schema', json: '$schema', zero: '' },
  { go: 'Ref', json: '$ref', zero: null },
  { go: 'Description', json: 'description', zero: '' },
  { go: 'Type', json: 'type', zero: '' },
  { go: 'Nullable', json: 'nullable', zero: false },
  { go: 'Format', json: 'format', zero: '' },
  { go: 'Title', json: 'title', zero: '' },
  { go: 'Default', json: 'default', zero: null },
  { go: 'Maximum', json: 'maximum', zero: null },
  { go: 'ExclusiveMaximum', json: 'exclusiveMaximum', zero: false },
  { go: 'Minimum', json: 'minimum', zero: null },
  { go: 'ExclusiveMinimum', json: 'exclusiveMinimum', zero: false },
  { go: 'MaxLength', json: 'maxLength', zero: null },
  { go: 'MinLength', json: 'minLength', zero: null },
  { go: 'Pattern', json: 'pattern', zero: '' },
  { go: 'MaxItems', json: 'maxItems', zero: null },
  { go: 'MinItems', json: 'minItems', zero: null },
  { go: 'UniqueItems', json: 'uniqueItems', zero: false },
  { go: 'MultipleOf', json: 'multipleOf', zero: null },
  { go: 'Enum', json: 'enum', zero: null },
  { go: 'MaxProperties', json: 'maxProperties', zero: null },
  { go: 'MinProperties', json: 'minProperties', zero: null },
  { go: 'Required', json: 'required', zero: null },
  { go: 'Items', json: 'items', zero: null },
  { go: 'AllOf', json: 'allOf', zero: null },
  { go: 'OneOf', json: 'oneOf', zero: null },
  { go: 'AnyOf', json: 'anyOf', zero: null },
  { go: 'Not', json: 'not', zero: null },
  { go: 'Properties', json: 'properties', zero: null },
  { go: 'AdditionalProperties', json: 'additionalProperties', zero: null },
  { go: 'PatternProperties', json: 'patternProperties', zero: null },
  { go: 'Dependencies', json: 'dependencies', zero: null },
  { go: 'AdditionalItems', json: 'additionalItems', zero: null },
  { go: 'Definitions', json: 'definitions', zero: null },
  { go: 'ExternalDocs', json: 'externalDocs', zero: null },
  { go: 'Example', json: 'example', zero: null },
  { go: 'XPreserveUnknownFields', json: 'x-kubernetes-preserve-unknown-fields', zero: null },
  { go: 'XEmbeddedResource', json: 'x-kubernetes-embedded-resource', zero: false },
  { go: 'XIntOrString', json: 'x-kubernetes-int-or-string', zero: false },
  { go: 'XListMapKeys', json: 'x-kubernetes-list-map-keys', zero: null },
  { go: 'XListType', json: 'x-kubernetes-list-type', zero: null },
  { go: 'XMapType', json: 'x-kubernetes-map-type', zero: null },
  { go: 'XValidations', json: 'x-kubernetes-validations', zero: null },
];

/** Formats a schema as Go prints it: with Go's field names, including zero values. */
export const printSchema = (schema: Schema): unknown =>
  Object.fromEntries(schemaFields.map(({ go, json, zero }) => [go, schema[json] === undefined ? zero : printField(json, schema[json])]));

function printField(name: keyof Schema, value: unknown): unknown {
  const printNested = (each: unknown): unknown => printSchema(each as Schema);
  if (name === 'allOf' || name === 'oneOf' || name === 'anyOf') return (value as unknown[]).map(printNested);
  if (name === 'not') return printNested(value);
  if (name === 'properties' || name === 'patternProperties' || name === 'definitions') return printMap(value, printNested);
  if (name === 'items')
    return { Schema: isFields(value) ? printNested(value) : null, JSONSchemas: Array.isArray(value) ? value.map(printNested) : null };
  if (name === 'additionalProperties' || name === 'additionalItems') {
    return { Allows: value !== false, Schema: isFields(value) ? printNested(value) : null };
  }
  if (name === 'dependencies') {
    return printMap(value, (each) => ({ Schema: isFields(each) ? printNested(each) : null, Property: Array.isArray(each) ? each : null }));
  }
  if (name === 'externalDocs' && isFields(value)) return { Description: value['description'] ?? '', URL: value['url'] ?? '' };
  return name === 'x-kubernetes-validations' ? (value as Readonly<Record<string, unknown>>[]).map(printRule) : value;
}

function printMap(value: unknown, print: (each: unknown) => unknown): unknown {
  const map = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(map).sort();
  return Object.fromEntries(keys.map((key) => [key, print(map[key])]));
}

export const printRule = (rule: Readonly<Record<string, unknown>>): unknown => ({
  Rule: rule['rule'] ?? '',
  Message: rule['message'] ?? '',
  MessageExpression: rule['messageExpression'] ?? '',
  Reason: rule['reason'] ?? null,
  FieldPath: rule['fieldPath'] ?? '',
  OptionalOldSelf: rule['optionalOldSelf'] ?? null,
});
