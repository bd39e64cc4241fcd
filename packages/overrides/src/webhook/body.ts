import type { IncomingMessage } from 'node:http';
import type { AdmissionReview } from '../admission/review.ts';
import type { FailurePolicy, PolicyReason } from './options.ts';

/** The bytes of request bodies in memory, over all requests. */
export interface Buffered {
  bytes: number;
}

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly buffered: number;
}

export type BodyOutcome = 'whole' | 'tooLarge' | 'overloaded' | 'cutShort';

/** A request body while it is received. */
export interface Body {
  /** Settles when the request ends. If a limit is exceeded, only the beginning is kept, and the rest is read and discarded. */
  readonly arrived: Promise<BodyOutcome>;
  /** The whole body. Call it once, and only if the outcome is "whole". */
  text(): string;
  /** The uid of the review, if it has been received. */
  uid(): string;
  /** Releases the memory. */
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
    // Copied, so that the rest of the memory is freed.
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
    // 'close' follows, and settles the promise.
    incoming.on('error', () => undefined);
  });
  return {
    arrived,
    text: () => (chunks.length === 1 ? decoded(chunks[0] as Uint8Array) : decoded(Buffer.concat(chunks, size))),
    uid: () => uidIn(decoded(Buffer.concat(chunks).subarray(0, beginningBytes))),
    release,
  };
}

/** Enough bytes to contain the uid. */
const beginningBytes = 4096;

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** The response to a review that rules were not applied to. */
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

/** The uid of a truncated or invalid review; empty if it is not found. API servers write it as the first field of the request. */
export const uidIn = (beginning: string): string => uid.exec(beginning)?.[1] ?? '';

const uid = /"request"\s*:\s*\{\s*"uid"\s*:\s*"([\w-]{1,64})"/;
