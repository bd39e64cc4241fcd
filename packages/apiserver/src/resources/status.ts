import { quote, type StatusCause } from 'kube-endpoints/internal/apimachinery';
import type { ApiError, Resource } from 'kube-endpoints/port';
import { badRequest, failure } from '../store/errors.ts';

/** The error for an invalid object; names the kind, not the resource. Mirrors NewInvalid (apimachinery/pkg/api/errors, 1.36). */
export function invalidObject({ group, kind }: Pick<Resource, 'group' | 'kind'>, name: string, causes: readonly StatusCause[]): ApiError {
  // Upstream uses the core group for Events of both groups.
  const shownGroup = group === 'events.k8s.io' ? '' : group;
  const summary = `${kind}${shownGroup === '' ? '' : `.${shownGroup}`} ${quote(name)} is invalid`;
  return failure(422, 'Invalid', causes.length === 0 ? summary : `${summary}: ${aggregateMessage(causes)}`, {
    ...(name !== '' && { name }),
    ...(shownGroup !== '' && { group: shownGroup }),
    ...(kind !== '' && { kind }),
    ...(causes.length > 0 && { causes }),
  });
}

/** @param expectedKind the kind that the body must have, if it differs from the kind of the body */
export const createUnreadableBodyError = (
  { kind, version }: Pick<Resource, 'kind' | 'version'>,
  problem: string,
  expectedKind: string = kind,
): ApiError => badRequest(`${kind} in version ${quote(version)} cannot be handled as a ${expectedKind}: ${problem}`);

/** The error for unknown fields under strict field validation. */
export const createUnknownFieldsError = (resource: Resource, paths: readonly string[]): ApiError =>
  createUnreadableBodyError(resource, `strict decoding error: ${paths.map(formatUnknownField).join(', ')}`);

/** The message about an unknown field, in errors and warnings. */
export const formatUnknownField = (path: string): string => `unknown field ${quote(path)}`;

/** All errors in one message, without duplicates. Mirrors ErrorList.ToAggregate. */
export function aggregateMessage(causes: readonly StatusCause[]): string {
  const messages = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  return messages.length === 1 ? (messages[0] as string) : `[${messages.join(', ')}]`;
}
