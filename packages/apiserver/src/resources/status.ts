import { quote, type StatusCause } from 'kube-endpoints/internal';
import type { ApiError, Resource } from 'kube-endpoints/port';
import { badRequest, failure } from '../store/errors.ts';

/** The answer to an object that is wrong: the kind, not the resource, is named. Mirrors NewInvalid (apimachinery/pkg/api/errors, 1.36). */
export function invalidObject({ group, kind }: Pick<Resource, 'group' | 'kind'>, name: string, causes: readonly StatusCause[]): ApiError {
  // Events of both groups are one kind to the server, that of the core group.
  const shown = group === 'events.k8s.io' ? '' : group;
  const what = `${kind}${shown === '' ? '' : `.${shown}`} ${quote(name)} is invalid`;
  return failure(422, 'Invalid', causes.length === 0 ? what : `${what}: ${aggregateMessage(causes)}`, {
    ...(name !== '' && { name }),
    ...(shown !== '' && { group: shown }),
    ...(kind !== '' && { kind }),
    ...(causes.length > 0 && { causes }),
  });
}

/** The answer to a body that cannot be read as what it should be. */
export const unreadableBody = ({ kind, version }: Pick<Resource, 'kind' | 'version'>, problem: string): ApiError =>
  badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);

/** The same for unknown fields, where the client wants to know. */
export const unknownFields = (resource: Resource, paths: readonly string[]): ApiError =>
  unreadableBody(resource, `strict decoding error: ${paths.map(unknownField).join(', ')}`);

/** How an unknown field is told of, in errors and in warnings; no more than a hundred are. */
export const unknownField = (path: string): string => `unknown field ${quote(path)}`;

/** All that is wrong in one text, nothing twice. Mirrors ErrorList.ToAggregate. */
export function aggregateMessage(causes: readonly StatusCause[]): string {
  const messages = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  return messages.length === 1 ? (messages[0] as string) : `[${messages.join(', ')}]`;
}
