import type { SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import type { ReviewedRequest } from '../admission/reading.ts';
import type { ReviewContext } from '../admission/review.ts';
import type { OverrideResult, Overrides } from '../overrides.ts';

/** What a TLS server shows, in PEM. */
export interface ServingFiles {
  readonly cert: string;
  readonly key: string;
}

/** What becomes of a review that cannot be answered from the rules: it is let pass unchanged, or refused. */
export type FailurePolicy = 'allow' | 'deny';

/** What a host knows of the Service that an object belongs to: at once, or in a moment. */
export type LookUp = (
  request: ReviewedRequest,
  /** As it is to be written. */
  object: EndpointsInput | EndpointSliceInput,
) => ReviewContext | undefined | Promise<ReviewContext | undefined>;

export interface WebhookOptions {
  readonly tls: ServingFiles;
  /** The rules in force until others are set. */
  readonly overrides: Overrides;
  /** Without it, rules that need the Service, its pods or its other slices do not match. */
  readonly context?: LookUp;
  /** "allow" by default. */
  readonly failurePolicy?: FailurePolicy;
  readonly limits?: Partial<WebhookLimits>;
  /** For deadlines and for rules. */
  readonly clock?: SteadyClock;
  /** Whether there is more than rules to be had before reviews are answered well, such as complete caches. */
  readonly ready?: () => boolean;
  readonly tell?: TellWebhook;
  /** Told of every write that rules were asked about, dry runs left out: who kicks looks at its `due`. */
  readonly onResult?: (request: ReviewedRequest, result: OverrideResult) => void;
  /** Whether the process is reported on in the metrics, too: CPU, memory, event loop, garbage collection. By default it is. */
  readonly processMetrics?: boolean;
}

/** What clients may ask of the server. */
export interface WebhookLimits {
  /** The bytes of a review. One holds an object twice, and the API takes objects of up to 3 MiB in requests. */
  readonly bodyBytes: number;
  /** The bytes of all reviews that are being read. Beyond that they are answered by the policy. */
  readonly buffered: number;
  /** Milliseconds for an answer, where the request does not ask for less. */
  readonly answerMs: number;
  /** Milliseconds for the head of a request, and for the handshake before the first. */
  readonly headerMs: number;
  readonly headerBytes: number;
  /** Milliseconds for a whole request to arrive. */
  readonly requestMs: number;
  /** Milliseconds for which a connection is kept for another request. */
  readonly keepAliveMs: number;
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

/** Why an answer came from the policy, not from the rules. */
export type PolicyReason = 'malformed' | 'notConcerned' | 'tooLarge' | 'late' | 'overloaded' | 'failed';

/** What the webhook tells of itself, for logs. */
export type WebhookHappening =
  | { readonly kind: 'policy'; readonly reason: PolicyReason; readonly uid: string; readonly problem: string }
  | { readonly kind: 'rules'; readonly overrides: Overrides }
  | { readonly kind: 'certificate'; readonly expires: string }
  | { readonly kind: 'reloadFailed'; readonly what: 'rules' | 'certificate'; readonly problems: readonly string[] }
  | { readonly kind: 'closing'; readonly open: number };

export type TellWebhook = (happening: WebhookHappening) => void;
