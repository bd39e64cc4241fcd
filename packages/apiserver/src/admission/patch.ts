import type { ApiObject } from 'kube-endpoints/port';
import { applyJsonPatch } from '../patch/index.ts';
import { internalError } from '../registry/index.ts';

type Operation = Readonly<Record<string, unknown>> | null;

/** A JSON Patch cannot be applied. The message is that of kube-apiserver's JSON Patch library. */
export class PatchFailure extends Error {}

/** Applies a JSON Patch from admission. @throws ApiError InternalError in the words of kube-apiserver's JSON Patch library */
export function applyAdmissionPatch(object: ApiObject, operations: readonly unknown[]): unknown {
  try {
    return applyPatch(object, operations);
  } catch (error) {
    throw error instanceof PatchFailure ? internalError(error.message) : error;
  }
}

/** Applies a JSON Patch. @throws PatchFailure */
export function applyPatch(object: ApiObject, operations: readonly unknown[]): unknown {
  try {
    return applyJsonPatch(object as Record<string, unknown>, operations, 'Ignore').value;
  } catch (error) {
    throw new PatchFailure(describePatchFailure(object, operations as readonly Operation[], error));
  }
}

/** Finds the operation that failed and returns the message of evanphx/json-patch 4, kube-apiserver's library, for it. */
function describePatchFailure(object: ApiObject, operations: readonly Operation[], error: unknown): string {
  let patchedObject: unknown = object;
  for (const operation of operations) {
    try {
      patchedObject = applyJsonPatch(patchedObject as Record<string, unknown>, [operation], 'Ignore').value;
    } catch (cause) {
      return describeFailure(operation ?? {}, causeMessageOf(cause));
    }
  }
  return causeMessageOf(error);
}

/** Returns the message of the error's cause, because the error itself is worded for clients; without a cause, the error's own message. */
const causeMessageOf = (error: unknown): string => {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : (error as Error).message;
};

function describeFailure(operation: NonNullable<Operation>, message: string): string {
  const { op, path, from } = operation;
  if (typeof op !== 'string') return 'Unexpected kind: unknown';
  const isAddOrRemove = op === 'add' || op === 'remove';
  if (message === 'operation missing path field') {
    return `${op} operation failed to decode path: ${isAddOrRemove || op === 'copy' ? '' : 'operation missing path field: '}missing value`;
  }
  if (message === 'operation missing from field')
    return `${op} operation failed to decode from: operation, missing from field: missing value`;
  if (message.startsWith('doc is missing path')) return describeMissingPath(op, String(path), from, message);
  // Go's output for wrapping an error that is nil.
  if (message === 'replace operation value must be object or array') return `${message}: %!w(<nil>)`;
  if (message.startsWith('testing value')) return `${message}: test failed`;
  if (message.startsWith('Unable to remove'))
    return `error in ${op} for path: '${op === 'move' ? lastSegmentOf(from) : String(path)}': ${message}: missing value`;
  if (message.startsWith('Unable to access'))
    return describeBadIndex(op, String(path), from, message.slice('Unable to access invalid index: '.length));
  return message;
}

function describeMissingPath(op: string, path: string, from: unknown, message: string): string {
  if (op === 'add' || op === 'remove') return `${op} operation does not apply: doc is missing path: "${path}": missing value`;
  if (op === 'replace') return `replace operation does not apply: doc is missing path: ${path}: missing value`;
  if (op === 'test') return `test operation does not apply: is missing path: ${path}: missing value`;
  const missingPath = message.endsWith(`: ${String(from)}`) ? `from path: ${String(from)}` : `destination path: ${path}`;
  return `${op} operation does not apply: doc is missing ${missingPath}: missing value`;
}

function describeBadIndex(op: string, path: string, from: unknown, index: string): string {
  if (op === 'replace') return `replace operation does not apply: doc is missing key: ${path}: missing value`;
  const isNumber = /^[+-]?\d+$/.test(index);
  const syntax = `strconv.Atoi: parsing ${JSON.stringify(index)}: invalid syntax`;
  const problem = isNumber
    ? `Unable to access invalid index: ${Number(index)}: invalid index referenced`
    : op === 'add'
      ? `value was not a proper array index: '${index}': ${syntax}`
      : syntax;
  if (op === 'copy') return `error in copy for from: '${String(from)}': ${problem}`;
  return `error in ${op} for path: '${op === 'move' ? lastSegmentOf(from) : path}': ${problem}`;
}

const lastSegmentOf = (pointer: unknown): string => String(pointer).split('/').at(-1) ?? '';
