import type { IncomingMessage } from 'node:http';
import type { AdmissionReview } from '../admission/review.ts';
import type { FailurePolicy, PolicyReason } from './options.ts';

/** How many bytes of bodies are held, over all requests. */
export interface Buffered {
  bytes: number;
}

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly buffered: number;
}

export type BodyOutcome = 'whole' | 'tooLarge' | 'overloaded' | 'cutShort';

/** A body as it arrives. */
export interface Body {
  /** Settles when its end is here. Of one that is beyond a limit nothing but the beginning is kept; the rest is read and thrown away. */
  readonly arrived: Promise<BodyOutcome>;
  /** All of it. To be asked for once, where it is whole. */
  text(): string;
  /** The uid of the review in it, as far as that has arrived. */
  uid(): string;
  /** Forgets it. */
  release(): void;
}

export function readBody(incoming: IncomingMessage, held: Buffered, limits: BodyLimits): Body {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let outcome: BodyOutcome = 'whole';
  const release = (): void => {
    held.bytes -= chunks.reduce((sum, { length }) => sum + length, 0);
    chunks = [];
  };
  const giveUp = (because: BodyOutcome): void => {
    outcome = because;
    // A copy, so that the rest is let go.
    const beginning = Buffer.from(Buffer.concat(chunks).subarray(0, beginningBytes));
    release();
    chunks = [beginning];
    held.bytes += beginning.length;
  };
  const arrived = new Promise<BodyOutcome>((resolve) => {
    incoming.on('data', (chunk: Uint8Array) => {
      if (outcome !== 'whole') return;
      size += chunk.length;
      chunks.push(chunk);
      held.bytes += chunk.length;
      if (size > limits.bodyBytes) giveUp('tooLarge');
      else if (held.bytes > limits.buffered) giveUp('overloaded');
    });
    incoming.once('end', () => resolve(outcome));
    incoming.once('close', () => resolve('cutShort'));
    // Which 'close' follows.
    incoming.on('error', () => undefined);
  });
  return {
    arrived,
    text: () => (chunks.length === 1 ? decoded(chunks[0] as Uint8Array) : decoded(Buffer.concat(chunks, size))),
    uid: () => uidIn(decoded(Buffer.concat(chunks).subarray(0, beginningBytes))),
    release,
  };
}

/** The uid is within. */
const beginningBytes = 4096;

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

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
