import { quote } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type Resource, type Status } from 'kube-endpoints/port';

/** A validation error of one field: `field.Error` (1.36, apimachinery/pkg/util/validation/field/errors.go). */
export interface FieldProblem {
  readonly reason: 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueNotSupported';
  readonly field: string;
  /** The text after the field's name. */
  readonly message: string;
}

export const notFound = (resource: Resource, name: string): ApiError =>
  failure(404, 'NotFound', `${qualifiedResource(resource)} ${quote(name)} not found`, detailsOf(resource, name));

export const alreadyExists = (resource: Resource, name: string): ApiError =>
  failure(409, 'AlreadyExists', `${qualifiedResource(resource)} ${quote(name)} already exists`, detailsOf(resource, name));

export const conflict = (resource: Resource, name: string, problem: string): ApiError =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedResource(resource)} ${quote(name)}: ${problem}`,
    detailsOf(resource, name),
  );

export const badRequest = (message: string): ApiError => failure(400, 'BadRequest', message);

/** Status 500 without a reason: upstream fails here with an error that is not an API Status. */
export const status500 = (message: string): ApiError => failure(500, undefined, message);

/** The error for list or watch options that cannot be combined. */
export function invalidListOptions(problems: readonly FieldProblem[]): ApiError {
  const messages = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))];
  const text = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  return failure(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${text}`, {
    group: 'meta.k8s.io',
    kind: 'ListOptions',
    causes: problems,
  });
}

/** @param continueToken continues the list over the newest state */
export const expired = (message: string, continueToken?: string): ApiError =>
  failure(410, 'Expired', message, undefined, continueToken === undefined ? {} : { metadata: { continue: continueToken } });

/** `NewTooLargeResourceVersionError` (1.36, apiserver/pkg/storage/errors.go). */
export const tooLargeResourceVersion = (requested: string, current: number): ApiError =>
  failure(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

/** Resource name in messages. */
export const qualifiedResource = ({ plural, group }: Pick<Resource, 'plural' | 'group'>): string =>
  group === '' ? plural : `${plural}.${group}`;

const detailsOf = ({ plural, group }: Resource, name: string): NonNullable<Status['details']> => ({
  name,
  ...(group && { group }),
  kind: plural,
});

interface FailureOptions {
  readonly metadata?: Status['metadata'];
  readonly cause?: Error;
}

/** An error with a failure Status, its fields in Go's order. */
export function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: Status['details'],
  { metadata = {}, cause }: FailureOptions = {},
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
