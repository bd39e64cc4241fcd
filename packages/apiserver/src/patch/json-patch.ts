import { badRequest } from '../store/errors.ts';
import { stringifyExactly } from '../store/index.ts';
import {
  createInapplicablePatchError,
  createTooLargeError,
  createUndecodablePatchError,
  type FieldValidation,
  formatUnmarshalError,
  type PatchedDocument,
} from './errors.ts';
import { escapeHtml } from './go-format.ts';
import { clone, equal, getOwn, getSortedKeys, has, isMap, type JsonMap, maxDepth, put } from './json.ts';

/** Maximum number of operations in a patch (1.36, apiserver/pkg/endpoints/handlers/patch.go). */
export const maxOperations = 10_000;
/** Maximum total size of values copied by "copy" operations of one patch, in bytes of JSON (1.36, apiserver/pkg/server/config.go). */
export const maxCopiedBytes: number = 3 * 1024 * 1024;

/**
 * Applies a JSON Patch (RFC 6902) as the API server does, which is more lenient than the RFC: "replace" adds a missing key, a missing key
 * counts as null in "test" and "copy", indices may be negative, and text before a path's first slash is ignored.
 * Implemented without a library, because libraries follow the RFC in these cases and reject keys such as `__proto__`.
 * @throws ApiError 400 for an invalid patch, 413 for too many operations, 422 if it does not apply
 */
export function applyJsonPatch(object: JsonMap, patch: unknown, fieldValidation: FieldValidation = 'Warn'): PatchedDocument {
  const operations = decodeOperations(patch, fieldValidation);
  const state: PatchState = { root: clone(object), copiedBytes: 0, traversed: new Set() };
  for (const operation of operations) {
    const kind = getOwn(operation, 'op');
    const run = typeof kind === 'string' && Object.hasOwn(runners, kind) ? runners[kind as keyof typeof runners] : undefined;
    if (run === undefined) throw createInapplicablePatchError(`Unexpected kind: ${String(kind)}`);
    run(state, operation);
  }
  return { value: copyResult(state.root, state), strictErrors: fieldValidation === 'Ignore' ? [] : findUnknownFields(operations) };
}

interface PatchState {
  root: unknown;
  copiedBytes: number;
  /** Traversed containers, whose keys are sorted in the result, as by a round trip through a Go map. */
  readonly traversed: Set<unknown>;
}

interface PatchTarget {
  readonly container: JsonMap | unknown[];
  readonly key: string;
}

const runners = {
  add: (state: PatchState, operation: JsonMap) => add(locate(state, requireText(operation, 'path')), getValue(operation)),
  remove: (state: PatchState, operation: JsonMap) => remove(locate(state, requireText(operation, 'path'))),
  replace(state: PatchState, operation: JsonMap) {
    const path = requireText(operation, 'path');
    const value = getValue(operation);
    if (path !== '') {
      set(locate(state, path), value);
    } else if (typeof value === 'object' && value !== null) {
      state.root = value;
    } else {
      throw createInapplicablePatchError('replace operation value must be object or array');
    }
  },
  move(state: PatchState, operation: JsonMap) {
    const from = locate(state, requireText(operation, 'from'));
    const value = get(from);
    remove(from);
    add(locate(state, requireText(operation, 'path')), value ?? null);
  },
  copy(state: PatchState, operation: JsonMap) {
    const value = clone(get(locate(state, requireText(operation, 'from'))) ?? null);
    const target = locate(state, requireText(operation, 'path'));
    state.copiedBytes += Buffer.byteLength(escapeHtml(stringifyExactly(value)));
    if (state.copiedBytes > maxCopiedBytes) {
      throw createInapplicablePatchError(`copies of ${state.copiedBytes} bytes exceed the limit of ${maxCopiedBytes}`);
    }
    add(target, value);
  },
  test(state: PatchState, operation: JsonMap) {
    const path = requireText(operation, 'path');
    const actual = path === '' ? state.root : (get(locate(state, path)) ?? null);
    if (!equal(actual, getValue(operation))) throw createInapplicablePatchError(`testing value ${path} failed`);
  },
};

function decodeOperations(patch: unknown, fieldValidation: FieldValidation): JsonMap[] {
  const operations: unknown = clone(patch) ?? [];
  if (!Array.isArray(operations)) {
    const formatMessage = (type: string) => formatUnmarshalError(operations, `value of type ${type}`);
    throw createUndecodablePatchError(fieldValidation, formatMessage('[]handlers.jsonPatchOp'), formatMessage('jsonpatch.Patch'));
  }
  for (const operation of operations) {
    if (operation !== null && !isMap(operation)) {
      const formatMessage = (type: string) => formatUnmarshalError(operation, `value of type ${type}`);
      throw createUndecodablePatchError(fieldValidation, formatMessage('handlers.jsonPatchOp'), formatMessage('jsonpatch.Operation'));
    }
    for (const name of fieldValidation === 'Ignore' || operation === null ? [] : ['op', 'path', 'from']) {
      const value = getOwn(operation, name) ?? '';
      if (typeof value !== 'string') {
        throw badRequest(`error decoding patch: ${formatUnmarshalError(value, `struct field jsonPatchOp.${name} of type string`)}`);
      }
    }
  }
  if (operations.length > maxOperations) {
    throw createTooLargeError(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`);
  }
  return operations.map((operation) => operation ?? {});
}

const findUnknownFields = (operations: readonly JsonMap[]): string[] =>
  operations.flatMap((operation, index) =>
    Object.keys(operation)
      .filter((key) => !['op', 'path', 'from', 'value'].includes(key))
      .map((key) => `json patch unknown field "[${index}].${key}"`),
  );

const getValue = (operation: JsonMap): unknown => getOwn(operation, 'value') ?? null;

function requireText(operation: JsonMap, name: 'path' | 'from'): string {
  const value = getOwn(operation, name);
  if (typeof value !== 'string') throw createInapplicablePatchError(`operation missing ${name} field`);
  return value;
}

/** Resolves a JSON Pointer to the container and key of its last part. */
function locate(state: PatchState, path: string): PatchTarget {
  const parts = path.split('/').map((part) => part.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')));
  const key = parts.length < 2 ? undefined : parts.pop();
  let container = state.root;
  for (const part of parts.slice(1)) {
    container = get({ container: requireContainer(state, container, path), key: part });
  }
  if (key === undefined) throw createInapplicablePatchError(`doc is missing path: ${path}`);
  return { container: requireContainer(state, container, path), key };
}

function requireContainer({ traversed }: PatchState, value: unknown, path: string): JsonMap | unknown[] {
  if (!Array.isArray(value) && !isMap(value)) throw createInapplicablePatchError(`doc is missing path: ${path}`);
  traversed.add(value);
  return value;
}

/** A deep copy, so that no value appears twice. The root always counts as traversed. */
function copyResult(value: unknown, state: PatchState, depth: number = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw badRequest('exceeded max depth');
  if (Array.isArray(value)) return value.map((item) => copyResult(item ?? null, state, depth + 1));
  const result: JsonMap = {};
  const map = value as JsonMap;
  for (const key of depth === 0 || state.traversed.has(value) ? getSortedKeys(map) : Object.keys(map)) {
    if (map[key] !== undefined) {
      put(result, key, copyResult(map[key], state, depth + 1));
    }
  }
  return result;
}

const get = ({ container, key }: PatchTarget): unknown =>
  Array.isArray(container) ? container[resolveIndex(key, container.length)] : getOwn(container, key);

function set({ container, key }: PatchTarget, value: unknown): void {
  if (Array.isArray(container)) {
    container[resolveIndex(key, container.length)] = value;
  } else {
    put(container, key, value);
  }
}

function add(target: PatchTarget, value: unknown): void {
  const { container, key } = target;
  if (!Array.isArray(container)) {
    set(target, value);
  } else if (key === '-') {
    container.push(value);
  } else {
    container.splice(resolveIndex(key, container.length + 1), 0, value);
  }
}

function remove({ container, key }: PatchTarget): void {
  if (Array.isArray(container)) {
    container.splice(resolveIndex(key, container.length), 1);
  } else if (!has(container, key)) {
    throw createInapplicablePatchError(`Unable to remove nonexistent key: ${key}`);
  } else {
    delete container[key];
  }
}

function resolveIndex(key: string, length: number): number {
  const number = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  const index = number < 0 ? number + length : number;
  if (!(index >= 0 && index < length)) throw createInapplicablePatchError(`Unable to access invalid index: ${key}`);
  return index;
}
