import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import type { Conversions, Converter, StoredForm } from '../../registry/index.ts';
import { withDefaults, withoutNulls } from '../objects/defaults.ts';
import { prune } from '../objects/prune.ts';
import type { Schema } from '../schema/schema.ts';

export interface WebhookFormOptions {
  readonly servedResource: Resource;
  readonly storageResource: Resource;
  /** Returns the schema of an API version. */
  schemaOf(apiVersion: string): Schema | undefined;
  readonly conversions: Conversions;
  readonly converter: Converter;
}

/**
 * Converts between a served version and the stored one by a webhook. A stored object has the storage version of the time of its last write.
 * The webhook gets objects with defaults, and its answers are pruned. Mirrors crdConversionRESTOptionsGetter (apiextensions-apiserver, 1.36).
 */
export function createWebhookForm({ servedResource, storageResource, schemaOf, conversions, converter }: WebhookFormOptions): StoredForm {
  const [servedVersion, storageVersion] = [apiVersionOf(servedResource), apiVersionOf(storageResource)];
  const normalize = (object: ApiObject): ApiObject => {
    const schema = schemaOf(object.apiVersion ?? '');
    return withoutNulls(prune(object, schema, true), schema) as ApiObject;
  };
  const fill = (object: ApiObject): ApiObject => withDefaults(object, schemaOf(object.apiVersion ?? '')) as ApiObject;
  const convert = (objects: readonly ApiObject[], apiVersion: string): readonly ApiObject[] =>
    conversions.convert(converter, objects, apiVersion);
  const convertOne = (object: ApiObject, apiVersion: string): ApiObject => convert([object], apiVersion)[0] as ApiObject;
  const fromStoredAll = (stored: readonly ApiObject[]): readonly ApiObject[] => {
    const readable = stored.map((object) => fill(normalize(object)));
    return convert(readable, servedVersion).map((object, i) => (object === readable[i] ? object : normalize(object)));
  };
  return {
    resource: storageResource,
    // As for other definitions, the storage version's defaults apply on writes, so that reads need not.
    toStored: (object) => (object.apiVersion === storageVersion ? object : fill(normalize(convertOne(object, storageVersion)))),
    fromStored: (object) => fromStoredAll([object])[0] as ApiObject,
    convert: convertOne,
    fromStoredAll,
  };
}
