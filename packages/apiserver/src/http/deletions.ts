import type { PropagationPolicy } from 'kube-endpoints/internal/apimachinery';
import type { DeleteOptions } from 'kube-endpoints/port';
import { decode } from '../api-types/codec/decode.ts';
import { structType } from '../api-types/index.ts';
import { formatTypeMetaError } from '../patch/errors.ts';
import { formatNotRegistered } from '../registry/errors.ts';
import { keyOf } from '../registry/metadata.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { badRequest } from '../store/index.ts';
import { parseBody, readBytes } from './bodies.ts';
import { type Call, callerOf, type Result } from './call.ts';
import { parseBool, parseInteger, parseListQuery, requireValid, validateDryRun } from './parameters.ts';

/** Deletes an object. Mirrors DeleteResource (1.36, apiserver/pkg/endpoints/handlers/delete.go). */
export async function remove(call: Call): Promise<Result> {
  const { context, servedResource } = call;
  const requestOptions = await readDeleteOptions(call);
  const { object, isRemoved } = await context.registry.delete(servedResource.resource, keyOf(call), {
    ...toRegistryOptions(requestOptions),
    ...callerOf(call),
  });
  const { group, plural } = servedResource.resource;
  if (isRemoved && !resourcesReturningObject.includes(`${plural}.${group}`)) {
    const { name = '', uid } = object.metadata;
    return { success: { details: { name, ...(group !== '' && { group }), kind: plural, ...(uid !== undefined && { uid }) } } };
  }
  return { object, code: !isRemoved && requestOptions.orphanDependents === false ? 202 : 200 };
}

/** Deletes the selected objects and returns them as a list. */
export async function removeCollection(call: Call): Promise<Result> {
  const { context, request, servedResource, namespace } = call;
  const { watch: _, timeoutSeconds: __, allowWatchBookmarks: ___, ...selection } = parseListQuery(request.query);
  const options = toRegistryOptions(await readDeleteOptions(call));
  const listOptions = { ...selection, ...(namespace !== undefined && { namespace }) };
  return {
    list: await context.registry.deleteCollection(servedResource.resource, listOptions, {
      ...options,
      ...callerOf(call),
      signal: request.signal,
    }),
  };
}

/** `metav1.DeleteOptions`. */
export interface RequestDeleteOptions {
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Converts metav1.DeleteOptions to the registry's options. */
export function toRegistryOptions(requestOptions: RequestDeleteOptions): Omit<DeleteOptions, 'signal'> {
  const { dryRun = [], gracePeriodSeconds, orphanDependents, preconditions } = requestOptions;
  const policy = orphanDependents === undefined ? requestOptions.propagationPolicy : orphanDependents ? 'Orphan' : 'Background';
  return {
    ...(dryRun.length > 0 && { dryRun: true }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(policy !== undefined && { propagationPolicy: policy as PropagationPolicy }),
    ...(preconditions && { preconditions }),
  };
}

/**
 * Mirrors ValidateDeleteOptions (1.36, apimachinery/pkg/apis/meta/v1/validation/validation.go).
 * @throws ApiError Invalid if an option is invalid
 */
export function requireValidDeleteOptions({ dryRun = [], orphanDependents, propagationPolicy }: RequestDeleteOptions): void {
  const causes = collectCauses();
  const field = 'propagationPolicy';
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    causes.invalid(field, propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set');
  }
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    causes.notSupported(field, propagationPolicy, [...policies, 'nil']);
  }
  validateDryRun(dryRun, causes);
  requireValid('DeleteOptions', causes.list);
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'] satisfies PropagationPolicy[];

/** Resources whose delete returns the object even if it was removed: `ReturnDeletedObject`. */
const resourcesReturningObject: readonly string[] = ['namespaces.', 'pods.', 'serviceaccounts.', 'services.'];

/** Reads the options from the body, or from the query if the body is empty. */
async function readDeleteOptions(call: Call): Promise<RequestDeleteOptions> {
  const { context, request } = call;
  const bytes = await readBytes(context, request);
  const requestOptions = bytes.length > 0 ? await readOptionsFromBody(call, bytes) : readOptionsFromQuery(request.query);
  requireValidDeleteOptions(requestOptions);
  return requestOptions;
}

async function readOptionsFromBody(call: Call, bytes: Uint8Array): Promise<RequestDeleteOptions> {
  const { value, ...parsedBody } = await parseBody(call, bytes, { defaultKind: deleteOptionsKind });
  const problem = parsedBody.problem ?? parsedBody.contentProblem;
  if (problem !== undefined) throw badRequest(problem);
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) throw badRequest(formatTypeMetaError(value));
  const { kind = '', apiVersion = '' } = (value ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (kind !== '' && kind !== 'DeleteOptions') throw badRequest(formatNotRegistered(String(kind), String(apiVersion || 'meta.k8s.io/v1')));
  const decodedOptions = decode(structType('meta.DeleteOptions'), value ?? {});
  if (decodedOptions.problem !== undefined) throw badRequest(decodedOptions.problem);
  return decodedOptions.value as RequestDeleteOptions;
}

const deleteOptionsKind = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' };

function readOptionsFromQuery(query: URLSearchParams): RequestDeleteOptions {
  if (query.size === 0) return {};
  const [grace, orphan, policy] = [query.get('gracePeriodSeconds'), query.get('orphanDependents'), query.get('propagationPolicy')];
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')];
  const dryRun = query.getAll('dryRun');
  return {
    ...(grace !== null && { gracePeriodSeconds: parseInteger(grace) }),
    ...(orphan !== null && { orphanDependents: parseBool(orphan) }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(dryRun.length > 0 && { dryRun }),
    ...((uid || resourceVersion) && { preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) } }),
  };
}
