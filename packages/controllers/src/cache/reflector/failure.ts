import { ApiError } from 'kube-endpoints/port';

/** Whether a version is too old to go on from, or a page's snapshot is gone. 1.17 says Gone in places where later releases say Expired. */
export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');

/**
 * Whether a watch cannot go on from where it was, so that all has to be listed again: the version is too old, or one that the
 * server has never had, as after a restore, or the server does not understand it.
 *
 * Mirrors isExpiredError and isTooLargeResourceVersionError (client-go 1.36, tools/cache/reflector.go).
 */
export const needsList = (error: unknown): boolean =>
  isExpired(error) || (error instanceof ApiError && (isTooLarge(error) || error.code === 400 || error.code === 422));

/** Whether a server does not serve lists as watches: it knows the option and has it off, or takes it for a mistake. */
export const refusesStreams = (error: unknown): boolean => error instanceof ApiError && [400, 405, 406, 422].includes(error.code);

/** How many milliseconds a server asks to be left alone for. What it can ask for is bounded, so that no answer stops a cache for good. */
export function retryAfterOf(error: unknown): number {
  const seconds = error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) : 0;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 0), longestRetryAfter) : 0;
}

const longestRetryAfter = 300_000;

/** What did not come in time. */
export function timeoutError(message: string): Error {
  const error = new Error(message);
  error.name = 'TimeoutError';
  return error;
}

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

const isTooLarge = ({ status }: ApiError): boolean =>
  status.details?.causes?.some(({ reason, message }) => reason === 'ResourceVersionTooLarge' || message === tooLarge) === true ||
  (status.code === 504 && status.message?.includes(tooLarge) === true);

const tooLarge = 'Too large resource version';
