import type { ApiObject, ObjectKey } from 'kube-endpoints/port';
import { decode } from '../api-types/codec/decode.ts';
import { type StructType, structType } from '../api-types/index.ts';
import { builtInType, createFieldManager } from '../patch/index.ts';
import { timestampOf } from '../registry/context.ts';
import { keyOf } from '../registry/metadata.ts';
import { createUnreadableBodyError } from '../resources/index.ts';
import { badRequest } from '../store/index.ts';
import { parseBody, readBytes, reportStrictErrors, requireObject } from './bodies.ts';
import { type Call, callerOf, type Handler, type Result } from './call.ts';
import { type RequestDeleteOptions, requireValidDeleteOptions } from './deletions.ts';
import { createMethodNotAllowedError } from './errors.ts';
import { type ExpectedKind, requireKind } from './kinds.ts';
import { parseWriteQuery } from './parameters.ts';

/** Assigns a pod to a node: POST pods/NAME/binding, or POST bindings, where only the body has the name. */
export async function bind(call: Call): Promise<Result> {
  const { context, request } = call;
  const query = parseWriteQuery(request.query, 'CreateOptions');
  const binding = await readTypedBody(call, bindingKind, structType('core.Binding'), query.fieldValidation);
  await context.registry.bind(podKeyOf(call, binding), binding, { ...query, ...callerOf(call) });
  return createdResult;
}

/** Evicts a pod: POST pods/NAME/eviction. */
async function evict(call: Call): Promise<Result> {
  const { context, request } = call;
  const query = parseWriteQuery(request.query, 'CreateOptions');
  const eviction = await readTypedBody(call, evictionKind, structType('policy.Eviction'), query.fieldValidation);
  if (eviction.metadata.name !== call.name) throw badRequest('name in URL does not match name in Eviction object');
  const { deleteOptions = {} } = eviction as { readonly deleteOptions?: RequestDeleteOptions };
  requireValidDeleteOptions(deleteOptions);
  await context.registry.evict(keyOf(call), eviction, { ...query, ...callerOf(call) });
  return createdResult;
}

/** Issues a token of a ServiceAccount: POST serviceaccounts/NAME/token. */
async function issueToken(call: Call): Promise<Result> {
  const query = parseWriteQuery(call.request.query, 'CreateOptions');
  const request = await readTypedBody(call, tokenRequestKind, structType('authentication.TokenRequest'), query.fieldValidation);
  const { serviceAccountTokens } = call.context;
  if (!serviceAccountTokens) throw createMethodNotAllowedError();
  const { namespace = '', ...metadata } = request.metadata;
  const managedFields = tokenRequestManager.computeManagedFields(undefined, withTypeMeta(request), {
    manager: query.fieldManager || callerOf(call).defaultManager || 'unknown',
    now: timestampOf(call.context.clock.now()),
  });
  const answer = serviceAccountTokens.issue(keyOf(call), { ...request, metadata: { ...metadata, namespace } });
  return { object: { ...answer, metadata: { ...answer.metadata, ...(managedFields && { managedFields }) } }, code: 201 };
}

const withTypeMeta = (request: ApiObject): Record<string, unknown> => ({
  apiVersion: `${tokenRequestKind.group}/${tokenRequestKind.version}`,
  kind: tokenRequestKind.kind,
  ...request,
});

const tokenRequestKind: ExpectedKind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  internalType: 'authentication.TokenRequest',
};

/** Tokens are not stored, but their requests have managed fields, as in upstream. */
const tokenRequestManager = createFieldManager({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  subresource: 'token',
  typeIn: () => builtInType('authentication.TokenRequest'),
  empty: { metadata: {}, spec: {}, status: {} },
});

const createdResult: Result = { success: { code: 201 }, code: 201 };

const bindingKind: ExpectedKind = { group: '', version: 'v1', kind: 'Binding', internalType: 'core.Binding' };
const evictionKind: ExpectedKind = { group: 'policy', version: 'v1', kind: 'Eviction', internalType: 'policy.Eviction' };

function podKeyOf(call: Call, { metadata }: ApiObject): ObjectKey {
  if (call.name !== '') return keyOf(call);
  if (!metadata.name) throw badRequest('Name parameter required.');
  return keyOf({ ...call, name: metadata.name });
}

async function readTypedBody(
  call: Call,
  expectedKind: ExpectedKind,
  type: StructType,
  fieldValidation: string | undefined,
): Promise<ApiObject> {
  const { context, request, namespace } = call;
  const bytes = await readBytes(context, request);
  const parsedBody = await parseBody(call, bytes, { defaultKind: expectedKind });
  const body = requireObject(parsedBody, expectedKind, bytes);
  if (!isOldEviction(body)) requireKind(context.catalog, expectedKind, body, bytes);
  const { value, problem, unknown: unknownFields } = decode(type, body);
  if (problem !== undefined) throw createUnreadableBodyError(expectedKind, problem);
  if (fieldValidation !== 'Ignore')
    reportStrictErrors(call, { parsedBody, unknownFields, resource: expectedKind, isStrict: fieldValidation === 'Strict' });
  const { metadata = {}, ...fields } = value as { readonly metadata?: ApiObject['metadata'] };
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return { ...fields, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/** Whether a body has the old version policy/v1beta1, which is accepted too. */
const isOldEviction = ({ apiVersion, kind }: Readonly<Record<string, unknown>>): boolean =>
  apiVersion === 'policy/v1beta1' && kind === 'Eviction';

/** The handlers of subresources that accept only creates. */
export const createHandlers: Readonly<Record<string, Handler>> = { binding: bind, eviction: evict, token: issueToken };
