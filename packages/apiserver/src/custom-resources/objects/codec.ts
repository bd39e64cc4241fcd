import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { DecodedBody } from '../../registry/index.ts';
import { isDeeper, isFields } from '../../resources/field/read.ts';
import { dropDuplicateOwners } from '../../resources/metadata/owners.ts';
import type { Schema } from '../schema/schema.ts';
import { withDefaults, withoutNulls } from './defaults.ts';
import { coerceEmbedded, decodeMetadata, UnreadableObject } from './embedded.ts';
import { prune } from './prune.ts';

/** Maximum nesting depth of objects. Go's decoder allows more, but real objects are far below this limit. */
const maxDepth = 500;

/** Creates a decoder for bodies of a custom resource, which prunes them and applies defaults. */
export function createDecoder(resource: Resource, schema: Schema | undefined): (body: unknown) => DecodedBody {
  // Every write decodes the stored object again. Stored objects are frozen, so their results can be cached.
  const decodedByBody = new WeakMap<object, DecodedBody>();
  return (body) => {
    const isStored = isFields(body) && Object.isFrozen(body);
    const cachedBody = isStored ? decodedByBody.get(body) : undefined;
    if (cachedBody) return cachedBody;
    const decodedBody = decode(resource, schema, body);
    if (isStored) decodedByBody.set(body, decodedBody);
    return decodedBody;
  };
}

function decode(resource: Resource, schema: Schema | undefined, body: unknown): DecodedBody {
  const apiVersion = apiVersionOf(resource);
  const createProblem = (problem: string): DecodedBody => ({ object: { metadata: {} }, unknown: [], problem });
  if (!isFields(body)) return createProblem('the body is no object');
  if (isDeeper(body, maxDepth)) return createProblem('exceeded max depth');
  const decodedMetadata = decodeMetadata(body['metadata']);
  if (decodedMetadata.problem !== undefined) return createProblem(decodedMetadata.problem);
  const { selfLink: _, ...metadata } = decodedMetadata.metadata as Record<string, unknown>;
  const warnings = dropDuplicateOwners(metadata);
  const { kind = resource.kind, apiVersion: version = apiVersion } = body as { readonly kind?: string; readonly apiVersion?: string };
  const typedObject: ApiObject = { ...withoutUndefined(body), kind, apiVersion: version, metadata };
  const unknownPaths = decodedMetadata.unknown.map((path) => `metadata.${path}`);
  // A wrong kind or apiVersion is rejected later, by validation.
  if (kind !== resource.kind || version !== apiVersion) return { object: typedObject, unknown: unknownPaths, warnings };
  try {
    return { object: normalize(typedObject, schema, unknownPaths), unknown: unknownPaths, warnings };
  } catch (error) {
    if (error instanceof UnreadableObject) return createProblem(error.message);
    throw error;
  }
}

/**
 * Prunes, coerces and defaults an object; adds the paths of unknown fields to `unknownPaths`. Mirrors unstructuredSchemaCoercer and
 * unstructuredDefaulter (apiextensions-apiserver/pkg/apiserver, 1.36).
 */
export function normalize(object: ApiObject, schema: Schema | undefined, unknownPaths: string[] = []): ApiObject {
  const prunedPaths: string[] = [];
  const coercedPaths: string[] = [];
  const prunedObject = withoutNulls(prune(object, schema, true, prunedPaths), schema);
  const coercedObject = coerceEmbedded(prunedObject, schema, '', coercedPaths);
  unknownPaths.push(...prunedPaths.sort(), ...coercedPaths.sort());
  return withDefaults(coercedObject, schema) as ApiObject;
}

/** Callers in this process may pass undefined, which JSON cannot represent. */
function withoutUndefined(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.values(body).includes(undefined)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    : body;
}
