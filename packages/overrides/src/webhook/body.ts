import type { IncomingMessage } from 'node:http';
import type { AdmissionReview } from '../admission/review.ts';
import type { FailurePolicy, PolicyReason } from './options.ts';

/** The total bytes of request bodies in memory. */
export interface BufferUsage {
  bytes: number;
}

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly buffered: number;
}

export type BodyOutcome = 'complete' | 'tooLarge' | 'overloaded' | 'aborted';

/** A request body while it is received. */
export interface RequestBody {
  /** Resolves when the request ends or is aborted. If a limit is exceeded, only the beginning is stored, and the rest is discarded. */
  readonly completed: Promise<BodyOutcome>;
  /** Decodes the body as text. Call it once, and only if the outcome is "complete". */
  decode(): string;
  /** Finds the uid of the review; empty if the uid has not been received. */
  findUid(): string;
  /** Releases the memory. */
  release(): void;
}

export function readBody(incoming: IncomingMessage, bufferUsage: BufferUsage, limits: BodyLimits): RequestBody {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let outcome: BodyOutcome = 'complete';
  const release = (): void => {
    bufferUsage.bytes -= chunks.reduce((sum, { length }) => sum + length, 0);
    chunks = [];
  };
  const keepBeginning = (failure: BodyOutcome): void => {
    outcome = failure;
    // Copies the bytes, so that the memory of the chunks is freed.
    const beginning = Buffer.from(Buffer.concat(chunks).subarray(0, beginningBytes));
    release();
    chunks = [beginning];
    bufferUsage.bytes += beginning.length;
  };
  const completed = new Promise<BodyOutcome>((resolve) => {
    incoming.on('data', (chunk: Uint8Array) => {
      if (outcome !== 'complete') return;
      size += chunk.length;
      chunks.push(chunk);
      bufferUsage.bytes += chunk.length;
      if (size > limits.bodyBytes) keepBeginning('tooLarge');
      else if (bufferUsage.bytes > limits.buffered) keepBeginning('overloaded');
    });
    incoming.once('end', () => resolve(outcome));
    incoming.once('close', () => resolve('aborted'));
    // The 'close' event follows and resolves the promise.
    incoming.on('error', () => undefined);
  });
  return {
    completed,
    decode: () => (chunks.length === 1 ? decodeText(chunks[0] as Uint8Array) : decodeText(Buffer.concat(chunks, size))),
    findUid: () => findUid(decodeText(Buffer.concat(chunks).subarray(0, beginningBytes))),
    release,
  };
}

/** Enough bytes to contain the uid. */
const beginningBytes = 4096;

const decodeText = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** Creates the response of the failure policy. */
export function createPolicyReview(uid: string, policy: FailurePolicy, reason: PolicyReason, problem: string): AdmissionReview {
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

/** Finds the uid of a truncated or invalid review; empty if there is none. API servers write it as the first field of the request. */
export const findUid = (beginning: string): string => uidPattern.exec(beginning)?.[1] ?? '';

const uidPattern = /"request"\s*:\s*\{\s*"uid"\s*:\s*"([\w-]{1,64})"/;
