import type { ApiObject, DeleteOptions, WriteOptions } from 'kube-endpoints/port';
import { decodeManagedFields } from '../patch/index.ts';
import { copyOf } from '../resources/field/read.ts';
import { afterAdmission } from '../resources/index.ts';
import type { Caller } from './caller.ts';
import type { Admission, AdmissionRequest, RegistryContext } from './context.ts';
import { decodeBody } from './decode.ts';
import { withMetadata } from './metadata.ts';
import type { ResourceStrategy } from './strategy.ts';

/** A request without what it is about. */
export type AdmissionAttributes = Omit<AdmissionRequest, 'object'>;

type Options = Pick<WriteOptions, 'dryRun' | 'fieldManager' | 'fieldValidation'> & Caller;

/** What all requests of a call say. */
export function callOf(
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

/** The same of a deletion. */
export function deletionOf(given: DeleteOptions & Caller): Pick<AdmissionRequest, 'dryRun' | 'user' | 'options' | 'warn'> {
  const { dryRun = false, gracePeriodSeconds, propagationPolicy, preconditions, user, warn } = given;
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
 * The object as the plugins that are built in, and those that were handed in, leave it. What the latter change, the former see once more.
 * The former mind no subresources.
 * @param old decoded, where there is one
 */
export function mutated(
  { admission }: RegistryContext,
  strategy: ResourceStrategy,
  attributes: () => AdmissionAttributes,
  { object, old, subresource }: { readonly object: ApiObject; readonly old?: ApiObject; readonly subresource?: string | undefined },
): ApiObject | Promise<ApiObject> {
  const builtIn = (given: ApiObject): ApiObject => (subresource === undefined ? strategy.admit?.(given, old) : undefined) ?? given;
  const admitted = builtIn(object);
  return admission.mutate ? askedToMutate(admission, strategy, attributes(), { object: admitted, builtIn }) : admitted;
}

async function askedToMutate(
  { mutate }: Admission,
  strategy: ResourceStrategy,
  attributes: AdmissionAttributes,
  { object, builtIn }: { readonly object: ApiObject; readonly builtIn: (object: ApiObject) => ApiObject },
): Promise<ApiObject> {
  const request = requestOf(strategy, attributes, object);
  const answer = await mutate?.(request);
  if (answer === undefined || answer === request.object) return object;
  const { warn } = attributes;
  const changed = decodeBody(strategy, answer, {
    fieldValidation: 'Ignore',
    ...(warn && { warn: (warning) => warn(afterAdmission(warning)) }),
  });
  return builtIn(withSoundFields(changed, object, attributes));
}

/**
 * Managed fields that make no sense any more are those from before. Mirrors managedFieldsValidatingAdmissionController
 * (apiserver/pkg/endpoints/handlers/fieldmanager/admission.go, 1.36).
 */
function withSoundFields(changed: ApiObject, { metadata: before }: ApiObject, { warn }: AdmissionAttributes): ApiObject {
  try {
    decodeManagedFields(changed.metadata.managedFields);
    return changed;
  } catch (error) {
    warn?.(`${brokenFields}: ${(error as Error).message}`);
    return withMetadata(changed, { managedFields: before.managedFields });
  }
}

const brokenFields =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests';

/** Asks those that only say yes or no. */
export async function validated(
  { admission }: RegistryContext,
  strategy: ResourceStrategy,
  attributes: AdmissionAttributes,
  object: ApiObject,
): Promise<void> {
  await admission.validate?.(requestOf(strategy, attributes, object));
}

/** Asks about a deletion. */
export async function admitDeletion({ admission }: RegistryContext, request: AdmissionRequest): Promise<void> {
  await admission.mutate?.(request);
  await admission.validate?.(request);
}

/** Printed when somebody looks: most writes are nobody's business. */
function requestOf(strategy: ResourceStrategy, attributes: AdmissionAttributes, object: ApiObject): AdmissionRequest {
  let printed: ApiObject | undefined;
  return {
    ...attributes,
    get object() {
      // The checks go on with the object, and whoever looks keeps what there was.
      printed ??= strategy.encode(copyOf(object));
      return printed;
    },
  };
}
