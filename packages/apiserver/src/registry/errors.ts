import { quote, type StatusCause } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type Resource, type Status } from 'kube-endpoints/port';
import { failure, qualifiedResource } from '../store/errors.ts';

export const forbidden = (resource: Resource, name: string, explanation: string, causes: readonly StatusCause[] = []): ApiError =>
  failure(403, 'Forbidden', `${qualifiedResource(resource)} ${quote(name)} is forbidden: ${explanation}`, {
    ...detailsOf(resource, name),
    ...(causes.length > 0 && { causes }),
  });

/** The error of the plugin NamespaceLifecycle for new objects in a terminating namespace. */
export const namespaceTerminating = (resource: Resource, name: string, namespace: string): ApiError =>
  forbidden(resource, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ]);

/** Returned whenever generateName is set, even if the client sent a name. Mirrors `NewGenerateNameConflict`. */
export const generateNameConflict = (resource: Resource, name: string): ApiError =>
  failure(
    409,
    'AlreadyExists',
    `${qualifiedResource(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...detailsOf(resource, name), retryAfterSeconds: 1 },
  );

/** Adds to an AlreadyExists error that the existing object is being deleted. */
export const withBeingDeletedPrefix = ({ status }: ApiError): ApiError =>
  new ApiError({ ...status, message: `object is being deleted: ${status.message}` });

export const internalError = (message: string): ApiError =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

export const unsupportedPatch = (accepted: readonly string[]): ApiError =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    {},
  );

export const noSuchResource = (): ApiError => failure(404, 'NotFound', 'the server could not find the requested resource', {});

const detailsOf = ({ plural, group }: Resource, name: string): NonNullable<Status['details']> => ({
  ...(name !== '' && { name }),
  ...(group !== '' && { group }),
  kind: plural,
});

/** Formats kube-apiserver's message for a kind that it does not know. */
export const formatNotRegistered = (kind: string, apiVersion: string): string =>
  `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;

/** Joins messages without repetitions. Mirrors Aggregate (apimachinery/pkg/util/errors, 1.36). */
export function formatProblems(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}
