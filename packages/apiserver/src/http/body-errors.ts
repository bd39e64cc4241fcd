import type { ApiError } from 'kube-endpoints/port';
import { badRequest } from '../store/index.ts';

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
