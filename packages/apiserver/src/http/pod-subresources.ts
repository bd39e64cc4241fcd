import type { ApiObject, ObjectKey } from 'kube-endpoints/port';
import { decode } from '../resources/codec/decode.ts';
import { type StructType, structType, unreadableBody } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';
import { bytesOf, parseBody, reportStrictly, requireObject } from './bodies.ts';
import { type Call, callerOf, keyOf, type Result } from './call.ts';
import { type GivenDeleteOptions, requireValidDeleteOptions } from './deletions.ts';
import { requireKind, type Wanted } from './kinds.ts';
import { writeQuery } from './parameters.ts';

/** Gives a pod its node: POST pods/NAME/binding, or bindings, where the name is in the body alone. */
export async function bind(call: Call): Promise<Result> {
  const { face, request } = call;
  const query = writeQuery(request.query, 'CreateOptions');
  const binding = await readAs(call, bindingKind, structType('core.Binding'), query.fieldValidation);
  await face.registry.bind(podOf(call, binding), binding, { ...query, ...callerOf(call) });
  return created;
}

/** Deletes a pod as if somebody had to mind: POST pods/NAME/eviction. */
export async function evict(call: Call): Promise<Result> {
  const { face, request } = call;
  const query = writeQuery(request.query, 'CreateOptions');
  const eviction = await readAs(call, evictionKind, structType('policy.Eviction'), query.fieldValidation);
  if (eviction.metadata.name !== call.name) throw badRequest('name in URL does not match name in Eviction object');
  const { deleteOptions = {} } = eviction as { readonly deleteOptions?: GivenDeleteOptions };
  requireValidDeleteOptions(deleteOptions);
  await face.registry.evict(keyOf(call), eviction, { ...query, ...callerOf(call) });
  return created;
}

const created: Result = { success: { code: 201 }, code: 201 };

const bindingKind: Wanted = { group: '', version: 'v1', kind: 'Binding', internal: 'core.Binding' };
const evictionKind: Wanted = { group: 'policy', version: 'v1', kind: 'Eviction', internal: 'policy.Eviction' };

function podOf(call: Call, { metadata }: ApiObject): ObjectKey {
  if (call.name !== '') return keyOf(call);
  if (!metadata.name) throw badRequest('Name parameter required.');
  return keyOf({ ...call, name: metadata.name });
}

async function readAs(call: Call, wanted: Wanted, type: StructType, fieldValidation: string | undefined): Promise<ApiObject> {
  const { face, request, namespace } = call;
  const bytes = await bytesOf(face, request);
  const parsed = await parseBody(face, bytes, request.headers['content-type']);
  const body = requireObject(parsed, wanted, bytes);
  if (!isOldEviction(body)) requireKind(face.catalog, wanted, body, bytes);
  const { value, problem, unknown } = decode(type, body);
  if (problem !== undefined) throw unreadableBody(wanted, problem);
  if (fieldValidation !== 'Ignore') reportStrictly(call, { parsed, unknown, resource: wanted, strict: fieldValidation === 'Strict' });
  const { metadata = {}, ...fields } = value as { readonly metadata?: ApiObject['metadata'] };
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return { ...fields, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/** The version before this one is taken too. */
const isOldEviction = ({ apiVersion, kind }: Readonly<Record<string, unknown>>): boolean =>
  apiVersion === 'policy/v1beta1' && kind === 'Eviction';
