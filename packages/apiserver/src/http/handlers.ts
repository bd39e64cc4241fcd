import { type ApiObject, hasReason } from 'kube-endpoints/port';
import { applyJsonPatch, applyMergePatch, type PatchedDocument } from '../patch/index.ts';
import type { ObjectView, Verb } from '../registry/catalog.ts';
import { keyOf } from '../registry/metadata.ts';
import { createUnreadableBodyError } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';
import { parseBody, readBytes, readObject, requireObject } from './bodies.ts';
import { type Call, callerOf, createCreateCheck, type Handler, type Result } from './call.ts';
import { bind, createHandlers } from './create-subresources.ts';
import { remove, removeCollection } from './deletions.ts';
import { createNoContainersError } from './errors.ts';
import { type ExpectedKind, requireKind } from './kinds.ts';
import { parseWriteQuery } from './parameters.ts';
import { type PatchRequest, patch, readPatchRequest } from './patches.ts';
import { get, listOrWatch } from './reads.ts';

type Handlers = Readonly<Partial<Record<Verb, Handler>>>;

/** Finds the handler of a request. Returns undefined if the resource serves the verb but no handler implements the verb. */
export function handlerOf({
  servedResource,
  subresource,
  verb,
}: Pick<Call, 'servedResource' | 'subresource' | 'verb'>): Handler | undefined {
  if (servedResource.resource.kind === 'Binding') return bind;
  if (!subresource) return resourceHandlers[verb];
  if (subresource.connects) return refuseConnection;
  const createHandler = createHandlers[subresource.name];
  if (createHandler && verb === 'create') return createHandler;
  return (subresource.view ? viewHandlers : subresourceHandlers)[verb];
}

const resourceHandlers: Handlers = {
  create,
  delete: remove,
  deletecollection: removeCollection,
  get,
  list: listOrWatch,
  patch,
  update,
};

const subresourceHandlers: Handlers = { get, patch, update };

const viewHandlers: Handlers = { get, patch: patchView, update: updateView };

/**
 * Refuses to connect to a node or container.
 * @throws ApiError NotFound if the object does not exist; otherwise MethodNotAllowed, whose message kubectl prints
 */
async function refuseConnection(call: Call): Promise<Result> {
  await get({ ...call, subresource: undefined });
  const { servedResource, subresource, name } = call;
  throw createNoContainersError(servedResource.resource, subresource?.name ?? '', name);
}

/** Updates an object through a different representation of it, such as a Scale. */
async function updateView(call: Call): Promise<Result> {
  const { context, request } = call;
  const query = parseWriteQuery(request.query, 'UpdateOptions');
  const bytes = await readBytes(context, request);
  const expectedKind = expectedKindOf(call);
  const parsedBody = await parseBody(call, bytes, { defaultKind: expectedKind });
  const body = requireObject(parsedBody, expectedKind, bytes);
  requireKind(context.catalog, expectedKind, body, bytes);
  const representation = body as unknown as ApiObject;
  requireSameObject(call, representation);
  return writeThroughView(call, query, () => representation);
}

/**
 * Patches an object through a different representation of it. Apply is treated as a merge patch, because the result is
 * the same for the few fields of a representation.
 */
async function patchView(call: Call): Promise<Result> {
  const patchRequest = await readPatchRequest(call);
  return writeThroughView(call, patchRequest.query, (representation) => {
    const { value } = applyPatch(representation, patchRequest);
    requireSameObject(call, value as ApiObject);
    return value as ApiObject;
  });
}

async function writeThroughView(
  call: Call,
  query: PatchRequest['query'],
  change: (representation: ApiObject) => ApiObject,
): Promise<Result> {
  const { context, servedResource } = call;
  const view = requireView(call);
  const { force: _, ...options } = query;
  const object = await context.registry.update(
    servedResource.resource,
    keyOf(call),
    (current) => {
      const existingObject = current as ApiObject;
      const changedView = change((view.base ?? view.show)(existingObject));
      const { resourceVersion = existingObject.metadata.resourceVersion } = changedView.metadata;
      const updatedObject = view.apply(existingObject, changedView);
      return { ...updatedObject, metadata: { ...updatedObject.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
    },
    { ...options, ...callerOf(call), ...(call.subresource && { managedFieldsSubresource: call.subresource.name }) },
  );
  return { object: view.show(object) };
}

function applyPatch(representation: ApiObject, { type, value, query }: PatchRequest): PatchedDocument {
  const object = representation as unknown as Record<string, unknown>;
  if (type === 'json') return applyJsonPatch(object, value, query.fieldValidation);
  return applyMergePatch(object, value, query.fieldValidation);
}

function requireView({ subresource }: Call): ObjectView {
  if (!subresource?.view) throw new TypeError('the subresource is not a view');
  return subresource.view;
}

function expectedKindOf({ subresource, servedResource }: Call): ExpectedKind {
  const { group, version, kind } = subresource?.type ?? servedResource.resource;
  return { group, version, kind, internalType: `${group.split('.')[0]}.${kind}` };
}

/** Creates the object in the body. Mirrors createHandler (1.36, apiserver/pkg/endpoints/handlers/create.go). */
export async function create(call: Call): Promise<Result> {
  const { context, request, servedResource, namespace } = call;
  const query = parseWriteQuery(request.query, 'CreateOptions');
  const object = await readObject(call, query.fieldValidation);
  const createdObject = await context.registry.create(servedResource.resource, namespace, object, { ...query, ...callerOf(call) });
  return { object: createdObject, code: 201 };
}

/** Replaces the object with the body. Mirrors UpdateResource (1.36, apiserver/pkg/endpoints/handlers/update.go). */
export async function update(call: Call): Promise<Result> {
  const { context, request, servedResource, subresource } = call;
  const query = parseWriteQuery(request.query, 'UpdateOptions');
  const object = await readObject(call, query.fieldValidation);
  requireSameObject(call, object);
  let code = 200;
  const { uid } = object.metadata ?? {};
  try {
    const updatedObject = await context.registry.update(servedResource.resource, keyOf(call), () => object, {
      ...query,
      ...callerOf(call),
      ...(subresource && { subresource: subresource.name }),
      ...(typeof uid === 'string' && uid !== '' && { preconditions: { uid } }),
      requireCreatable: createCreateCheck(call),
      onCreate: () => {
        code = 201;
      },
    });
    return { object: updatedObject, code };
  } catch (error) {
    // A body that cannot be decoded is reported in preference to NotFound.
    if (hasReason(error, 'NotFound')) requireReadable(call, object);
    throw error;
  }
}

/** Requires the namespace and name of the body to match the path. Malformed metadata is reported later, by decoding. */
function requireSameObject(
  { name, namespace = '', servedResource }: Pick<Call, 'name' | 'namespace' | 'servedResource'>,
  object: ApiObject,
): void {
  const { metadata = {} } = object as { readonly metadata?: ApiObject['metadata'] | null };
  if (typeof metadata !== 'object') return;
  const { name: bodyName = '', namespace: bodyNamespace = '' } = metadata ?? {};
  if (typeof bodyName !== 'string' || typeof bodyNamespace !== 'string') return;
  if (servedResource.resource.namespaced && bodyNamespace !== '' && bodyNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (bodyName === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (bodyName !== name) throw badRequest(`the name of the object (${bodyName}) does not match the name on the URL (${name})`);
}

function requireReadable({ context, servedResource }: Call, object: ApiObject): void {
  const { problem } = context.registry.strategyFor(servedResource.resource).decode(object);
  if (problem !== undefined) throw createUnreadableBodyError(servedResource.resource, problem);
}
