import { type ApiObject, hasReason } from 'kube-endpoints/port';
import { unreadableBody } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';
import { readObject } from './bodies.ts';
import { type Call, callerOf, keyOf, type Result } from './call.ts';
import { writeQuery } from './parameters.ts';

/** Creates what the body says. Mirrors createHandler (1.36, apiserver/pkg/endpoints/handlers/create.go). */
export async function create(call: Call): Promise<Result> {
  const { face, request, served, namespace } = call;
  const query = writeQuery(request.query, 'CreateOptions');
  const object = await readObject(call, query.fieldValidation);
  const created = await face.registry.create(served.resource, namespace, object, { ...query, ...callerOf(call) });
  return { object: created, code: 201 };
}

/** Puts the body in the place of what there is. Mirrors UpdateResource (1.36, apiserver/pkg/endpoints/handlers/update.go). */
export async function update(call: Call): Promise<Result> {
  const { face, request, served, subresource } = call;
  const query = writeQuery(request.query, 'UpdateOptions');
  const object = await readObject(call, query.fieldValidation);
  requireSameObject(call, object);
  let code = 200;
  const { uid } = object.metadata ?? {};
  try {
    const updated = await face.registry.update(served.resource, keyOf(call), () => object, {
      ...query,
      ...callerOf(call),
      ...(subresource && { subresource: subresource.name }),
      ...(typeof uid === 'string' && uid !== '' && { preconditions: { uid } }),
      onCreate: () => {
        code = 201;
      },
    });
    return { object: updated, code };
  } catch (error) {
    // A body that cannot be read is told of before anybody looks for the object.
    if (hasReason(error, 'NotFound')) requireReadable(call, object);
    throw error;
  }
}

/** The namespace and the name in a body have to be those of the path. What cannot be read as metadata is told of later. */
export function requireSameObject({ name, namespace = '', served }: Pick<Call, 'name' | 'namespace' | 'served'>, object: ApiObject): void {
  const { metadata = {} } = object as { readonly metadata?: ApiObject['metadata'] | null };
  if (typeof metadata !== 'object') return;
  const { name: own = '', namespace: ownNamespace = '' } = metadata ?? {};
  if (typeof own !== 'string' || typeof ownNamespace !== 'string') return;
  if (served.resource.namespaced && ownNamespace !== '' && ownNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (own === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}

function requireReadable({ face, served }: Call, object: ApiObject): void {
  const { problem } = face.registry.strategyFor(served.resource).decode(object);
  if (problem !== undefined) throw unreadableBody(served.resource, problem);
}
