import { type ApiError, type ApiObject, apiVersionOf, type Resource } from 'kube-endpoints/port';
import type { StoredForm } from '../../registry/index.ts';
import { failure } from '../../store/errors.ts';
import type { Schema } from '../schema/schema.ts';
import { withDefaults, withoutNulls } from './defaults.ts';
import { prune } from './prune.ts';

export interface FormOptions {
  /** The version that is served, and that of the storage. */
  readonly served: Resource;
  readonly stored: Resource;
  readonly servedSchema: Schema | undefined;
  readonly storedSchema: Schema | undefined;
  /** Whether a webhook would convert between them. There is none here: whoever needs one is told. */
  readonly needsWebhook: boolean;
}

/**
 * The stored form of a version's objects: with conversion None nothing but the apiVersion changes, and what the other version does not
 * know goes. Defaults come from the version that is stored. Mirrors crdConversionRESTOptionsGetter (apiextensions-apiserver, 1.36).
 */
export function storedForm({ served, stored, servedSchema, storedSchema, needsWebhook }: FormOptions): StoredForm {
  const isSame = served.version === stored.version;
  const refuse = (): never => {
    throw noWebhook(served);
  };
  const pruned = (object: ApiObject, schema: Schema | undefined, to: Resource): ApiObject =>
    withoutNulls(prune({ ...object, apiVersion: apiVersionOf(to) }, schema, true), schema) as ApiObject;
  return {
    resource: stored,
    toStored(object) {
      if (isSame) return object;
      // What the stored version fills in where there is nothing is put there now, so that reading it costs nothing.
      return needsWebhook ? refuse() : (withDefaults(pruned(object, storedSchema, stored), storedSchema) as ApiObject);
    },
    fromStored(object) {
      if (!isSame && needsWebhook) return refuse();
      const known = isSame ? pruned(object, storedSchema, stored) : object;
      const whole = withDefaults(known, storedSchema) as ApiObject;
      return isSame ? whole : pruned(whole, servedSchema, served);
    },
  };
}

const noWebhook = ({ group, version, kind }: Resource): ApiError => {
  const message = `conversion webhook for ${group}/${version}, Kind=${kind} failed: this server calls no conversion webhooks`;
  return failure(500, 'InternalError', message, { causes: [{ message }] });
};
