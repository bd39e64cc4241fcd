import { type ApiError, type ApiObject, hasReason, type ObjectKey, type WriteOptions } from '../../port/index.ts';
import { invalidObject } from '../resources/status.ts';
import { badRequest } from '../store/index.ts';
import { type AdmissionRequest, lookUp, type RegistryContext } from './context.ts';
import { decodeBody } from './decode.ts';
import { runSteps } from './dry-run.ts';
import { generateNameConflict, stillBeingDeleted } from './errors.ts';
import { tracked } from './managed-fields.ts';
import { isGoing, withMetadata } from './metadata.ts';
import { attempts, generateName } from './names.ts';
import { requireNamespace } from './namespaces.ts';
import type { ResourceStrategy } from './strategy.ts';
import { timestamp } from './time.ts';

export interface CreateOptions extends Pick<WriteOptions, 'dryRun' | 'fieldManager' | 'fieldValidation'> {
  /** Is told what a client should be warned of. */
  readonly warn?: (warning: string) => void;
}

/**
 * Creates an object, and tries other names where a generated one is taken.
 *
 * Mirrors createHandler (1.36, apiserver/pkg/endpoints/handlers/create.go) from decoding on, and Store.Create (generic/registry/store.go).
 */
export async function create(
  context: RegistryContext,
  strategy: ResourceStrategy,
  namespace: string | undefined,
  body: ApiObject,
  options: CreateOptions = {},
): Promise<ApiObject> {
  const decoded = inNamespace(strategy, namespace, decodeBody(strategy, body, options));
  const wiped = withMetadata(decoded, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined });
  const request = requestOf(strategy, wiped, options);
  requireNamespace(context, strategy.resource, request.key, wiped);
  const admitted = tracked(context, strategy, undefined, await admit(context, strategy, request, wiped), options);
  const { name, generateName: base } = admitted.metadata;
  if (name || !base) return createOnce(context, strategy, admitted, options);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(context, strategy, admitted, options);
    } catch (error) {
      if (attempt === attempts || !hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}

async function admit(
  { admission }: RegistryContext,
  strategy: ResourceStrategy,
  request: AdmissionRequest,
  object: ApiObject,
): Promise<ApiObject> {
  const admitted = strategy.admit?.(object) ?? object;
  return admission.mutate ? decodeBody(strategy, await admission.mutate({ ...request, object: admitted })) : admitted;
}

/** What is taken outside the store is given back where any step fails. */
async function createOnce(
  context: RegistryContext,
  strategy: ResourceStrategy,
  object: ApiObject,
  options: CreateOptions,
): Promise<ApiObject> {
  const { dryRun = false } = options;
  const named = withSystemFields(context, object);
  const begun = strategy.beginCreate?.(named, { dryRun });
  let done = false;
  try {
    const checked = strategy.checkCreate(begun?.object ?? named);
    if (checked.causes) throw invalidObject(strategy.resource, named.metadata.name ?? '', checked.causes);
    const { object: ready } = checked;
    for (const warning of strategy.warnings?.(ready) ?? []) options.warn?.(warning);
    await context.admission.validate?.({ ...requestOf(strategy, ready, options), object: ready });
    const stored = store(context, strategy, ready, dryRun);
    done = !dryRun;
    return strategy.decorate?.(stored) ?? stored;
  } finally {
    if (done) begun?.commit();
    else begun?.rollback();
  }
}

function store(context: RegistryContext, strategy: ResourceStrategy, object: ApiObject, dryRun: boolean): ApiObject {
  const { resource } = strategy;
  const key = keyOf(object);
  try {
    const stored = runSteps(context.store, dryRun, () => context.store.create(resource, key, strategy.encode(object)));
    return dryRun ? withMetadata(stored, { resourceVersion: undefined }) : stored;
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    const answer: ApiError = object.metadata.generateName ? generateNameConflict(resource, key.name) : error;
    const existing = lookUp(context, resource, key);
    throw existing && isGoing(existing) ? stillBeingDeleted(answer) : answer;
  }
}

/** The namespace is the request's. An object that names another is refused. */
export function inNamespace({ resource }: ResourceStrategy, namespace: string | undefined, object: ApiObject): ApiObject {
  const own = object.metadata.namespace ?? '';
  const wanted = resource.namespaced ? (namespace ?? '') : '';
  if (own === wanted) return object;
  if (own === '') return withMetadata(object, { namespace: wanted });
  if (wanted === '') return withMetadata(object, { namespace: undefined });
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function withSystemFields({ clock, randomness }: RegistryContext, object: ApiObject): ApiObject {
  const { name, generateName: base } = object.metadata;
  return withMetadata(object, {
    creationTimestamp: timestamp(clock),
    uid: randomness.uuid(),
    ...(!name && base && { name: generateName(base, randomness) }),
  });
}

const requestOf = ({ resource }: ResourceStrategy, object: ApiObject, { dryRun = false }: CreateOptions): AdmissionRequest => ({
  operation: 'CREATE',
  resource,
  key: keyOf(object),
  dryRun,
});

const keyOf = ({ metadata: { namespace, name = '' } }: ApiObject): ObjectKey => (namespace ? { namespace, name } : { name });
