import type { ReceivedReview } from '../support/webhook-server.ts';
import { type Flow, portPlaceholder } from './flow.ts';

type Json = Readonly<Record<string, unknown>>;

/** The outcome of a flow. */
export interface Outcome {
  readonly code: number;
  /** The Status of a failure. */
  readonly failure?: Json;
  /** The fields of the answer that webhooks may change. */
  readonly object?: Json;
  readonly warnings?: readonly string[];
  /** The webhook calls in order: path and operation, or complete reviews. */
  readonly calls: readonly unknown[];
}

export function createOutcome(
  flow: Flow,
  { code, body, warnings }: { readonly code: number; readonly body: Json; readonly warnings: readonly string[] },
  received: readonly ReceivedReview[],
  port: number,
): Outcome {
  // Ignores kube-apiserver's own writes.
  const receivedFromTest = received.filter(
    ({ review: { request } }) => !request['userInfo'] || (request['userInfo'] as Json)['username'] === 'admin',
  );
  const calls = receivedFromTest.map(({ url, review }) =>
    flow.completeReviews ? { url, review: normalize(review) } : `${url} ${String(review.request['operation'])}`,
  );
  // Validating webhooks are called concurrently, so their order is not deterministic.
  if (!flow.mutating) calls.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const outcome: Outcome = {
    code,
    ...(code >= 400 ? { failure: body } : pickResult(body)),
    ...(warnings.length > 0 && { warnings }),
    calls,
  };
  const uids = new Set(receivedFromTest.map(({ review }) => review.request.uid).filter(Boolean));
  let text = JSON.stringify(outcome).replaceAll(`:${port}`, `:${portPlaceholder}`);
  for (const uid of uids) text = text.replaceAll(uid, 'UID');
  return JSON.parse(text) as Outcome;
}

function pickResult(body: Json): { readonly object?: Json } {
  const { kind, metadata, data } = body as Json & { readonly metadata: Json };
  if (typeof kind !== 'string' || kind === 'Status' || kind.endsWith('List')) return {};
  const { name, namespace, labels, annotations } = metadata;
  return { object: { kind, name, namespace, labels, annotations, data } };
}

/** Replaces values that differ between runs and removes fields that do not concern admission. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !['managedFields', 'extra'].includes(key))
      .map(([key, each]) => [key, placeholders[key] && typeof each === 'string' ? placeholders[key](each) : normalize(each)]),
  );
}

const placeholders: Readonly<Record<string, (text: string) => string>> = {
  uid: (text) => (/^[0-9a-f]{8}-/.test(text) ? 'UID' : text),
  creationTimestamp: () => 'TIME',
  resourceVersion: () => 'VERSION',
};
