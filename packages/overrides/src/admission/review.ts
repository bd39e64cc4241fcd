import { messageOf } from 'kube-endpoints/internal';
import type { EndpointSliceInput, Pod, Service } from 'kube-endpoints/types';
import type { OverrideResult, Overrides } from '../overrides.ts';
import { toBase64 } from './base64.ts';
import { type ConcernedReview, type ReviewedRequest, readReview } from './reading.ts';
import { isMap } from './shape.ts';
import { auditAnnotationsOf, maxWarning, refusalMessage, shortened, warningsOf } from './telling.ts';

/** What an answer says about a request. */
export interface ReviewOptions {
  readonly overrides: Overrides;
  /** What the host knows of the Service that an object belongs to. What it throws is answered as `failurePolicy` says. */
  readonly context?: ((request: ReviewedRequest) => ReviewContext | undefined) | undefined;
  readonly now: Date;
  /** What becomes of a request that cannot be understood: "Ignore" lets it pass unchanged, which is the default; "Fail" refuses it. */
  readonly failurePolicy?: 'Ignore' | 'Fail' | undefined;
}

export interface ReviewContext {
  readonly service?: Service | undefined;
  readonly pods?: readonly Pod[] | undefined;
  readonly siblings?: readonly EndpointSliceInput[] | undefined;
}

/** What is sent back: `admission.k8s.io/v1`. */
export interface AdmissionReview {
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

export interface AdmissionResponse {
  /** That of the request; empty where it had none that could be read. */
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly message: string; readonly reason: string; readonly status: 'Failure' };
  /** JSON Patch, in base64. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** How a body was taken, for metrics and logs. */
export type ReviewOutcome = 'changed' | 'unchanged' | 'refused' | 'notConcerned' | 'malformed' | 'failed';

/** The answer, and beside it what a host counts, logs and acts on. */
export interface Reviewed {
  readonly review: AdmissionReview;
  readonly outcome: ReviewOutcome;
  /** Where the outcome is "malformed" or "failed": why. */
  readonly problem?: string;
  /** Where rules were asked. A host that kicks looks at its `due`, unless the request is a dry run. */
  readonly request?: ReviewedRequest;
  readonly result?: OverrideResult;
}

/** The answer to an AdmissionReview. Pure, and never throws, whatever the body is. */
export const reviewAdmission = (body: unknown, options: ReviewOptions): AdmissionReview => reviewAdmissionInFull(body, options).review;

/** `reviewAdmission` with what a host counts, logs and acts on. */
export function reviewAdmissionInFull(body: unknown, options: ReviewOptions): Reviewed {
  let uid = '';
  try {
    const request = isMap(body) ? body['request'] : undefined;
    if (isMap(request) && typeof request['uid'] === 'string') uid = request['uid'];
    const read = readReview(body);
    if (typeof read === 'string') return unread(uid, 'malformed', read, options);
    return read.concerned ? reviewed(read, options) : { review: answer({ uid, allowed: true }), outcome: 'notConcerned' };
  } catch (error) {
    return unread(uid, 'failed', messageOf(error), options);
  }
}

/** What cannot be looked at is answered as the policy says. */
function unread(uid: string, outcome: 'malformed' | 'failed', problem: string, { failurePolicy = 'Ignore' }: ReviewOptions): Reviewed {
  const message = shortened(`endpoint overrides cannot tell: ${problem}`, 1000);
  if (failurePolicy === 'Ignore') {
    return { review: answer({ uid, allowed: true, warnings: [shortened(message, maxWarning)] }), outcome, problem };
  }
  const [code, reason] = outcome === 'malformed' ? [400, 'BadRequest'] : [500, 'InternalError'];
  return { review: answer({ uid, allowed: false, status: { status: 'Failure', code, reason, message } }), outcome, problem };
}

function reviewed({ request, object, oldObject }: ConcernedReview, { overrides, context, now }: ReviewOptions): Reviewed {
  const { service, pods, siblings } = context?.(request) ?? {};
  const result = overrides.apply({ operation: request.operation, object, oldObject, service, pods, siblings, now });
  const { uid } = request;
  const auditAnnotations = auditAnnotationsOf(result);
  const warnings = warningsOf(result);
  const told = {
    ...(warnings.length > 0 && { warnings }),
    ...(Object.keys(auditAnnotations).length > 0 && { auditAnnotations }),
  };
  if (result.refused) {
    const status = { status: 'Failure', code: 403, reason: 'Forbidden', message: refusalMessage(result.refused) } as const;
    return { review: answer({ uid, allowed: false, status, ...told }), outcome: 'refused', request, result };
  }
  const patch = result.changed && { patch: toBase64(JSON.stringify(result.patch)), patchType: 'JSONPatch' as const };
  return { review: answer({ uid, allowed: true, ...patch, ...told }), outcome: result.changed ? 'changed' : 'unchanged', request, result };
}

const answer = (response: AdmissionResponse): AdmissionReview => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response,
});
