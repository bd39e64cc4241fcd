import { apiVersionOf } from 'kube-endpoints/internal';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { dns1123Subdomain } from '../formats/names.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { type Fields, isFields, sameValue } from '../resources/field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../resources/metadata/validate.ts';
import { withMetadata } from './metadata.ts';
import type { CheckResult, Decoded, ResourceStrategy } from './strategy.ts';

export interface PlainResource {
  readonly resource: Resource;
  /** `status` is a subresource. By default it is a field like any other. */
  readonly status?: boolean;
  readonly createOnUpdate?: boolean;
  readonly gracePeriod?: (object: ApiObject, requestedSeconds: number | undefined) => number;
}

/**
 * Strategy of a resource without a schema: keeps all fields and validates only metadata.
 *
 * With a status subresource, changes outside metadata and status increment the generation, as for custom resources.
 */
export function plainStrategy({ resource, status = false, createOnUpdate = false, gracePeriod }: PlainResource): ResourceStrategy {
  return {
    resource,
    createOnUpdate,
    unconditionalUpdate: true,
    subresources: status ? ['status'] : [],
    ...(status && { resetFields: { '': ['status'], status: ['metadata', 'spec'] } }),
    collectsGarbage: true,
    decode: (body) => decode(resource, body),
    encode: (object) => object,
    checkCreate: (object) => checked(resource, status ? withMetadata(without(object, 'status'), { generation: 1 }) : object),
    checkUpdate: (object, old, subresource) => {
      const kept = withSystemFields(object, old);
      return checked(resource, status ? apart(kept, old, subresource === 'status') : kept, old);
    },
    ...(gracePeriod && { gracePeriod }),
  };
}

function decode(resource: Resource, body: unknown): Decoded {
  const { metadata, ...rest } = isFields(body) ? body : {};
  const { selfLink: _, ...own } = isFields(metadata) ? metadata : {};
  const object = { ...rest, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: own };
  return { object, unknown: [], ...(isFields(body) ? {} : { problem: 'the body is no object' }) };
}

function checked({ namespaced }: Resource, object: ApiObject, old?: ApiObject): CheckResult {
  const causes = collectCauses();
  validateMetadata(object as unknown as Fields, { namespaced, name: dns1123Subdomain }, causes);
  if (old) validateMetadataUpdate(object as unknown as Fields, old as unknown as Fields, {}, causes);
  return causes.list.length > 0 ? { causes: causes.list } : { object };
}

/** A status update changes only `status`; any other update leaves it. */
function apart(object: ApiObject, old: ApiObject, ofStatus: boolean): ApiObject {
  const [outside, inside] = ofStatus ? [old, object] : [object, old];
  const merged: ApiObject = { ...without(outside, 'status'), metadata: object.metadata, ...pick(inside, 'status') };
  const same = sameValue(withoutMetadata(merged), withoutMetadata({ ...without(old, 'status'), ...pick(merged, 'status'), metadata: {} }));
  return same ? merged : withMetadata(merged, { generation: (old.metadata.generation ?? 0) + 1 });
}

/** System-managed metadata is kept, whatever the update contains. */
function withSystemFields(object: ApiObject, { metadata: before }: ApiObject): ApiObject {
  return withMetadata(object, {
    generation: before.generation,
    creationTimestamp: before.creationTimestamp,
    deletionTimestamp: before.deletionTimestamp,
    deletionGracePeriodSeconds: before.deletionGracePeriodSeconds,
    ...(object.metadata.uid === undefined && { uid: before.uid }),
  });
}

function without(object: ApiObject, field: string): ApiObject {
  const { [field]: _, ...rest } = object;
  return rest as ApiObject;
}

const withoutMetadata = ({ metadata: _, ...rest }: ApiObject): Fields => rest;

const pick = (object: ApiObject, field: string): Readonly<Record<string, unknown>> =>
  object[field] === undefined ? {} : { [field]: object[field] };
