import type { ApiObject, DeleteOptions, WriteOptions } from '../../port/index.ts';
import { copyOf } from '../resources/field/read.ts';
import { afterAdmission } from '../resources/index.ts';
import type { Caller } from './caller.ts';
import type { Admission, AdmissionRequest, RegistryContext } from './context.ts';
import { decodeBody } from './decode.ts';
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
 * @param old decoded, where there is one
 */
export function mutated(
  { admission }: RegistryContext,
  strategy: ResourceStrategy,
  attributes: () => AdmissionAttributes,
  { object, old }: { readonly object: ApiObject; readonly old?: ApiObject },
): ApiObject | Promise<ApiObject> {
  const admitted = strategy.admit?.(object, old) ?? object;
  return admission.mutate ? askedToMutate(admission, strategy, attributes(), { object: admitted, old }) : admitted;
}

async function askedToMutate(
  { mutate }: Admission,
  strategy: ResourceStrategy,
  attributes: AdmissionAttributes,
  { object, old }: { readonly object: ApiObject; readonly old: ApiObject | undefined },
): Promise<ApiObject> {
  const request = requestOf(strategy, attributes, object);
  const answer = await mutate?.(request);
  if (answer === undefined || answer === request.object) return object;
  const { warn } = attributes;
  const changed = decodeBody(strategy, answer, {
    fieldValidation: 'Ignore',
    ...(warn && { warn: (warning) => warn(afterAdmission(warning)) }),
  });
  return strategy.admit?.(changed, old) ?? changed;
}

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
