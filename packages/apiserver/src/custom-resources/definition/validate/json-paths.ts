import type { Causes } from '../../../resources/field/causes.ts';
import type { ColumnDefinition } from '../../objects/columns.ts';
import { additionalPropertiesOf, propertyOf, type Schema } from '../../schema/schema.ts';
import type { Subresources } from '../definition.ts';

const columnTypes = 'boolean,date,integer,number,string';
const columnFormats = 'byte,date,date-time,double,float,int32,int64,password';

/** Mirrors ValidateCustomResourceColumnDefinition (apiextensions-apiserver/pkg/apis/apiextensions/validation, 1.36). */
export function validateColumns(columns: readonly ColumnDefinition[] | undefined, field: string, causes: Causes): void {
  for (const [i, { name = '', type = '', format = '', jsonPath = '' }] of columns?.entries() ?? []) {
    const path = `${field}[${i}]`;
    if (name === '') causes.required(`${path}.name`);
    if (type === '') causes.required(`${path}.type`, `must be one of ${columnTypes}`);
    else if (!columnTypes.split(',').includes(type)) causes.invalid(`${path}.type`, type, `must be one of ${columnTypes}`);
    if (format !== '' && !columnFormats.split(',').includes(format))
      causes.invalid(`${path}.format`, format, `must be one of ${columnFormats}`);
    if (jsonPath === '') causes.required(`${path}.JSONPath`);
    else validateJsonPath(jsonPath, `${path}.JSONPath`, causes);
  }
}

/** Reports a path that does not start with a dot. @returns whether the path is valid */
function validateJsonPath(path: string, field: string, causes: Causes): boolean {
  if (path.startsWith('.')) return true;
  causes.invalid(field, path, 'must be a simple json path starting with .');
  return false;
}

/** Mirrors ValidateCustomResourceDefinitionSubresources. */
export function validateScale(subresources: Subresources | undefined, field: string, causes: Causes): void {
  const { scale } = subresources ?? {};
  if (!scale) return;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  const validatePathUnder = (path: string, jsonPathField: string, roots: readonly string[], allowedRoots: string): void => {
    if (!validateJsonPath(path, jsonPathField, causes)) return;
    if (!roots.some((root) => path.startsWith(root))) causes.invalid(jsonPathField, path, `should be a json path under ${allowedRoots}`);
  };
  if (specReplicasPath === '') causes.required(`${field}.scale.specReplicasPath`);
  else validatePathUnder(specReplicasPath, `${field}.scale.specReplicasPath`, ['.spec.'], '.spec');
  if (statusReplicasPath === '') causes.required(`${field}.scale.statusReplicasPath`);
  else validatePathUnder(statusReplicasPath, `${field}.scale.statusReplicasPath`, ['.status.'], '.status');
  if (labelSelectorPath !== '')
    validatePathUnder(labelSelectorPath, `${field}.scale.labelSelectorPath`, ['.spec.', '.status.'], 'either .spec or .status');
}

const maxSelectableFields = 8;

/** Mirrors ValidateCustomResourceSelectableFields. @param skipLimit whether the fields are unchanged and may exceed the limit */
export function validateSelectableFields(
  fields: readonly { readonly jsonPath?: string }[],
  schema: Schema,
  field: string,
  skipLimit: boolean,
  causes: Causes,
): void {
  const seenPaths = new Set<string>();
  for (const [i, { jsonPath = '' }] of fields.entries()) {
    const jsonPathField = `${field}[${i}].jsonPath`;
    if (jsonPath === '') {
      causes.required(jsonPathField);
      continue;
    }
    const target = findField(jsonPath, schema, false);
    if (target.problem !== undefined) {
      causes.invalid(jsonPathField, jsonPath, `is an invalid path: ${target.problem}`);
      continue;
    }
    if (target.steps[0] === 'metadata') causes.invalid(jsonPathField, jsonPath, 'must not point to fields in metadata');
    if (!['string', 'boolean', 'integer'].includes(target.schema?.type ?? '')) {
      const detail = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      causes.invalid(jsonPathField, jsonPath, detail);
    }
    const path = target.steps.join('.');
    if (seenPaths.has(path)) causes.duplicate(jsonPathField, jsonPath);
    seenPaths.add(path);
  }
  if (seenPaths.size > maxSelectableFields && !skipLimit) causes.tooMany(field, seenPaths.size, maxSelectableFields);
}

type FieldTarget =
  | { readonly steps: readonly string[]; readonly schema: Schema | undefined; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * Follows a path of fields and, if `allowsBrackets` is set, quoted keys in brackets. Mirrors ValidFieldPath
 * (apiextensions-apiserver/pkg/apiserver/schema/cel, 1.36).
 */
export function findField(path: string, schema: Schema, allowsBrackets: boolean): FieldTarget {
  const tokens = tokenize(path);
  const steps: string[] = [];
  let currentSchema: Schema | undefined = schema;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as string;
    if (token !== '[' && token !== '.') return { problem: `expected [ or . but got: ${token}` };
    if (token === '[' && !allowsBrackets) return { problem: 'array notation is not allowed' };
    i += 1;
    const parsedName = token === '[' ? readBracketKey(tokens, i) : { name: tokens[i] ?? '' };
    if ('problem' in parsedName) return parsedName;
    if (token === '[') i += 1;
    const nextSchema: Schema | undefined = currentSchema && findChildSchema(currentSchema, parsedName.name);
    if (!nextSchema) return { problem: 'does not refer to a valid field' };
    steps.push(parsedName.name);
    currentSchema = nextSchema;
  }
  return { steps, schema: currentSchema };
}

const findChildSchema = (schema: Schema, name: string): Schema | undefined =>
  schema.properties === undefined ? additionalPropertiesOf(schema) : propertyOf(schema, name);

function readBracketKey(tokens: readonly string[], i: number): { readonly name: string } | { readonly problem: string } {
  const key = tokens[i];
  if (key === undefined) return { problem: 'unexpected end of JSON path' };
  if (!/^'.*'$/s.test(key) || key.length < 2) return { problem: `expected single quoted string but got ${key}` };
  const closingToken = tokens[i + 1];
  if (closingToken === undefined) return { problem: 'unexpected end of JSON path' };
  if (closingToken !== ']') return { problem: `expected ] but got ${closingToken}` };
  return { name: key.slice(1, -1).replace(/\\(.)/gs, '$1') };
}

/** Tokens: dots, brackets, names and quoted strings. */
const tokenize = (path: string): readonly string[] => path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+|'/gs) ?? [];
