import { quote } from 'kube-endpoints/internal';
import { ApiError, type Resource, type Status } from 'kube-endpoints/port';

/** A finding about one field: `field.Error` (1.36, apimachinery/pkg/util/validation/field/errors.go). */
export interface FieldProblem {
  readonly reason: 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueNotSupported';
  readonly field: string;
  /** As it stands after the field's name. */
  readonly message: string;
}

export const notFound = (resource: Resource, name: string): ApiError =>
  failure(404, 'NotFound', `${qualified(resource)} ${quote(name)} not found`, about(resource, name));

export const alreadyExists = (resource: Resource, name: string): ApiError =>
  failure(409, 'AlreadyExists', `${qualified(resource)} ${quote(name)} already exists`, about(resource, name));

export const conflict = (resource: Resource, name: string, why: string): ApiError =>
  failure(409, 'Conflict', `Operation cannot be fulfilled on ${qualified(resource)} ${quote(name)}: ${why}`, about(resource, name));

export const badRequest = (message: string): ApiError => failure(400, 'BadRequest', message);

/** An error that the real server has no Status for: it answers with the bare message. */
export const unclassified = (message: string): ApiError => failure(500, undefined, message);

/** The answer to options of a list or watch that do not go together. */
export function invalidListOptions(problems: readonly FieldProblem[]): ApiError {
  const messages = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))];
  const joined = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  return failure(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${joined}`, {
    group: 'meta.k8s.io',
    kind: 'ListOptions',
    causes: problems,
  });
}

/** @param continueToken with which the list can go on, over what is there now */
export const expired = (message: string, continueToken?: string): ApiError =>
  failure(410, 'Expired', message, undefined, continueToken === undefined ? {} : { metadata: { continue: continueToken } });

/** `NewTooLargeResourceVersionError` (1.36, apiserver/pkg/storage/errors.go). */
export const tooLargeResourceVersion = (wanted: string, current: number): ApiError =>
  failure(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

/** How messages name a resource. */
export const qualified = ({ plural, group }: Pick<Resource, 'plural' | 'group'>): string => (group === '' ? plural : `${plural}.${group}`);

const about = ({ plural, group }: Resource, name: string): NonNullable<Status['details']> => ({
  name,
  ...(group && { group }),
  kind: plural,
});

/** What few failures have. */
interface More {
  readonly metadata?: Status['metadata'];
  readonly cause?: Error;
}

/** The error that is answered with a failure: its Status has what all of them have, in the order in which Go writes it. */
export function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: Status['details'],
  { metadata = {}, cause }: More = {},
): ApiError {
  return new ApiError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason !== undefined && { reason }),
      ...(details && { details }),
      code,
    },
    cause && { cause },
  );
}
