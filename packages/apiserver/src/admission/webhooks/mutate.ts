import type { ApiObject } from 'kube-endpoints/port';
import { formatUnmarshalError, jsonTypeOf } from '../../patch/errors.ts';
import { type AdmissionRequest, formatNotRegistered, internalError } from '../../registry/index.ts';
import { sameValue } from '../../resources/field/read.ts';
import { jsonSyntaxProblem } from '../../resources/index.ts';
import { parseJson } from '../../store/json.ts';
import { createNotModifiableError, WebhookCallError } from '../denial.ts';
import { convertObjects } from '../object-converter.ts';
import { applyAdmissionPatch } from '../patch.ts';
import { type ReinvocationState, recordCall, shouldCall, withObject } from '../reinvocation.ts';
import type { Webhook } from './configurations.ts';
import { callForVerdict, requestTimeoutMs, toClientError, type WebhookContext } from './dispatch.ts';
import { findInvocation, type Invocation } from './match.ts';
import type { Verdict } from './response.ts';
import { hasOwnKind } from './review.ts';

/**
 * Calls mutating webhooks in order; each gets the object as the previous ones left it.
 *
 * Mirrors mutatingDispatcher.Dispatch (1.36, apiserver/pkg/admission/plugin/webhook/mutating).
 * @returns the resulting object, or undefined if it did not change
 * @throws ApiError if a webhook refuses, or fails and its failurePolicy is Fail or the request's deadline has passed
 */
export async function mutate(
  context: WebhookContext,
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
  reinvocation: ReinvocationState,
): Promise<ApiObject | undefined> {
  const deadlineMs = context.clock.now() + requestTimeoutMs;
  let currentRequest = request;
  for (const webhook of webhooks) {
    const invocation = await findInvocation(context, webhook, currentRequest);
    if (!invocation || !shouldCall(reinvocation, webhook.id)) continue;
    const requestBefore = currentRequest;
    try {
      currentRequest = await applyWebhook(context, invocation, currentRequest, deadlineMs);
    } catch (error) {
      const failure = toClientError(error, invocation, context, deadlineMs);
      if (failure) throw failure;
    }
    const changed = currentRequest !== requestBefore && !sameValue(currentRequest.object, requestBefore.object);
    recordCall(reinvocation, webhook.id, { changed, reinvocable: webhook.reinvocable });
  }
  return currentRequest === request ? undefined : currentRequest.object;
}

async function applyWebhook(
  context: WebhookContext,
  invocation: Invocation,
  request: AdmissionRequest,
  deadlineMs: number,
): Promise<AdmissionRequest> {
  const { webhook, resource } = invocation;
  const { converter } = context;
  const convertedObjects = await convertObjects(converter, request, resource);
  const verdict = await callForVerdict(context, invocation, request, convertedObjects, { mutates: true, deadlineMs });
  const operations = parseOperations(webhook.name, verdict.patch);
  if (operations.length === 0) return request;
  if (!convertedObjects.object) throw createNotModifiableError(webhook.name);
  if (verdict.patch?.type !== 'JSONPatch') {
    throw new WebhookCallError(webhook.name, `unsupported patch type ${JSON.stringify(verdict.patch?.type)}`);
  }
  const patchedValue = applyAdmissionPatch(convertedObjects.object, operations);
  if (hasOwnKind(request.subresource)) return withObject(request, requireSameKind(convertedObjects.object, patchedValue));
  return withObject(request, await converter.convert(converter.decodeAndDefault(resource, patchedValue), resource, request.resource));
}

function parseOperations(name: string, patch: Verdict['patch']): readonly unknown[] {
  if (!patch) return [];
  const problem = jsonSyntaxProblem(patch.text);
  const createDecodeError = (reason: string): WebhookCallError =>
    new WebhookCallError(name, `received undecodable patch in webhook response: ${reason}`);
  if (problem !== undefined) throw createDecodeError(problem);
  const operations: unknown = parseJson(patch.text) ?? [];
  if (!Array.isArray(operations)) throw createDecodeError(formatUnmarshalError(operations, 'value of type jsonpatch.Patch'));
  const invalidOperation = operations.find((each) => jsonTypeOf(each) !== 'object');
  if (invalidOperation !== undefined) throw createDecodeError(formatUnmarshalError(invalidOperation, 'value of type jsonpatch.Operation'));
  return operations;
}

/**
 * Completes a patched Binding or Eviction, which is not a resource and so has no strategy that could decode it.
 * @throws ApiError InternalError if the patch changed the kind or apiVersion
 */
function requireSameKind(original: ApiObject, patched: unknown): ApiObject {
  const { kind, apiVersion = '' } = original;
  const patchedObject = (patched ?? {}) as ApiObject;
  if ((patchedObject.kind ?? kind) !== kind || (patchedObject.apiVersion ?? apiVersion) !== apiVersion) {
    throw internalError(formatNotRegistered(String(patchedObject.kind ?? kind), patchedObject.apiVersion ?? apiVersion));
  }
  return { ...patchedObject, metadata: patchedObject.metadata ?? {} };
}
