import { createBuiltInStrategies, createServiceAllocators, invalidObject, type ResourceStrategy } from '@kube-endpoints/apiserver/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { ObjectStore } from './objects.ts';

/** The API server's strategies of the built-in kinds: defaults, admission, validation and allocation, by kind. */
export function createStrategies(listObjects: ObjectStore['list'], draw: (bound: number) => number): ReadonlyMap<string, ResourceStrategy> {
  const reader = {
    list: ({ kind }: Resource, { namespace }: { readonly namespace?: string }) => ({ items: listObjects(kind, namespace) }),
  };
  const strategies = createBuiltInStrategies(createServiceAllocators({}, draw), reader as never);
  const byKind = new Map<string, ResourceStrategy>();
  for (const strategy of strategies)
    if (!byKind.has(strategy.resource.kind) && !strategy.storedAs) byKind.set(strategy.resource.kind, strategy);
  return byKind;
}

/** Sets the defaults of a new object, admits and validates it. @throws ApiError if it is invalid or forbidden */
export function prepareCreation(strategy: ResourceStrategy, body: ApiObject): ApiObject {
  const decoded = decode(strategy, body);
  const admitted = strategy.admit?.(decoded) ?? decoded;
  const pending = strategy.beginCreate?.(admitted, { dryRun: false });
  const object = check(strategy, admitted, strategy.checkCreate(pending?.object ?? admitted));
  pending?.commit();
  return object;
}

/** Sets the defaults of a changed object and validates the change. @throws ApiError if it is invalid or forbidden */
export function prepareUpdate(strategy: ResourceStrategy, body: ApiObject, stored: ApiObject): ApiObject {
  const old = decode(strategy, stored);
  const decoded = decode(strategy, body);
  const admitted = strategy.admit?.(decoded, old) ?? decoded;
  const pending = strategy.beginUpdate?.(admitted, old, { dryRun: false });
  const object = check(strategy, admitted, strategy.checkUpdate(pending?.object ?? admitted, old));
  pending?.commit();
  return object;
}

function decode(strategy: ResourceStrategy, body: ApiObject): ApiObject {
  const { object, problem } = strategy.decode(body);
  if (problem !== undefined)
    throw invalidObject(strategy.resource, body.metadata.name ?? '', [{ reason: 'FieldValueInvalid', field: '', message: problem }]);
  return object;
}

function check(strategy: ResourceStrategy, { metadata }: ApiObject, result: ReturnType<ResourceStrategy['checkCreate']>): ApiObject {
  if (result.causes) throw invalidObject(strategy.resource, metadata.name ?? '', result.causes);
  return strategy.encode(result.object);
}
