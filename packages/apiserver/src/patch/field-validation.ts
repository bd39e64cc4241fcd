import type { ApiError } from 'kube-endpoints/port';
import { badRequest } from '../store/errors.ts';

/** What to do about fields that nobody knows: refuse, warn about or ignore them. A patch that does not say means Warn. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface PatchedDocument {
  /** The document after the patch; not an object where the patch replaced the root by something else. */
  readonly value: unknown;
  /** What is unknown in the patch itself; to refuse or warn with, together with what decoding the document finds. */
  readonly strictErrors: readonly string[];
}

/** Go's complaint about a JSON value of the wrong type. */
export const cannotUnmarshal = (value: unknown, into: string): string => `json: cannot unmarshal ${jsonType(value)} into Go ${into}`;

/** `fieldValidation` decides which of the real server's two decoders sees a patch first, and so how its complaint begins. */
export const undecodable = (fieldValidation: FieldValidation, strict: string, loose: string): ApiError =>
  badRequest(fieldValidation === 'Ignore' ? loose : `error decoding patch: ${strict}`);

function jsonType(value: unknown): string {
  if (Array.isArray(value)) {
    return 'array';
  }
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
