import { compareText, quote, type StatusCause } from 'kube-endpoints/internal/apimachinery';
import type { ApiError } from 'kube-endpoints/port';
import { badRequest, failure, status500 } from '../store/errors.ts';
import { pathsOf } from './apply/field-set.ts';
import { parseIdentifier } from './apply/managed-fields.ts';
import { formatPath } from './apply/path-element.ts';
import type { Conflicts } from './apply/updater.ts';
import { format, kindOf, typeName } from './go-format.ts';
import type { JsonMap } from './json.ts';

/** The error for a well-formed patch that does not apply; upstream does not disclose the reason. */
export const createInapplicablePatchError = (cause: string): ApiError =>
  failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {}, { cause: new Error(cause) });

export const createTooLargeError = (message: string): ApiError =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);

/** Mirrors NewApplyConflict (1.36, apimachinery/pkg/api/errors/errors.go). */
export const createApplyConflictError = (message: string, causes: readonly StatusCause[]): ApiError =>
  failure(409, 'Conflict', message, { causes });

/** The error for inputs on which upstream's handler panics. */
export const createPanicError = (): ApiError =>
  failure(500, undefined, 'This request caused apiserver to panic. Look in the logs for details.');

/**
 * The 409 that lists each field and its manager. Mirrors NewConflictError (1.36,
 * apimachinery/pkg/util/managedfields/internal/conflict.go).
 */
export function createManagerConflictError({ sets }: Conflicts): ApiError {
  const byManager = [...sets]
    .sort(([left], [right]) => compareText(left, right))
    .map(([manager, set]) => ({ manager: describeManager(manager), fields: pathsOf(set).map((path) => formatPath(path)) }));
  const conflicts = byManager.flatMap(({ manager, fields }) => fields.map((field) => ({ manager, field })));
  const causes = conflicts.map(({ manager, field }) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field }));
  const list = byManager
    .flatMap(({ manager, fields }) => [`conflicts with ${manager}:`, ...fields.map((field) => `- ${field}`)])
    .join('\n');
  const message =
    conflicts.length === 1
      ? `1 conflict: conflict with ${conflicts[0]?.manager}: ${conflicts[0]?.field}`
      : `${conflicts.length} conflicts: ${list}`;
  return createApplyConflictError(`Apply failed with ${message}`, causes);
}

function describeManager(identifier: string): string {
  const { manager = '', operation, apiVersion, subresource } = parseIdentifier(identifier);
  const name = quote(manager) + (subresource ? ` with subresource ${quote(subresource)}` : '');
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

// Errors of strategic merge patches (1.36, apimachinery/pkg/util/mergepatch/errors.go), with the codes of
// `interpretStrategicMergePatchError` (apiserver/pkg/endpoints/handlers/patch.go): 500 for errors that it does not list.

export const createPrimitiveListError = (): ApiError => badRequest('invalid patch format of primitive list');
export const createRetainKeysError = (): ApiError => badRequest('invalid patch format of retainKeys');
export const createSetElementOrderError = (): ApiError => badRequest('invalid patch format of setElementOrder list');
export const createListOfListsError = (): ApiError => createInapplicablePatchError('lists of lists are not supported');

export const createBadTypeError = (expected: unknown, actual: unknown): ApiError =>
  status500(`expected a ${typeName(expected)}, but received a ${typeName(actual)}`);

export const createMissingMergeKeyError = (map: JsonMap, key: string): ApiError =>
  status500(`map: ${format(map)} does not contain declared merge key: ${key}`);

export function createUnknownDirectiveError(directive: unknown, map: JsonMap): ApiError {
  const directiveText = kindOf(directive) === 'string' ? directive : `%!s(${typeName(directive)}=${format(directive)})`;
  return status500(`unknown patch type: ${directiveText} in map: ${format(map)}`);
}

/** Refuse, warn about or ignore unknown fields. Default Warn. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface PatchedDocument {
  /** The patched document; not necessarily an object, if the patch replaced the root. */
  readonly value: unknown;
  /** Unknown fields in the patch itself, to be reported together with those found when the document is decoded. */
  readonly strictErrors: readonly string[];
}

/** Go's error for a JSON value of the wrong type. */
export const formatUnmarshalError = (value: unknown, into: string): string => `json: cannot unmarshal ${jsonTypeOf(value)} into Go ${into}`;

/** Go's error for a body whose kind and apiVersion cannot be read. */
export const formatTypeMetaError = (value: unknown, into: string = `value of type ${goTypeMeta}`): string =>
  `couldn't get version/kind; json parse error: ${formatUnmarshalError(value, into)}`;

const goTypeMeta = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * The error for a patched object that cannot be decoded. Upstream decodes strictly first, with a prefix, unless fieldValidation is Ignore.
 */
export const createUndecodablePatchError = (fieldValidation: FieldValidation, strictMessage: string, looseMessage: string): ApiError =>
  badRequest(fieldValidation === 'Ignore' ? looseMessage : `error decoding patch: ${strictMessage}`);

/** The type of a JSON value in the messages of Go's decoder. */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
