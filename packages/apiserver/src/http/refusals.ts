import type { ApiError, Resource } from 'kube-endpoints/port';
import { failure, qualified } from '../store/errors.ts';

/** The answer to a method that a path does not have. */
export const methodNotAllowed = (): ApiError =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** The answer to what a resource cannot do. Mirrors NewMethodNotSupported (apimachinery/pkg/api/errors, 1.36). */
export const notSupported = (resource: Resource, verb: string): ApiError =>
  failure(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${qualified(resource)}"`, {
    ...(resource.group !== '' && { group: resource.group }),
    kind: resource.plural,
  });

/** The answer to a body that is longer than it may be. */
export const bodyTooLarge = (limit: number): ApiError =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
