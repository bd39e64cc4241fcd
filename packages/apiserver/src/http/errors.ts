import type { ApiError, Resource } from 'kube-endpoints/port';
import { failure, qualifiedResource } from '../store/errors.ts';
import { badRequest } from '../store/index.ts';

/** The error for a method that the path does not support. */
export const methodNotAllowed = (): ApiError =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** The error for a verb that the resource does not support. Mirrors NewMethodNotSupported (apimachinery/pkg/api/errors, 1.36). */
export const notSupported = (resource: Resource, verb: string): ApiError =>
  failure(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${qualifiedResource(resource)}"`, {
    ...(resource.group !== '' && { group: resource.group }),
    kind: resource.plural,
  });

/** The error for a body over the size limit. */
export const bodyTooLarge = (limit: number): ApiError =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** The error for a body whose kind cannot be determined. Mirrors transformDecodeError (1.36, apiserver/pkg/endpoints/handlers/rest.go). */
export const unrecognized = (kind: string, problem: string, bytes: Uint8Array): ApiError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summaryOf(bytes)})`);

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** The first 30 bytes of a body: as text if it may be JSON, otherwise in hexadecimal. */
function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.subarray(0, 30));
  return `${start.toString(start[0] === 0x7b ? 'utf8' : 'hex')}${bytes.length > 30 ? ' ...' : ''}`;
}
