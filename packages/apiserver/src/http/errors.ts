import type { ApiError, Resource } from 'kube-endpoints/port';
import { failure, qualified } from '../store/errors.ts';
import { badRequest } from '../store/index.ts';

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

/** The answer to a body of which not even its kind can be told. Mirrors transformDecodeError (1.36, apiserver/pkg/endpoints/handlers/rest.go). */
export const unrecognized = (kind: string, problem: string, bytes: Uint8Array): ApiError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summaryOf(bytes)})`);

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** The beginning of a body: of what may be JSON as it is, of the rest in hexadecimal digits. */
function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.subarray(0, 30));
  return `${start.toString(start[0] === 0x7b ? 'utf8' : 'hex')}${bytes.length > 30 ? ' ...' : ''}`;
}
