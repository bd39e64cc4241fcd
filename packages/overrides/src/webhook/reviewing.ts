import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf, parseDuration } from 'kube-endpoints/internal/apimachinery';
import type { SteadyClock } from 'kube-endpoints/port';
import type { ReviewedRequest } from '../admission/read-review.ts';
import { type ReviewOutcome, type ReviewResult, reviewAdmissionInFull } from '../admission/review.ts';
import type { OverrideResult, Overrides } from '../overrides.ts';
import { type BodyOutcome, type BufferUsage, createPolicyReview, type RequestBody, readBody } from './body.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { ContextLookup, FailurePolicy, PolicyReason, WebhookLimits, WebhookObserver } from './options.ts';

/** The settings and dependencies for answering reviews. */
export interface ReviewHost {
  readonly overrides: () => Overrides;
  readonly context: ContextLookup | undefined;
  readonly failurePolicy: FailurePolicy;
  readonly limits: WebhookLimits;
  readonly clock: SteadyClock;
  readonly metrics: WebhookMetrics;
  readonly bufferUsage: BufferUsage;
  /** True if the server is closing, so connections must not be reused. */
  readonly isClosing: () => boolean;
  readonly onEvent: WebhookObserver;
  readonly onResult: (request: ReviewedRequest, result: OverrideResult) => void;
}

/** Answers a review from the rules, or by the failure policy if they cannot answer in time. */
export function answerReview(incoming: IncomingMessage, response: ServerResponse, host: ReviewHost): void {
  const { clock, limits } = host;
  const timeLimitMs = Math.min(limits.answerMs, (parseTimeout(incoming.url ?? '') ?? Number.POSITIVE_INFINITY) * timeoutShare);
  const exchange: Exchange = {
    response,
    body: readBody(incoming, host.bufferUsage, limits),
    startTime: clock.elapsed(),
    deadline: clock.now() + timeLimitMs,
    answered: false,
  };
  const timeout = clock.schedule(
    () => answerByPolicy(exchange, 'late', `there was no answer within ${Math.round(timeLimitMs)} ms`, host),
    timeLimitMs,
  );
  response.once('close', () => {
    timeout.cancel();
    exchange.answered = true;
    exchange.body.release();
  });
  void processReview(exchange, host);
}

/** Fraction of the API server's timeout to use; the rest is for transmission. */
const timeoutShare = 0.9;

interface Exchange {
  readonly response: ServerResponse;
  readonly body: RequestBody;
  readonly startTime: number;
  readonly deadline: number;
  answered: boolean;
}

async function processReview(exchange: Exchange, host: ReviewHost): Promise<void> {
  const problem = problemsByOutcome[await exchange.body.completed];
  if (exchange.answered) return;
  if (problem) return answerByPolicy(exchange, problem.reason, problem.text, host);
  // Under overload, does not work on reviews whose deadline has passed.
  if (host.clock.now() >= exchange.deadline) return answerByPolicy(exchange, 'late', 'the deadline passed before it was processed', host);
  try {
    const reviewResult = await reviewBody(exchange.body.decode(), host);
    if (!exchange.answered) answer(exchange, reviewResult, host);
  } catch (error) {
    if (!exchange.answered) answerByPolicy(exchange, 'failed', messageOf(error), host);
  }
}

const problemsByOutcome: Readonly<Record<BodyOutcome, { readonly reason: PolicyReason; readonly text: string } | undefined>> = {
  complete: undefined,
  tooLarge: { reason: 'tooLarge', text: 'the review is too large' },
  overloaded: { reason: 'overloaded', text: 'too many reviews are being read' },
  aborted: { reason: 'malformed', text: 'the request was cut short' },
};

/** Reviews a body by the rules in force when it has been received, even if they are replaced meanwhile. */
function reviewBody(text: string, { overrides, context, clock, failurePolicy }: ReviewHost): ReviewResult | Promise<ReviewResult> {
  const options = {
    overrides: overrides(),
    now: new Date(clock.now()),
    failurePolicy: failurePolicy === 'allow' ? ('Ignore' as const) : ('Fail' as const),
  };
  const body = parseJson(text);
  if (!context) return reviewAdmissionInFull(body, options);
  // If the context is a promise, the first review ends with an error, and a second one uses the resolved context.
  let pendingContext: ReturnType<ContextLookup>;
  const firstReview = reviewAdmissionInFull(body, {
    ...options,
    context(request) {
      const reviewContext = context(request, objectOfReview(body));
      if (!(reviewContext instanceof Promise)) return reviewContext;
      pendingContext = reviewContext;
      throw new Error('the context of the review is not available yet');
    },
  });
  if (!pendingContext) return firstReview;
  return Promise.resolve(pendingContext).then((reviewContext) => reviewAdmissionInFull(body, { ...options, context: () => reviewContext }));
}

/** Only called after the review has been validated, so the object exists. */
const objectOfReview = (body: unknown): Parameters<ContextLookup>[1] =>
  (body as { readonly request: { readonly object: Parameters<ContextLookup>[1] } }).request.object;

/** Invalid JSON becomes undefined, which the review code reports as malformed. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answer(exchange: Exchange, reviewResult: ReviewResult, host: ReviewHost): void {
  const { outcome, problem = outcome, request, result, review } = reviewResult;
  const reason = policyReasons[outcome];
  // A response needs the uid, which `answerByPolicy` can find even in invalid JSON.
  if (reason && review.response.uid === '') {
    answerByPolicy(exchange, reason, problem, host);
    return;
  }
  host.metrics.reviewed(reviewResult, (host.clock.elapsed() - exchange.startTime) / 1000);
  send(exchange, JSON.stringify(review), host);
  if (reason) {
    host.metrics.policy(reason);
    host.onEvent({ kind: 'policy', reason, uid: review.response.uid, problem });
  } else if (request && result && !request.dryRun) host.onResult(request, result);
}

/** Outcomes that the failure policy decides, with the reason. */
const policyReasons: Partial<Record<ReviewOutcome, PolicyReason>> = {
  malformed: 'malformed',
  failed: 'failed',
  notConcerned: 'notConcerned',
};

function answerByPolicy(exchange: Exchange, reason: PolicyReason, problem: string, host: ReviewHost): void {
  const uid = exchange.body.findUid();
  const review = createPolicyReview(uid, host.failurePolicy, reason, problem);
  host.metrics.policy(reason);
  host.metrics.reviewed(
    { review, outcome: review.response.allowed ? 'unchanged' : 'refused' },
    (host.clock.elapsed() - exchange.startTime) / 1000,
  );
  send(exchange, JSON.stringify(review), host);
  host.onEvent({ kind: 'policy', reason, uid, problem });
}

function send(exchange: Exchange, text: string, { isClosing }: ReviewHost): void {
  const { response } = exchange;
  exchange.answered = true;
  if (response.destroyed) return;
  const closesConnection = isClosing() || !response.req.complete;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(closesConnection && { Connection: 'close' }),
  };
  // Passing the body to `end` sends headers and body in one packet.
  response.writeHead(200, headers).end(text);
}

/**
 * Parses the `timeout` query parameter of a URL, such as "10s", to milliseconds; undefined if the parameter is missing or invalid. The API
 * server does not wait longer.
 */
export function parseTimeout(url: string): number | undefined {
  const text = timeoutPattern.exec(url)?.[1];
  if (text === undefined) return undefined;
  try {
    const milliseconds = parseDuration(text);
    return milliseconds > 0 ? milliseconds : undefined;
  } catch {
    return undefined;
  }
}

const timeoutPattern = /[?&]timeout=([^&]*)/;
