import { ApiError, type ApiObject, type ClientPort, resources, type SteadyClock } from 'kube-endpoints/port';
import { callWithin, type Deadline } from '../deadline.ts';
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
 * @param signal ends the try: it has failed then
 */
export async function attempt(port: ClientPort, clock: SteadyClock, { event, patch }: Correlated, signal?: AbortSignal): Promise<Attempt> {
  const within: Deadline = { clock, milliseconds: patience, signal, late: () => new Error(`no answer within ${patience / 1000} s`) };
  try {
    if (patch !== undefined) {
      const written = await callWithin(within, (signal) =>
        port.patch(resources.events, event.metadata, patch, { signal, type: 'strategic' }),
      ).catch(unlessGone);
      if (written) return { result: 'patched', written };
    }
    return { result: 'created', written: await callWithin(within, (signal) => port.create(resources.events, event, { signal })) };
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
