import { ApiError, type ApiObject, type WatchEvent } from 'kube-endpoints/port';
import type { Call } from './call.ts';
import { notAcceptable, type Output } from './negotiation.ts';
import { includedObjects, partialText, tableText } from './tables.ts';
import { eventText } from './texts.ts';

/** How many characters of events are put together at most, so that a slow client does not make the server hold more. */
const chunkSize = 256 * 1024;

/**
 * The lines of a watch. Events that are ready together come together.
 *
 * An error that the watch ends with is its last event, for the answer has begun by then.
 */
export async function* linesOf(
  { face, request }: Pick<Call, 'face' | 'request'>,
  events: AsyncIterator<WatchEvent>,
  textOf: LineWriter,
): AsyncGenerator<string, void, undefined> {
  try {
    let result = await events.next();
    while (!result.done) {
      let chunk = textOf(result.value);
      await face.nextTurn();
      let pending = events.next();
      let ready = await settled(pending);
      while (ready && !ready.done && chunk.length < chunkSize) {
        chunk += textOf(ready.value);
        pending = events.next();
        ready = await settled(pending);
      }
      yield chunk;
      result = ready ?? (await pending);
    }
  } catch (error) {
    if (request.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    yield eventText('ERROR', JSON.stringify(error.status));
  } finally {
    await events.return?.();
  }
}

/** What a promise has come to already; undefined where it has not. An error is left to whoever waits for it. */
async function settled<T>(promise: Promise<T>): Promise<T | undefined> {
  let value: T | undefined;
  promise.then(
    (result) => {
      value = result;
    },
    () => {},
  );
  await undefined;
  return value;
}

export type LineWriter = (event: WatchEvent) => string;

/** Puts events into the words that the client wants. @throws ApiError BadRequest, NotAcceptable */
export function lineWriter(call: Call): LineWriter {
  const { texts } = call.face;
  const { as } = call.output;
  if (as === undefined) return texts.ofEvent;
  const transform = transformer(call, as);
  return ({ type, object }) => eventText(type, transform(object));
}

function transformer(call: Call, { kind, version }: NonNullable<Output['as']>): (object: ApiObject) => string {
  const apiVersion = `meta.k8s.io/${version}`;
  if (kind === 'PartialObjectMetadata') return (object) => partialText(object, apiVersion);
  if (kind !== 'Table') throw notAcceptable(`you requested ${kind}, but the requested object is not a list`);
  const include = includedObjects(call.request.query);
  let columns = true;
  return (object) => {
    const { resourceVersion } = object.metadata;
    const now = new Date(call.face.clock.now());
    const options = { apiVersion, include, now, columns, textOf: call.face.texts.of };
    columns = false;
    return tableText(call.served, { items: [object], metadata: { resourceVersion } }, options);
  };
}
