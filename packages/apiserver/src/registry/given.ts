import { quote } from 'kube-endpoints/internal';
import { type ApiObject, apiVersionOf, type PatchOptions, type PatchType } from 'kube-endpoints/port';
import { isFields } from '../resources/field/read.ts';
import { badRequest } from '../store/index.ts';
import type { ResourceStrategy } from './strategy.ts';

/*
 * What callers in this process give, whose types nobody may have checked. Over HTTP there are only texts, which are read there.
 */

/** @throws TypeError where it is no object with metadata */
export function requireObject(object: unknown): asserts object is ApiObject {
  if (!isFields(object)) refuse('object', object, 'an object of the API');
  if (!isFields(object['metadata'])) refuse('object.metadata', object['metadata'], 'an object');
}

/** @throws TypeError where it names nothing */
export function requireKey(key: unknown): void {
  if (!isFields(key)) refuse('key', key, 'an object with a name');
  for (const name of ['namespace', 'name']) requireType(key, name, 'string', 'key.');
  if (key['name'] === undefined) refuse('key.name', undefined, 'a string');
}

/** @throws TypeError that names the option of the wrong type */
export function requireSelection(options: object): void {
  for (const name of texts) requireType(options as Fields, name, 'string');
  for (const name of numbers) requireType(options as Fields, name, 'number');
}

/** @throws TypeError where it does not say which kind of patch it is */
export function requirePatch(options: PatchOptions | undefined): void {
  if (!isFields(options)) refuse('options', options, 'an object with a type');
  if (!Object.hasOwn(patchTypes, String(options['type']))) refuse('type', options['type'], `one of ${Object.keys(patchTypes).join(', ')}`);
}

/**
 * What an object says that it is has to be what it is written as.
 * @throws ApiError BadRequest
 */
export function requireKind({ resource, patchType }: ResourceStrategy, { apiVersion, kind }: ApiObject): void {
  const expected = apiVersionOf(resource);
  // Custom resources look at their kind themselves.
  if (kind && kind !== resource.kind && !patchType) {
    throw badRequest(`${kind} in version ${quote(apiVersion || expected)} cannot be handled as a ${resource.kind}`);
  }
  if (!apiVersion || apiVersion === expected) return;
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`);
}

type Fields = Readonly<Record<string, unknown>>;

const texts: readonly string[] = ['namespace', 'labelSelector', 'fieldSelector', 'resourceVersion', 'resourceVersionMatch', 'continue'];
const numbers: readonly string[] = ['limit', 'timeoutSeconds'];
const patchTypes: Readonly<Record<PatchType, true>> = { json: true, merge: true, strategic: true, apply: true };

function requireType(fields: Fields, name: string, type: 'string' | 'number', at: string = ''): void {
  const value = fields[name];
  if (value !== undefined && value !== null && typeof value !== type) refuse(`${at}${name}`, value, `a ${type}`);
}

function refuse(name: string, value: unknown, wanted: string): never {
  throw new TypeError(`${name} is ${JSON.stringify(value) ?? String(value)}: give ${wanted}`);
}
