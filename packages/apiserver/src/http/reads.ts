import { ApiError, type ApiObject, type WatchEvent } from 'kube-endpoints/port';
import { keyOf } from '../registry/metadata.ts';
import { badRequest, parseFieldSelector } from '../store/index.ts';
import { parseIncludeObject, partialText, tableText } from './answers.ts';
import { type Call, eventText, type Result } from './call.ts';
import { notSupported } from './errors.ts';
import { noAcceptableOutput, notAcceptable, type Output } from './negotiation.ts';
import { type ListQuery, parseBool, parseListQuery } from './parameters.ts';

/** Reads one object, or its representation by a subresource such as scale. */
export async function get(call: Call): Promise<Result> {
  const { context, request, served, subresource } = call;
  const exportParameter = request.query.get('export');
  if (exportParameter !== null && parseBool(exportParameter))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const resourceVersion = request.query.get('resourceVersion') ?? '';
  const store = context.registry.storeFor(served.resource);
  if (resourceVersion !== '') await store.untilFresh(resourceVersion, request.signal);
  const object = store.get(served.resource, keyOf(call), { resourceVersion });
  return { object: subresource?.view?.show(object) ?? object };
}

/** Lists or watches, depending on the query and path. */
export async function listOrWatch(call: Call): Promise<Result> {
  const query = withNameSelector(call, parseListQuery(call.request.query));
  return call.watchPath || query.watch ? watch(call, query) : list(call, query);
}

async function list(call: Call, query: ListQuery): Promise<Result> {
  const { context, request, served, namespace } = call;
  const store = context.registry.storeFor(served.resource);
  const parameters = { ...query, ...(namespace !== undefined && { namespace }) };
  const { resourceVersion = '' } = query;
  if (resourceVersion !== '') await untilFresh(call, resourceVersion);
  request.signal.throwIfAborted();
  return { list: store.list(served.resource, parameters) };
}

/** Waits until the store has reached resourceVersion. The list reports a malformed version. */
async function untilFresh({ context, request, served }: Call, resourceVersion: string): Promise<void> {
  await context.registry.storeFor(served.resource).untilFresh(resourceVersion, request.signal);
}

function watch(call: Call, { timeoutSeconds = 0, watch: _, limit: __, ...query }: ListQuery): Result {
  const { context, request, served, namespace, output } = call;
  if (!served.verbs.includes('watch')) throw notSupported(call.served.resource, 'watch');
  if (output.format !== 'json') throw noAcceptableOutput(true);
  if (timeoutSeconds < 0) return { stream: noEvents() };
  const textOf = createLineWriter(call);
  const events = context.registry.storeFor(served.resource).watch(served.resource, {
    ...query,
    ...(namespace !== undefined && { namespace }),
    timeoutSeconds: timeoutSeconds || defaultTimeoutSeconds + context.randomness.draw(defaultTimeoutSeconds),
    signal: request.signal,
  }) as AsyncIterator<WatchEvent>;
  return { stream: encodeLines(call, events, textOf) };
}

/** Seconds. The default timeout of a watch is random between this value and twice this value: `minRequestTimeout`. */
const defaultTimeoutSeconds = 1800;

/** The events of a watch with a negative timeout. */
async function* noEvents(): AsyncGenerator<string, void, undefined> {}

/** Converts the name in a watch path to a field selector. @throws ApiError BadRequest if the query selects another name */
function withNameSelector({ name }: Call, query: ListQuery): ListQuery {
  if (name === '') return query;
  const { fieldSelector = '' } = query;
  const parsed = parseFieldSelector(fieldSelector);
  if (parsed.problem !== undefined) throw badRequest(parsed.problem);
  const selected = parsed.requirements.find(({ field, equal }) => equal && field === 'metadata.name');
  if (parsed.requirements.length > 0 && selected?.value !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return parsed.requirements.length > 0 ? query : { ...query, fieldSelector: `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}` };
}

/** Maximum characters per chunk; limits the memory that a slow client can occupy. */
const maxChunkCharacters = 256 * 1024;

/**
 * The lines of a watch. Events that are ready at the same time are sent in one chunk.
 *
 * If the watch fails with an ApiError, it is sent as a last event of type ERROR, because the headers are already sent.
 */
export async function* encodeLines(
  { context, request }: Pick<Call, 'context' | 'request'>,
  events: AsyncIterator<WatchEvent>,
  textOf: LineWriter,
): AsyncGenerator<string, void, undefined> {
  try {
    let result = await events.next();
    while (!result.done) {
      let chunk = textOf(result.value);
      await context.nextFlush();
      let nextResult = events.next();
      let ready = await valueIfFulfilled(nextResult);
      while (ready && !ready.done && chunk.length < maxChunkCharacters) {
        chunk += textOf(ready.value);
        nextResult = events.next();
        ready = await valueIfFulfilled(nextResult);
      }
      yield chunk;
      result = ready ?? (await nextResult);
    }
  } catch (error) {
    if (request.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    yield eventText('ERROR', JSON.stringify(error.status));
  } finally {
    await events.return?.();
  }
}

/** The value of a promise if it is already fulfilled, otherwise undefined. Rejections are left to the caller that awaits it. */
async function valueIfFulfilled<T>(promise: Promise<T>): Promise<T | undefined> {
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

type LineWriter = (event: WatchEvent) => string;

/**
 * Returns the encoder for the representation that the client requests.
 * @throws ApiError BadRequest for an invalid includeObject; NotAcceptable for PartialObjectMetadataList
 */
function createLineWriter(call: Call): LineWriter {
  const { texts } = call.context;
  const { transform } = call.output;
  if (transform === undefined) return texts.encodeEvent;
  const encode = createTransformer(call, transform);
  return ({ type, object }) => eventText(type, encode(object));
}

function createTransformer(call: Call, { kind, version }: NonNullable<Output['transform']>): (object: ApiObject) => string {
  const apiVersion = `meta.k8s.io/${version}`;
  if (kind === 'PartialObjectMetadata') return (object) => partialText(object, apiVersion);
  if (kind !== 'Table') throw notAcceptable(`you requested ${kind}, but the requested object is not a list`);
  const include = parseIncludeObject(call.request.query);
  // Only the first event contains the column definitions.
  let columns = true;
  return (object) => {
    const { resourceVersion } = object.metadata;
    const now = new Date(call.context.clock.now());
    const options = { apiVersion, include, now, columns, textOf: call.context.texts.encodeObject };
    columns = false;
    return tableText(call.served, { items: [object], metadata: { resourceVersion } }, options);
  };
}
