import { apiVersionOf } from 'kube-endpoints/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { Decoded } from '../../registry/index.ts';
import { isFields } from '../../resources/field/read.ts';
import { dropDuplicateOwners } from '../../resources/metadata/owners.ts';
import type { Schema } from '../schema/schema.ts';
import { withDefaults, withoutNulls } from './defaults.ts';
import { coerceEmbedded, readMetadata, UnreadableObject } from './embedded.ts';
import { prune } from './prune.ts';

/** Maximum depth of objects. Go's decoder allows more, but real objects do not come near it. */
const deepest = 500;

/** Creates a decoder for bodies of a custom resource, which prunes them and applies defaults. */
export function createDecoder(resource: Resource, schema: Schema | undefined): (body: unknown) => Decoded {
  // Stored objects are frozen and decoded again at every write, so the results are cached.
  const known = new WeakMap<object, Decoded>();
  return (body) => {
    const isStored = isFields(body) && Object.isFrozen(body);
    const before = isStored ? known.get(body) : undefined;
    if (before) return before;
    const decoded = decode(resource, schema, body);
    if (isStored) known.set(body, decoded);
    return decoded;
  };
}

function decode(resource: Resource, schema: Schema | undefined, body: unknown): Decoded {
  const apiVersion = apiVersionOf(resource);
  const unreadable = (problem: string): Decoded => ({ object: { metadata: {} }, unknown: [], problem });
  if (!isFields(body)) return unreadable('the body is no object');
  if (isDeeper(body, deepest)) return unreadable('exceeded max depth');
  const read = readMetadata(body['metadata']);
  if (read.problem !== undefined) return unreadable(read.problem);
  const { selfLink: _, ...metadata } = read.metadata as Record<string, unknown>;
  const warnings = dropDuplicateOwners(metadata);
  const { kind = resource.kind, apiVersion: version = apiVersion } = body as { readonly kind?: string; readonly apiVersion?: string };
  const named: ApiObject = { ...withoutUndefined(body), kind, apiVersion: version, metadata };
  const unknown = read.unknown.map((path) => `metadata.${path}`);
  // A wrong kind or apiVersion is rejected later, by validation.
  if (kind !== resource.kind || version !== apiVersion) return { object: named, unknown, warnings };
  try {
    return { object: normalized(named, schema, unknown), unknown, warnings };
  } catch (error) {
    if (error instanceof UnreadableObject) return unreadable(error.message);
    throw error;
  }
}

/** Mirrors unstructuredSchemaCoercer and unstructuredDefaulter (apiextensions-apiserver/pkg/apiserver, 1.36). */
export function normalized(object: ApiObject, schema: Schema | undefined, unknown: string[] = []): ApiObject {
  const pruned: string[] = [];
  const coerced: string[] = [];
  const known = withoutNulls(prune(object, schema, true, pruned), schema);
  const whole = coerceEmbedded(known, schema, '', coerced);
  unknown.push(...pruned.sort(), ...coerced.sort());
  return withDefaults(whole, schema) as ApiObject;
}

/** Callers in this process may pass undefined, which JSON cannot represent. */
function withoutUndefined(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.values(body).includes(undefined)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    : body;
}

/** Whether a value nests deeper than `levels`. Limits the recursion of functions that walk values. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((each) => isDeeper(each, levels - 1));
}
