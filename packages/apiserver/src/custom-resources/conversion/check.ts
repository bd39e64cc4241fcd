import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { jsonTypeOf } from '../../patch/errors.ts';
import { collectCauses } from '../../resources/field/causes.ts';
import { entries, isFields } from '../../resources/field/read.ts';
import { validateAnnotations, validateLabels } from '../../resources/metadata/validate.ts';
import { aggregateMessage } from '../../resources/status.ts';
import { status500 } from '../../store/index.ts';
import { writeJson } from '../../store/json.ts';
import { goTypeOf } from '../objects/scale.ts';

/** A call of a webhook, for error messages. */
export interface ConvertedItem {
  /** The requested version. */
  readonly apiVersion: string;
  readonly gvk: string;
  readonly index: number;
  /** Whether several objects were converted by one call. */
  readonly isList: boolean;
}

/**
 * Checks a converted object, and returns it with the metadata of the original, except for labels and annotations.
 *
 * Mirrors webhookConverter.Convert, validateConvertedObject and restoreObjectMeta (apiextensions-apiserver/pkg/apiserver/conversion, 1.36).
 * @throws ApiError with upstream's message
 */
export function checkConverted(original: ApiObject, converted: unknown, item: ConvertedItem): ApiObject {
  const { apiVersion, gvk, index, isList } = item;
  const fail = (position: string, problem: string): ApiError => status500(`conversion webhook for ${gvk} returned ${position}: ${problem}`);
  const listPosition = `invalid converted object at index ${index}`;
  const problem = findObjectProblem(converted);
  if (problem !== undefined) throw isList ? fail(listPosition, problem) : status500(problem);
  const object = converted as ApiObject;
  const typeProblem = findTypeProblem(original, object, apiVersion);
  if (typeProblem !== undefined) throw fail(isList ? listPosition : 'invalid object at index 0', typeProblem);
  const identityProblem = findIdentityProblem(original, object);
  if (identityProblem !== undefined) throw fail(isList ? listPosition : 'invalid object', identityProblem);
  const restored = restoreMetadata(original, object);
  if (restored.problem !== undefined)
    throw fail(isList ? `invalid metadata in object at index ${index}` : 'invalid metadata', restored.problem);
  return { ...object, metadata: restored.metadata };
}

/** The error of decoding an object without a schema. */
function findObjectProblem(converted: unknown): string | undefined {
  if (converted === null || converted === undefined) return 'unexpected end of JSON input';
  if (!isFields(converted)) return `json: cannot unmarshal ${jsonTypeOf(converted)} into Go value of type map[string]interface {}`;
  return textOf(converted, 'kind') === '' ? `Object 'Kind' is missing in '${writeJson(converted)}'` : undefined;
}

function findTypeProblem(original: ApiObject, converted: ApiObject, apiVersion: string): string | undefined {
  const actual = textOf(converted, 'apiVersion');
  if (actual !== apiVersion) return `invalid groupVersion (expected ${apiVersion}, received ${actual})`;
  const kind = textOf(converted, 'kind');
  return kind === original.kind ? undefined : `invalid kind (expected ${original.kind}, received ${kind})`;
}

function findIdentityProblem(original: ApiObject, converted: ApiObject): string | undefined {
  const [before, after] = [original.metadata, isFields(converted.metadata) ? converted.metadata : {}];
  const difference = (['name', 'namespace', 'uid'] as const).find((field) => textOf(before, field) !== textOf(after, field));
  if (difference === undefined) return undefined;
  const label = difference === 'uid' ? 'UID' : difference;
  return `must have the same ${label}: ${textOf(before, difference)} != ${textOf(after, difference)}`;
}

/** As upstream, a value that is not a string reads as "". */
const textOf = (object: unknown, name: string): string => {
  const value = (object as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
};

type Metadata = ApiObject['metadata'];

function restoreMetadata(
  original: ApiObject,
  converted: ApiObject,
): { readonly metadata: Metadata; readonly problem?: undefined } | { readonly problem: string } {
  if (!Object.hasOwn(converted, 'metadata')) return { problem: 'missing metadata in converted object' };
  const answered: unknown = converted.metadata;
  if (!isFields(answered)) return { problem: `invalid metadata of type ${goTypeOf(answered)} in converted object` };
  const metadata: Record<string, unknown> = { ...original.metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const value = answered[field];
    delete metadata[field];
    if (value === undefined || value === null) continue;
    const problem = findMapProblem(field, value, original.metadata[field] ?? {});
    if (problem !== undefined) return { problem };
    metadata[field] = value;
  }
  return { metadata };
}

/** Validates labels or annotations; as upstream, only if the webhook changed them. */
function findMapProblem(field: 'labels' | 'annotations', value: unknown, original: Readonly<Record<string, string>>): string | undefined {
  if (!isFields(value)) return `invalid metadata.${field} of type ${goTypeOf(value)} in converted object`;
  const other = Object.entries(value).find(([, each]) => typeof each !== 'string');
  if (other) return `metadata.${field}[${other[0]}] must be a string, but is ${goTypeOf(other[1])} in converted object`;
  const names = Object.keys(value);
  if (names.length === Object.keys(original).length && names.every((name) => value[name] === original[name])) return undefined;
  const causes = collectCauses();
  if (field === 'labels') validateLabels(entries({ labels: value }, field), 'metadata.labels', causes);
  else validateAnnotations(entries({ annotations: value }, field), 'metadata.annotation', causes);
  return causes.list.length > 0 ? aggregateMessage(causes.list) : undefined;
}
