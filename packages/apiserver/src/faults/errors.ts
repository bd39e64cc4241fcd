import type { ApiError, Resource } from 'kube-endpoints/port';
import { internalError } from '../registry/errors.ts';
import { failure } from '../store/errors.ts';
import { conflict, expired } from '../store/index.ts';
import type { Call } from './call.ts';
import type { CallFault, FaultOf } from './rule.ts';

/** The error of Node.js for a connection that the peer reset. */
export interface BrokenConnection extends Error {
  readonly code: 'ECONNRESET';
  readonly errno: number;
  readonly syscall: string;
}

export const createBrokenConnection = (): BrokenConnection =>
  Object.assign(new Error('read ECONNRESET'), { errno: -104, code: 'ECONNRESET', syscall: 'read' } as const);

/** An error answer with kube-apiserver's message. */
export interface ErrorAnswer {
  readonly error: ApiError;
  /** Seconds in the Retry-After header. */
  readonly retryAfter?: number;
  /** Whether a watch starts and then receives the error as an event. */
  readonly asEvent?: boolean;
}

/** Creates the error answer of a fault. Returns undefined if the fault causes no error answer. */
export function createErrorAnswer(fault: CallFault, call: Call): ErrorAnswer | undefined {
  return errorAnswerFactories[fault.fault]?.(fault as never, call);
}

type CreateErrorAnswer<Kind extends CallFault['fault']> = (fault: FaultOf<Kind>, call: Call) => ErrorAnswer;

const errorAnswerFactories: { readonly [Kind in CallFault['fault']]?: CreateErrorAnswer<Kind> } = {
  expired: (_, { resourceVersion = '' }) => {
    const error = expired(`too old resource version: ${resourceVersion} (${Number(resourceVersion) + 1})`);
    return { error, asEvent: true };
  },
  conflict: (_, { resource, name = '' }) => {
    const message = 'the object has been modified; please apply your changes to the latest version and try again';
    return { error: conflict(resource as Resource, name, message) };
  },
  tooManyRequests: ({ retryAfterSeconds = 1 }) => {
    const message = 'Too many requests, please try again later.';
    return { error: failure(429, 'TooManyRequests', message, { retryAfterSeconds }), retryAfter: retryAfterSeconds };
  },
  internalError: ({ message = 'an injected fault' }) => ({
    error: internalError(message),
  }),
  // As upstream, only the Retry-After header has a delay, not the Status.
  unavailable: () => ({ error: failure(503, 'ServiceUnavailable', 'apiserver is shutting down'), retryAfter: 1 }),
  timeout: () => ({ error: failure(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout', {}) }),
};
