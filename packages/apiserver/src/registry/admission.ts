import type { ApiObject, DeleteOptions, WriteOptions } from 'kube-endpoints/port';
import { decodeManagedFields } from '../patch/index.ts';
import { copyOf } from '../resources/field/read.ts';
import { rewordAfterAdmission } from '../resources/index.ts';
import type { Caller } from './caller.ts';
import type { Admission, AdmissionRequest, RegistryContext } from './context.ts';
import { decodeBody } from './decode.ts';
import { withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

export type AdmissionAttributes = Omit<AdmissionRequest, 'object'>;

type Options = Pick<WriteOptions, 'dryRun' | 'fieldManager' | 'fieldValidation'> & Caller;

/** The attributes shared by all admission requests of one API call. */
export function createWriteAttributes(
  kind: 'CreateOptions' | 'UpdateOptions',
  { dryRun = false, fieldManager, fieldValidation, user, warn }: Options,
): Pick<AdmissionRequest, 'dryRun' | 'user' | 'options' | 'warn'> {
  const options = {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun && { dryRun: ['All'] }),
    ...(fieldManager && { fieldManager }),
    ...(fieldValidation && { fieldValidation }),
  };
  return { dryRun, options, ...(user && { user }), ...(warn && { warn }) };
}

/** The attributes shared by all admission requests of one deletion. */
export function createDeleteAttributes(
  deleteOptions: DeleteOptions & Caller,
): Pick<AdmissionRequest, 'dryRun' | 'user' | 'options' | 'warn'> {
  const { dryRun = false, gracePeriodSeconds, propagationPolicy, preconditions, user, warn } = deleteOptions;
  const options = {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions && { preconditions }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(dryRun && { dryRun: ['All'] }),
  };
  return { dryRun, options, ...(user && { user }), ...(warn && { warn }) };
}

/**
 * Runs the built-in plugins, then the configured ones. If a configured plugin changes the object, the built-in plugins run again.
 * Built-in plugins are skipped for subresources.
 * @param old the decoded existing object, if any
 */
export function runMutatingAdmission(
  { admission }: RegistryContext,
  strategy: ResourceStrategy,
  createAttributes: () => AdmissionAttributes,
  { object, old, subresource }: { readonly object: ApiObject; readonly old?: ApiObject; readonly subresource?: string | undefined },
): ApiObject | Promise<ApiObject> {
  const admitBuiltIn = (input: ApiObject): ApiObject => (subresource === undefined ? strategy.admit?.(input, old) : undefined) ?? input;
  const admittedObject = admitBuiltIn(object);
  return admission.mutate
    ? callMutatingAdmission(admission, strategy, createAttributes(), { object: admittedObject, admitBuiltIn })
    : admittedObject;
}

async function callMutatingAdmission(
  { mutate }: Admission,
  strategy: ResourceStrategy,
  attributes: AdmissionAttributes,
  { object, admitBuiltIn }: { readonly object: ApiObject; readonly admitBuiltIn: (object: ApiObject) => ApiObject },
): Promise<ApiObject> {
  const request = createRequest(strategy, attributes, object);
  const mutatedObject = await mutate?.(request);
  if (mutatedObject === undefined || mutatedObject === request.object) return object;
  const { warn } = attributes;
  const decodedObject = decodeBody(strategy, mutatedObject, {
    fieldValidation: 'Ignore',
    ...(warn && { warn: (warning) => warn(rewordAfterAdmission(warning)) }),
  });
  return admitBuiltIn(restoreManagedFieldsIfInvalid(decodedObject, object, attributes));
}

/**
 * Restores the previous managed fields if admission made them invalid. Mirrors managedFieldsValidatingAdmissionController
 * (apiserver/pkg/endpoints/handlers/fieldmanager/admission.go, 1.36).
 */
function restoreManagedFieldsIfInvalid(object: ApiObject, { metadata: original }: ApiObject, { warn }: AdmissionAttributes): ApiObject {
  try {
    decodeManagedFields(object.metadata.managedFields);
    return object;
  } catch (error) {
    warn?.(`${invalidManagedFieldsWarning}: ${(error as Error).message}`);
    return withMetadata(object, { managedFields: original.managedFields });
  }
}

const invalidManagedFieldsWarning =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests';

export async function runValidatingAdmission(
  { admission }: RegistryContext,
  strategy: ResourceStrategy,
  attributes: AdmissionAttributes,
  object: ApiObject,
): Promise<void> {
  await admission.validate?.(createRequest(strategy, attributes, object));
}

export async function admitDeletion({ admission }: RegistryContext, request: AdmissionRequest): Promise<void> {
  await admission.mutate?.(request);
  await admission.validate?.(request);
}

/** Creates a request that encodes the object on first access, because most writes match no webhook. */
function createRequest(strategy: ResourceStrategy, attributes: AdmissionAttributes, object: ApiObject): AdmissionRequest {
  let encoded: ApiObject | undefined;
  return {
    ...attributes,
    get object() {
      // A copy, because validation continues to modify `object` while admission may keep what it read.
      encoded ??= strategy.encode(copyOf(object));
      return encoded;
    },
  };
}
