import { quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiError, Resource } from 'kube-endpoints/port';
import { failure, qualifiedResource } from '../store/errors.ts';
import { badRequest } from '../store/index.ts';

/** Creates the error for a method that the path does not support. */
export const createMethodNotAllowedError = (): ApiError =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** Creates the error for a verb that the resource does not support. Mirrors NewMethodNotSupported (apimachinery/pkg/api/errors, 1.36). */
export const createVerbNotSupportedError = (resource: Resource, verb: string): ApiError =>
  failure(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${qualifiedResource(resource)}"`, {
    ...(resource.group !== '' && { group: resource.group }),
    kind: resource.plural,
  });

/** Creates the error for a subresource that connects to a node or a container. */
export const createNoContainersError = ({ plural }: Resource, subresource: string, name: string): ApiError =>
  failure(
    405,
    'MethodNotAllowed',
    `${plural}/${subresource} of ${quote(name)} is not available: this API server has no nodes and runs no containers`,
    {
      name,
      kind: plural,
    },
  );

/** Creates the error for a body over the size limit. */
export const createBodyTooLargeError = (limit: number): ApiError =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** Creates the error for a body whose kind cannot be determined. Mirrors transformDecodeError (1.36, apiserver/pkg/endpoints/handlers/rest.go). */
export const createUnrecognizedBodyError = (kind: string, problem: string, bytes: Uint8Array): ApiError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summaryOf(bytes)})`);

export const decodeText = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** Formats the first 30 bytes of a body: as text if the body may be a JSON object, otherwise in hexadecimal. */
function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.subarray(0, 30));
  return `${start.toString(start[0] === 0x7b ? 'utf8' : 'hex')}${bytes.length > 30 ? ' ...' : ''}`;
}
