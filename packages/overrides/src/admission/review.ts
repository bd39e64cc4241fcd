import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSliceInput, Pod, Service } from 'kube-endpoints/types';
import type { Decision, OverrideResult, Overrides } from '../overrides.ts';
import { isMap, type RelevantReview, type ReviewedRequest, readReview } from './read-review.ts';

/** Settings of one review. */
export interface ReviewOptions {
  readonly overrides: Overrides;
  /** Returns the Service, its pods and its other slices, if the host has them. If it throws, `failurePolicy` decides the answer. */
  readonly context?: ((request: ReviewedRequest) => ReviewContext | undefined) | undefined;
  readonly now: Date;
  /** The answer to a request that cannot be processed: "Ignore" (default) allows it unchanged, "Fail" refuses it. */
  readonly failurePolicy?: 'Ignore' | 'Fail' | undefined;
}

export interface ReviewContext {
  readonly service?: Service | undefined;
  readonly pods?: readonly Pod[] | undefined;
  readonly otherSlices?: readonly EndpointSliceInput[] | undefined;
}

/** The response, of `admission.k8s.io/v1`. */
export interface AdmissionReview {
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

export interface AdmissionResponse {
  /** The uid of the request; empty if it could not be read. */
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly message: string; readonly reason: string; readonly status: 'Failure' };
  /** JSON Patch in base64. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** The outcome of a review, for metrics and logs. */
export type ReviewOutcome = 'changed' | 'unchanged' | 'refused' | 'notConcerned' | 'malformed' | 'failed';

/** The response, with details for metrics, logs and resyncs. */
export interface ReviewResult {
  readonly review: AdmissionReview;
  readonly outcome: ReviewOutcome;
  /** The error; set if the outcome is "malformed" or "failed". */
  readonly problem?: string;
  /** Set if rules were applied. A host that resyncs Services uses the result's `due`, unless the request is a dry run. */
  readonly request?: ReviewedRequest;
  readonly result?: OverrideResult;
}

/** Answers an AdmissionReview. Pure; does not throw for any body. */
export const reviewAdmission = (body: unknown, options: ReviewOptions): AdmissionReview => reviewAdmissionInFull(body, options).review;

/** Like `reviewAdmission`, with details for metrics, logs and resyncs. */
export function reviewAdmissionInFull(body: unknown, options: ReviewOptions): ReviewResult {
  let uid = '';
  try {
    const request = isMap(body) ? body['request'] : undefined;
    if (isMap(request) && typeof request['uid'] === 'string') uid = request['uid'];
    const parsedReview = readReview(body);
    if (typeof parsedReview === 'string') return answerByPolicy(uid, 'malformed', parsedReview, options);
    return parsedReview.isRelevant
      ? answerByRules(parsedReview, options)
      : { review: createReview({ uid, allowed: true }), outcome: 'notConcerned' };
  } catch (error) {
    return answerByPolicy(uid, 'failed', messageOf(error), options);
  }
}

/** Answers an unprocessable request by the failure policy. */
function answerByPolicy(
  uid: string,
  outcome: 'malformed' | 'failed',
  problem: string,
  { failurePolicy = 'Ignore' }: ReviewOptions,
): ReviewResult {
  const message = truncate(`endpoint overrides not applied: ${problem}`, 1000);
  if (failurePolicy === 'Ignore') {
    return { review: createReview({ uid, allowed: true, warnings: [truncate(message, maxWarningLength)] }), outcome, problem };
  }
  const [code, reason] = outcome === 'malformed' ? [400, 'BadRequest'] : [500, 'InternalError'];
  return { review: createReview({ uid, allowed: false, status: { status: 'Failure', code, reason, message } }), outcome, problem };
}

function answerByRules({ request, object, oldObject }: RelevantReview, { overrides, context, now }: ReviewOptions): ReviewResult {
  const { service, pods, otherSlices } = context?.(request) ?? {};
  const result = overrides.apply({ operation: request.operation, object, oldObject, service, pods, otherSlices, now });
  const { uid } = request;
  const auditAnnotations = createAuditAnnotations(result);
  const warnings = createWarnings(result);
  const details = {
    ...(warnings.length > 0 && { warnings }),
    ...(Object.keys(auditAnnotations).length > 0 && { auditAnnotations }),
  };
  if (result.refused) {
    const status = { status: 'Failure', code: 403, reason: 'Forbidden', message: formatRefusal(result.refused) } as const;
    return { review: createReview({ uid, allowed: false, status, ...details }), outcome: 'refused', request, result };
  }
  const patch = result.changed && { patch: toBase64(JSON.stringify(result.patch)), patchType: 'JSONPatch' as const };
  return {
    review: createReview({ uid, allowed: true, ...patch, ...details }),
    outcome: result.changed ? 'changed' : 'unchanged',
    request,
    result,
  };
}

const createReview = (response: AdmissionResponse): AdmissionReview => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response,
});

/** Encodes the UTF-8 of a text as base64. */
export function toBase64(text: string): string {
  // Fast path for ASCII, which nearly all patches are.
  return btoa(printableAscii.test(text) ? text : Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

const printableAscii = /^[\x20-\x7e]*$/;

/** The maximum length of a warning that Kubernetes recommends, in characters. */
export const maxWarningLength = 120;
/** Clients print all warnings, so their number is limited. */
const maxWarnings = 8;
/** Audit logs are stored, so annotations are limited, in characters. */
const maxAnnotationLength = 1000;

/** Creates warnings for the client: for each rule and code, the first decision and the number of others. Audit decisions are left out. */
export function createWarnings({ decisions }: OverrideResult): string[] {
  const groups = new Map<string, { readonly first: Decision; count: number }>();
  for (const decision of decisions) {
    if (decision.audit) continue;
    const key = `${decision.rule} ${decision.code}`;
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { first: decision, count: 1 });
  }
  return [...groups.values()].slice(0, maxWarnings).map(({ first, count }) => {
    const more = count > 1 ? ` (and ${count - 1} more)` : '';
    return `${truncate(`rule ${first.rule}: ${first.message}`, maxWarningLength - more.length)}${more}`;
  });
}

/** Creates audit annotations; the API server prefixes each key with the webhook's name. */
export function createAuditAnnotations({ decisions, due }: OverrideResult): Record<string, string> {
  const [enforced, audited] = [false, true].map((audit) => formatCounts(decisions.filter((decision) => decision.audit === audit)));
  return {
    ...(enforced && { decisions: truncate(enforced, maxAnnotationLength) }),
    ...(audited && { audited: truncate(audited, maxAnnotationLength) }),
    ...(due !== undefined && { due }),
  };
}

/** Formats the number of decisions by rule and code, such as "keep-in:KeptIn=3,damp:HeldReady=1". */
function formatCounts(decisions: readonly Decision[]): string {
  const counts = new Map<string, number>();
  for (const { rule, code } of decisions) counts.set(`${rule}:${code}`, (counts.get(`${rule}:${code}`) ?? 0) + 1);
  return [...counts].map(([key, count]) => `${key}=${count}`).join(',');
}

/** Truncates a text to at most `length` characters. */
export const truncate = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 3).join('')}...` : text;
};

/** Formats the message for the client whose write is refused. */
export const formatRefusal = ({ rule, message }: Decision): string => `refused by the rule ${JSON.stringify(rule)}: ${message}`;
