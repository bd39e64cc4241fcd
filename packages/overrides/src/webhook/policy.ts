import type { AdmissionReview } from '../index.ts';
import type { PolicyReason } from './happening.ts';
import type { FailurePolicy } from './options.ts';

/** The answer to a review that the rules were not asked about. */
export function policyReview(uid: string, policy: FailurePolicy, reason: PolicyReason, problem: string): AdmissionReview {
  const text = `endpoint overrides not applied: ${problem}`;
  const response =
    policy === 'allow'
      ? { uid, allowed: true, warnings: [text] }
      : { uid, allowed: false, status: { status: 'Failure' as const, ...refusals[reason], message: text } };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

const badRequest = { code: 400, reason: 'BadRequest' };
const refusals: Readonly<Record<PolicyReason, { readonly code: number; readonly reason: string }>> = {
  malformed: badRequest,
  notConcerned: badRequest,
  tooLarge: { code: 413, reason: 'RequestEntityTooLarge' },
  late: { code: 504, reason: 'Timeout' },
  overloaded: { code: 429, reason: 'TooManyRequests' },
  failed: { code: 500, reason: 'InternalError' },
};

/**
 * The uid of a review of which only the beginning is there, or whose JSON is broken; empty where it cannot be seen. API servers write
 * it as the first field of the request.
 */
export const uidIn = (beginning: string): string => uid.exec(beginning)?.[1] ?? '';

const uid = /"request"\s*:\s*\{\s*"uid"\s*:\s*"([\w-]{1,64})"/;
