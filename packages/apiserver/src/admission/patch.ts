import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { applyJsonPatch } from '../patch/index.ts';
import { internalError } from '../registry/index.ts';

type Operation = Readonly<Record<string, unknown>> | null;

/** Applies a JSON Patch from admission. If it fails, the error is 500 in the words of the real server's JSON Patch library. */
export function applyAdmissionPatch(object: ApiObject, operations: readonly unknown[]): unknown {
  try {
    return applyJsonPatch(object as Record<string, unknown>, operations, 'Ignore').value;
  } catch (error) {
    throw explained(object, operations as readonly Operation[], error);
  }
}

/** Finds the operation that failed and returns the error of evanphx/json-patch 4 for it. */
function explained(object: ApiObject, operations: readonly Operation[], error: unknown): ApiError {
  let current: unknown = object;
  for (const operation of operations) {
    try {
      current = applyJsonPatch(current as Record<string, unknown>, [operation], 'Ignore').value;
    } catch (cause) {
      return internalError(describe(operation ?? {}, messageOf(cause)));
    }
  }
  return internalError(messageOf(error));
}

/** The underlying cause, which the errors for clients' own patches hide. */
const messageOf = (error: unknown): string => {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : (error as Error).message;
};

function describe(operation: NonNullable<Operation>, why: string): string {
  const { op, path, from } = operation;
  if (typeof op !== 'string') return 'Unexpected kind: unknown';
  const isNew = op === 'add' || op === 'remove';
  if (why === 'operation missing path field') {
    return `${op} operation failed to decode path: ${isNew || op === 'copy' ? '' : 'operation missing path field: '}missing value`;
  }
  if (why === 'operation missing from field') return `${op} operation failed to decode from: operation, missing from field: missing value`;
  if (why.startsWith('doc is missing path')) return missingPath(op, String(path), from, why);
  // Go's output for wrapping an error that is nil.
  if (why === 'replace operation value must be object or array') return `${why}: %!w(<nil>)`;
  if (why.startsWith('testing value')) return `${why}: test failed`;
  if (why.startsWith('Unable to remove'))
    return `error in ${op} for path: '${op === 'move' ? lastOf(from) : String(path)}': ${why}: missing value`;
  if (why.startsWith('Unable to access')) return badIndex(op, String(path), from, why.slice('Unable to access invalid index: '.length));
  return why;
}

function missingPath(op: string, path: string, from: unknown, why: string): string {
  if (op === 'add' || op === 'remove') return `${op} operation does not apply: doc is missing path: "${path}": missing value`;
  if (op === 'replace') return `replace operation does not apply: doc is missing path: ${path}: missing value`;
  if (op === 'test') return `test operation does not apply: is missing path: ${path}: missing value`;
  const place = why.endsWith(`: ${String(from)}`) ? `from path: ${String(from)}` : `destination path: ${path}`;
  return `${op} operation does not apply: doc is missing ${place}: missing value`;
}

function badIndex(op: string, path: string, from: unknown, index: string): string {
  if (op === 'replace') return `replace operation does not apply: doc is missing key: ${path}: missing value`;
  const number = /^[+-]?\d+$/.test(index);
  const syntax = `strconv.Atoi: parsing ${JSON.stringify(index)}: invalid syntax`;
  const what = number
    ? `Unable to access invalid index: ${Number(index)}: invalid index referenced`
    : op === 'add'
      ? `value was not a proper array index: '${index}': ${syntax}`
      : syntax;
  if (op === 'copy') return `error in copy for from: '${String(from)}': ${what}`;
  return `error in ${op} for path: '${op === 'move' ? lastOf(from) : path}': ${what}`;
}

const lastOf = (pointer: unknown): string => String(pointer).split('/').at(-1) ?? '';
