import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { isFields } from '../resources/field/read.ts';
import { type Description, findConversionProblem, type ListObjects } from '../resources/index.ts';
import { admitObject, checkCreate, checkUpdate, createObjectCodec, type ParsedBody } from '../resources/write.ts';
import type { Fields } from '../store/fields.ts';
import { forbidden } from './errors.ts';
import type { CheckResult, DecodedBody, ResourceStrategy } from './strategy.ts';

/**
 * Creates the strategy of a built-in kind from its description in `resources`: decoding, defaults, validation and encoding.
 *
 * Decoded objects belong to the write they are decoded for, so validation may modify them.
 */
export function createBuiltInStrategy(description: Description, listObjects?: ListObjects): ResourceStrategy {
  const { resource, strategy, subresources = {}, gracePeriod } = description;
  const codec = createObjectCodec(description);
  const ownership = { owned: true };
  // At first use, because it parses the type's fields, and a server starts with the types of all kinds.
  let names: readonly string[] | undefined;
  const alwaysEncodedNames = (): readonly string[] => {
    names ??= alwaysEncodedNamesOf(description);
    return names;
  };
  const dropEmptyLists = (result: CheckResult): CheckResult =>
    alwaysEncodedNames().length === 0 || result.causes ? result : withoutEmptyLists(alwaysEncodedNames(), result.object);
  return {
    resource,
    createOnUpdate: strategy.createOnUpdate,
    unconditionalUpdate: strategy.unconditionalUpdate,
    subresources: Object.keys(subresources),
    isGarbageCollected: resource.plural !== 'events',
    decode: (body) => toDecoded(resource, withEmptyLists(alwaysEncodedNames(), body, codec.read(body))),
    restoreProblem: (patched) => findConversionProblem(description.type, patched),
    decodeStored: (stored) => codec.readStored(stored) as unknown as ApiObject,
    encode: (object) => codec.print(object) as unknown as ApiObject,
    transfersOwnership: true,
    checkCreate: (object) => dropEmptyLists(checkCreate(description, object, ownership) as CheckResult),
    checkUpdate: (object, old, subresource) => dropEmptyLists(checkUpdate(description, object, old, subresource, ownership) as CheckResult),
    ...(strategy.admit && { admit: (object, old) => admit(description, object, old, listObjects) }),
    ...(strategy.warnings && { warnings: strategy.warnings }),
    ...(gracePeriod && { gracePeriod }),
    ...selectableFieldsOf(description),
    resetFields: resetFieldsOf(description),
  };
}

/** Returns the names of the lists that are encoded even if empty. */
const alwaysEncodedNamesOf = ({ type }: Description): readonly string[] =>
  [...type.fields.values()].filter((field) => field.type.kind === 'list' && !field.omitEmpty).map(({ name }) => name);

/** Keeps empty lists of the body, because managed fields record them although they are not stored. */
function withEmptyLists(names: readonly string[], body: unknown, parsedBody: ParsedBody): ParsedBody {
  const emptyNames = names.filter((name) => isFields(body) && Array.isArray(body[name]) && body[name].length === 0);
  return emptyNames.length === 0
    ? parsedBody
    : { ...parsedBody, value: { ...parsedBody.value, ...Object.fromEntries(emptyNames.map((name) => [name, []])) } };
}

function withoutEmptyLists(names: readonly string[], object: ApiObject): CheckResult {
  const emptyNames = names.filter((name) => Array.isArray(object[name]) && object[name].length === 0);
  if (emptyNames.length === 0) return { object };
  return { object: Object.fromEntries(Object.entries(object).filter(([name]) => !emptyNames.includes(name))) as unknown as ApiObject };
}

const resetFieldsOf = ({ strategy, subresources }: Description): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries({ '': strategy, ...subresources }).flatMap(([name, { resetFields }]) => (resetFields ? [[name, resetFields]] : [])),
  );

/** Omitted if only metadata fields are selectable; the API server's error message then differs. */
function selectableFieldsOf({ selectableFields: fields, fieldAliases: aliases }: Description): Pick<ResourceStrategy, 'selectableFields'> {
  if (Object.keys(fields).every((name) => name.startsWith('metadata.'))) return {};
  return { selectableFields: { fields, ...(aliases && { aliases }) } };
}

function toDecoded(resource: Resource, { value, problem, unknown, warnings }: ParsedBody): DecodedBody {
  const metadata = (value['metadata'] ?? {}) as Record<string, unknown>;
  // selfLink is deprecated and dropped.
  if (metadata['selfLink'] !== undefined) delete metadata['selfLink'];
  const object = { ...(value as Fields), apiVersion: apiVersionOf(resource), kind: resource.kind, metadata };
  return problem === undefined ? { object, unknown, warnings } : { object, unknown, warnings, problem };
}

function admit(description: Description, object: ApiObject, old: ApiObject | undefined, listObjects: ListObjects | undefined): ApiObject {
  const admitted = admitObject(description, object, old, { owned: true, ...(listObjects && { listObjects }) });
  if (admitted.forbidden === undefined) return admitted.object as unknown as ApiObject;
  const { name, generateName } = object.metadata;
  throw forbidden(description.resource, name || generateName || 'Unknown', admitted.forbidden);
}
