import { ApiError, type ApiObject, type CallOptions, type ClientPort, resources } from '../../port/index.ts';
import type { RuntimeClock } from '../clock.ts';
import type { Correlated } from './correlate.ts';

/** What became of one try to write an Event. */
export type Attempt =
  | { readonly result: 'created' | 'patched'; readonly written: ApiObject }
  /** The server will not have it. */
  | { readonly result: 'refused'; readonly error: ApiError }
  /** The server says when to come again, in milliseconds. */
  | { readonly result: 'busy'; readonly error: ApiError; readonly after: number }
  /** No answer. */
  | { readonly result: 'failed'; readonly error: unknown };

/** Milliseconds without an answer after which a try has failed. */
const patience = 30_000;

/**
 * Patches an Event that was written before, creates it where it is new or gone.
 *
 * Mirrors recordEvent (1.36, client-go/tools/record/event.go), and what its client makes of a Retry-After (rest/with_retry.go).
 */
export async function attempt(port: ClientPort, clock: RuntimeClock, { event, patch }: Correlated): Promise<Attempt> {
  try {
    if (patch !== undefined) {
      const written = await withPatience(clock, (options) =>
        port.patch(resources.events, event.metadata, patch, { ...options, type: 'strategic' }),
      ).catch(unlessGone);
      if (written) return { result: 'patched', written };
    }
    return { result: 'created', written: await withPatience(clock, (options) => port.create(resources.events, event, options)) };
  } catch (error) {
    if (!(error instanceof ApiError)) return { result: 'failed', error };
    const after = retryAfter(error);
    return after === undefined ? { result: 'refused', error } : { result: 'busy', error, after };
  }
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 404)) throw error;
}

function retryAfter({ code, status }: ApiError): number | undefined {
  const seconds = status.details?.retryAfterSeconds;
  return (code === 429 || code >= 500) && seconds !== undefined ? seconds * 1000 : undefined;
}

/** A call that is ended, and has failed, when there is no answer for too long, whether or not it heeds its signal. */
async function withPatience<T>(clock: RuntimeClock, call: (options: CallOptions) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const alarm = clock.schedule(() => {
    const error = new Error(`no answer within ${patience / 1000} s`);
    reject(error);
    controller.abort(error);
  }, patience);
  try {
    return await Promise.race([call({ signal: controller.signal }), promise]);
  } finally {
    alarm.cancel();
  }
}
