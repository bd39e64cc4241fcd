import type { SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import type { ReviewedRequest } from '../admission/read-review.ts';
import type { ReviewContext } from '../admission/review.ts';
import type { OverrideResult, Overrides } from '../overrides.ts';

/** The certificate and key of a TLS server, in PEM. */
export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The answer to a review that rules cannot decide: allow it unchanged, or deny it. */
export type FailurePolicy = 'allow' | 'deny';

/** Looks up the Service of an object, its pods and its other slices. */
export type ContextLookup = (
  request: ReviewedRequest,
  /** The object to be written. */
  object: EndpointsInput | EndpointSliceInput,
) => ReviewContext | undefined | Promise<ReviewContext | undefined>;

export interface WebhookOptions {
  readonly tls: ServingCertificate;
  /** The rules in force until `setOverrides` is called. */
  readonly overrides: Overrides;
  /** Without it, rules that need the Service, its pods or its other slices do not match. */
  readonly context?: ContextLookup;
  /** Default: "allow". */
  readonly failurePolicy?: FailurePolicy;
  readonly limits?: Partial<WebhookLimits>;
  /** For deadlines and for rules. */
  readonly clock?: SteadyClock;
  /** An additional readiness condition, such as synced caches. */
  readonly ready?: () => boolean;
  readonly onEvent?: WebhookObserver;
  /** Called with the result of every write that rules were applied to, except dry runs. A host that resyncs Services uses its `due`. */
  readonly onResult?: (request: ReviewedRequest, result: OverrideResult) => void;
  /** True (default) adds metrics of the process: CPU, memory, event loop, garbage collection. */
  readonly processMetrics?: boolean;
}

/** Limits on what clients can use. */
export interface WebhookLimits {
  /** Bytes of one review. A review holds an object twice, and API requests may be up to 3 MiB. */
  readonly bodyBytes: number;
  /** Bytes of all reviews being received. Beyond it the failure policy answers. */
  readonly buffered: number;
  /** Milliseconds for an answer, unless the request has a shorter timeout. */
  readonly answerMs: number;
  /** Milliseconds for the headers of a request, and for the TLS handshake. */
  readonly headerMs: number;
  readonly headerBytes: number;
  /** Milliseconds for a whole request to arrive. */
  readonly requestMs: number;
  /** Milliseconds that an idle connection stays open. */
  readonly keepAliveMs: number;
  /** Beyond it, the oldest connection without a complete request is closed, else the longest idle one. */
  readonly connections: number;
}

export const defaultLimits: WebhookLimits = {
  bodyBytes: 8 * 1024 * 1024,
  buffered: 128 * 1024 * 1024,
  answerMs: 5_000,
  headerMs: 10_000,
  headerBytes: 16 * 1024,
  requestMs: 30_000,
  keepAliveMs: 120_000,
  connections: 1_000,
};

/** The reason that the failure policy answered instead of the rules. */
export type PolicyReason = 'malformed' | 'notConcerned' | 'tooLarge' | 'late' | 'overloaded' | 'failed';

/** Events of the webhook, for logs. */
export type WebhookEvent =
  | { readonly kind: 'policy'; readonly reason: PolicyReason; readonly uid: string; readonly problem: string }
  | { readonly kind: 'rules'; readonly overrides: Overrides }
  | { readonly kind: 'certificate'; readonly expires: string }
  | { readonly kind: 'reloadFailed'; readonly what: 'rules' | 'certificate'; readonly problems: readonly string[] }
  | { readonly kind: 'closing'; readonly open: number };

export type WebhookObserver = (event: WebhookEvent) => void;
