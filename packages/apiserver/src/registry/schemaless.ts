import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { dns1123Subdomain } from '../formats/names.ts';
import { collectCauses } from '../resources/field/causes.ts';
import { type Fields, isFields, sameValue } from '../resources/field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../resources/metadata/validate.ts';
import { withMetadata } from './metadata.ts';
import type { CheckResult, DecodedBody, ResourceStrategy } from './strategy.ts';

export interface SchemalessResource {
  readonly resource: Resource;
  /** True if `status` is a subresource. By default it is a field like any other. */
  readonly status?: boolean;
  readonly createOnUpdate?: boolean;
  readonly gracePeriod?: (object: ApiObject, requestedSeconds: number | undefined) => number;
}

/**
 * Creates the strategy of a resource without a schema: it keeps all fields and validates only metadata.
 *
 * With a status subresource, changes outside metadata and status increment the generation, as for custom resources.
 */
export function createSchemalessStrategy({
  resource,
  status = false,
  createOnUpdate = false,
  gracePeriod,
}: SchemalessResource): ResourceStrategy {
  return {
    resource,
    createOnUpdate,
    unconditionalUpdate: true,
    subresources: status ? ['status'] : [],
    ...(status && { resetFields: { '': ['status'], status: ['metadata', 'spec'] } }),
    isGarbageCollected: true,
    decode: (body) => decode(resource, body),
    encode: (object) => object,
    checkCreate: (object) => validate(resource, status ? withMetadata(omit(object, 'status'), { generation: 1 }) : object),
    checkUpdate: (object, old, subresource) => {
      const updated = withSystemFields(object, old);
      return validate(resource, status ? separateStatus(updated, old, subresource === 'status') : updated, old);
    },
    ...(gracePeriod && { gracePeriod }),
  };
}

function decode(resource: Resource, body: unknown): DecodedBody {
  const { metadata, ...rest } = isFields(body) ? body : {};
  const { selfLink: _, ...metadataFields } = isFields(metadata) ? metadata : {};
  const object = { ...rest, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: metadataFields };
  return { object, unknown: [], ...(isFields(body) ? {} : { problem: 'the body is not an object' }) };
}

function validate({ namespaced }: Resource, object: ApiObject, old?: ApiObject): CheckResult {
  const causes = collectCauses();
  validateMetadata(object as unknown as Fields, { namespaced, name: dns1123Subdomain }, causes);
  if (old) validateMetadataUpdate(object as unknown as Fields, old as unknown as Fields, {}, causes);
  return causes.list.length > 0 ? { causes: causes.list } : { object };
}

/** A status update takes only `status` and the metadata from the request; other updates keep the old status. */
function separateStatus(object: ApiObject, old: ApiObject, isStatusUpdate: boolean): ApiObject {
  const [otherFieldsSource, statusSource] = isStatusUpdate ? [old, object] : [object, old];
  const mergedObject: ApiObject = { ...omit(otherFieldsSource, 'status'), metadata: object.metadata, ...pick(statusSource, 'status') };
  const isUnchangedOutsideStatus = sameValue(withoutMetadata(omit(mergedObject, 'status')), withoutMetadata(omit(old, 'status')));
  return isUnchangedOutsideStatus ? mergedObject : withMetadata(mergedObject, { generation: (old.metadata.generation ?? 0) + 1 });
}

/** Keeps the current system-managed metadata. A uid in the update is not replaced, so that validation can refuse a different one. */
function withSystemFields(object: ApiObject, { metadata: current }: ApiObject): ApiObject {
  return withMetadata(object, {
    generation: current.generation,
    creationTimestamp: current.creationTimestamp,
    deletionTimestamp: current.deletionTimestamp,
    deletionGracePeriodSeconds: current.deletionGracePeriodSeconds,
    ...(object.metadata.uid === undefined && { uid: current.uid }),
  });
}

function omit(object: ApiObject, field: string): ApiObject {
  const { [field]: _, ...rest } = object;
  return rest as ApiObject;
}

const withoutMetadata = ({ metadata: _, ...rest }: ApiObject): Fields => rest;

const pick = (object: ApiObject, field: string): Readonly<Record<string, unknown>> =>
  object[field] === undefined ? {} : { [field]: object[field] };
