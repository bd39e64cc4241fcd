import { type ApiType, type Field, type StructType, structType } from '../../resources/schema/index.ts';

/** The Go types of a CustomResourceDefinition, as of k8s.io/apiextensions-apiserver 0.36. */
const text: ApiType = { kind: 'text', go: 'string' };
const bool: ApiType = { kind: 'bool', go: 'bool' };
const float: ApiType = { kind: 'float', go: 'float64' };
const int32: ApiType = { kind: 'integer', go: 'int32', min: -(2 ** 31), max: 2 ** 31 - 1 };
const int64: ApiType = { kind: 'integer', go: 'int64', min: -(2 ** 63), max: 2 ** 63 - 1 };
const raw: ApiType = { kind: 'raw', go: 'v1.JSON' };
const texts: ApiType = { kind: 'list', go: '[]string', of: text };
const time: ApiType = { kind: 'time', go: 'v1.Time' };

const pointer = (to: ApiType): ApiType => ({ kind: 'pointer', to });
const list = (of: StructType): ApiType => ({ kind: 'list', go: `[]${of.go}`, of });
const map = (of: StructType): ApiType => ({ kind: 'map', go: `map[string]${of.go}`, of });

/** A field without omitempty. */
const alwaysPresent = (type: ApiType): { readonly alwaysPresent: ApiType } => ({ alwaysPresent: type });

type FieldTypes = Readonly<Record<string, ApiType | { readonly alwaysPresent: ApiType }>>;

function struct(name: string, fieldTypes: FieldTypes): StructType {
  const fields = new Map<string, Field>();
  for (const [key, fieldType] of Object.entries(fieldTypes)) fields.set(key, createField(key, fieldType));
  return { kind: 'struct', go: `v1.${name}`, fields };
}

function createField(name: string, fieldType: FieldTypes[string]): Field {
  const isAlwaysPresent = 'alwaysPresent' in fieldType;
  return { name, type: isAlwaysPresent ? fieldType.alwaysPresent : fieldType, omitEmpty: !isAlwaysPresent, omitZero: false, embedded: [] };
}

const validationRule = struct('ValidationRule', {
  rule: alwaysPresent(text),
  message: text,
  messageExpression: text,
  reason: pointer(text),
  fieldPath: text,
  optionalOldSelf: pointer(bool),
});

const externalDocs = struct('ExternalDocumentation', { description: text, url: text });

const firstFields: FieldTypes = {
  id: text,
  $schema: text,
  $ref: pointer(text),
  description: text,
  type: text,
  format: text,
  title: text,
  default: raw,
  maximum: pointer(float),
  exclusiveMaximum: bool,
  minimum: pointer(float),
  exclusiveMinimum: bool,
  maxLength: pointer(int64),
  minLength: pointer(int64),
  pattern: text,
  maxItems: pointer(int64),
  minItems: pointer(int64),
  uniqueItems: bool,
  multipleOf: pointer(float),
  enum: { kind: 'list', go: '[]v1.JSON', of: raw },
  maxProperties: pointer(int64),
  minProperties: pointer(int64),
  required: texts,
};

const lastFields: FieldTypes = {
  externalDocs: pointer(externalDocs),
  example: raw,
  nullable: bool,
  'x-kubernetes-preserve-unknown-fields': pointer(bool),
  'x-kubernetes-embedded-resource': bool,
  'x-kubernetes-int-or-string': bool,
  'x-kubernetes-list-map-keys': texts,
  'x-kubernetes-list-type': pointer(text),
  'x-kubernetes-map-type': pointer(text),
  'x-kubernetes-validations': { kind: 'list', go: 'v1.ValidationRules', of: validationRule },
};

const schemaValuedFields = (self: StructType): FieldTypes => ({
  items: raw,
  allOf: list(self),
  oneOf: list(self),
  anyOf: list(self),
  not: pointer(self),
  properties: map(self),
  additionalProperties: raw,
  patternProperties: map(self),
  dependencies: { kind: 'map', go: 'v1.JSONSchemaDependencies', of: raw },
  additionalItems: raw,
  definitions: { kind: 'map', go: 'v1.JSONSchemaDefinitions', of: self },
});

/** Fields that hold a schema or another type are raw here; `decodeSchemas` decodes them. */
export const schemaType: StructType = createRecursiveStruct((self) => ({ ...firstFields, ...schemaValuedFields(self), ...lastFields }));

function createRecursiveStruct(fieldTypes: (self: StructType) => FieldTypes): StructType {
  const fields = new Map<string, Field>();
  const self: StructType = { kind: 'struct', go: 'v1.JSONSchemaProps', fields };
  for (const [key, fieldType] of Object.entries(fieldTypes(self))) fields.set(key, createField(key, fieldType));
  return self;
}

const names = struct('CustomResourceDefinitionNames', {
  plural: alwaysPresent(text),
  singular: text,
  shortNames: texts,
  kind: alwaysPresent(text),
  listKind: text,
  categories: texts,
});

const column = struct('CustomResourceColumnDefinition', {
  name: alwaysPresent(text),
  type: alwaysPresent(text),
  format: text,
  description: text,
  priority: int32,
  jsonPath: alwaysPresent(text),
});

const scale = struct('CustomResourceSubresourceScale', {
  specReplicasPath: alwaysPresent(text),
  statusReplicasPath: alwaysPresent(text),
  labelSelectorPath: pointer(text),
});

const version = struct('CustomResourceDefinitionVersion', {
  name: alwaysPresent(text),
  served: alwaysPresent(bool),
  storage: alwaysPresent(bool),
  deprecated: bool,
  deprecationWarning: pointer(text),
  schema: pointer(struct('CustomResourceValidation', { openAPIV3Schema: pointer(schemaType) })),
  subresources: pointer(
    struct('CustomResourceSubresources', { status: pointer(struct('CustomResourceSubresourceStatus', {})), scale: pointer(scale) }),
  ),
  additionalPrinterColumns: list(column),
  selectableFields: list(struct('SelectableField', { jsonPath: alwaysPresent(text) })),
});

const conversion = struct('CustomResourceConversion', {
  strategy: alwaysPresent({ kind: 'text', go: 'v1.ConversionStrategyType' }),
  webhook: pointer(
    struct('WebhookConversion', {
      clientConfig: pointer(structType('admission.WebhookClientConfig')),
      conversionReviewVersions: alwaysPresent(texts),
    }),
  ),
});

const condition = struct('CustomResourceDefinitionCondition', {
  type: alwaysPresent(text),
  status: alwaysPresent(text),
  lastTransitionTime: time,
  reason: text,
  message: text,
  observedGeneration: int64,
});

export const definitionType: StructType = struct('CustomResourceDefinition', {
  kind: text,
  apiVersion: text,
  metadata: structType('meta.ObjectMeta'),
  spec: alwaysPresent(
    struct('CustomResourceDefinitionSpec', {
      group: alwaysPresent(text),
      names: alwaysPresent(names),
      scope: alwaysPresent({ kind: 'text', go: 'v1.ResourceScope' }),
      versions: alwaysPresent(list(version)),
      conversion: pointer(conversion),
      preserveUnknownFields: bool,
    }),
  ),
  status: struct('CustomResourceDefinitionStatus', {
    conditions: alwaysPresent(list(condition)),
    acceptedNames: alwaysPresent(names),
    storedVersions: alwaysPresent(texts),
    observedGeneration: int64,
  }),
});
