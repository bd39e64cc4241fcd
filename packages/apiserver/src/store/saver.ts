import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import { failure, status500 } from './errors.ts';
import type { Journal, SavedWrite } from './journal.ts';
import type { LogEvent } from './records.ts';
import { publish, rollback, type Saver, type StoreState } from './state.ts';

/** Limits of the writes that wait to be saved, because a journal may be slower than the clients, or hang. */
const maxPendingWrites = 10_000;
const maxPendingBytes = 64 * 2 ** 20;

/**
 * Creates the saver of a store. Writes that arrive while others are being saved form the next batch, so that many clients share the cost of
 * one call of the journal. Writes of the same synchronous steps are in one batch.
 *
 * If a batch cannot be saved, it is undone together with all later writes, which may depend on it.
 */
export function createSaver(state: StoreState, journal: Journal): Saver {
  let isRunning = false;
  let isRequested = false;
  let currentBatch: Batch | undefined;
  let nextBatch: Batch | undefined;
  const saveBatch = async (batch: Batch): Promise<void> => {
    const { log } = state;
    const end = log.nextEventNumber;
    try {
      await journal.save(listWrites(state, end), log.compactedRevision);
    } catch (error) {
      rollback(state, state.publishedEventNumber);
      const refusal = error instanceof ApiError ? error : status500(`the write could not be saved: ${messageOf(error)}`);
      batch.reject(refusal);
      nextBatch?.reject(refusal);
      nextBatch = undefined;
      isRequested = false;
      return;
    }
    publish(state, end);
    batch.resolve();
  };
  const run = async (): Promise<void> => {
    while (isRequested) {
      isRequested = false;
      currentBatch = nextBatch ?? createBatch();
      nextBatch = undefined;
      await saveBatch(currentBatch);
      currentBatch = undefined;
    }
    isRunning = false;
  };
  return {
    request() {
      isRequested = true;
      nextBatch ??= createBatch();
      if (isRunning) return;
      isRunning = true;
      // The requests that arrive in the same turn of the event loop share the first batch.
      setImmediate(() => void run());
    },
    waitUntilSaved: () => (nextBatch ?? currentBatch)?.promise,
    requireRoom() {
      const pendingCount = state.log.nextEventNumber - state.publishedEventNumber;
      if (pendingCount < maxPendingWrites && state.pendingBytes < maxPendingBytes) return;
      throw failure(429, 'TooManyRequests', 'too many writes wait to be saved: try again later', { retryAfterSeconds: 1 });
    },
  };
}

interface Batch {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function createBatch(): Batch {
  const batch: Batch = Promise.withResolvers<void>();
  // Background work does not wait for its writes.
  batch.promise.catch(() => undefined);
  return batch;
}

/** The writes that are not published yet, before the event number `end`. */
function listWrites({ log, publishedEventNumber }: StoreState, end: number): SavedWrite[] {
  const writes: SavedWrite[] = [];
  for (let number = publishedEventNumber; number < end; number++) writes.push(toSavedWrite(log.at(number)));
  return writes;
}

const toSavedWrite = ({ table: { resource }, key, revision, current }: LogEvent): SavedWrite => ({
  resource,
  key,
  revision,
  ...(current && { object: current.object }),
});
