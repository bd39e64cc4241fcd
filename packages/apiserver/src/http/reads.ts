import { ApiError, type ApiObject, type WatchEvent } from 'kube-endpoints/port';
import { encodeProtobuf, encodeWatchEvent } from '../protobuf/index.ts';
import { keyOf } from '../registry/metadata.ts';
import { badRequest, parseFieldSelector } from '../store/index.ts';
import { encodePartialObject, encodeTable, parseIncludeObject } from './answers.ts';
import { type Call, formatEventLine, type Result } from './call.ts';
import { createVerbNotSupportedError } from './errors.ts';
import { createNoAcceptableOutputError, type Output } from './negotiation.ts';
import { type ListQuery, parseBool, parseListQuery } from './parameters.ts';

/** Reads one object, or its representation by a subresource such as scale. */
export async function get(call: Call): Promise<Result> {
  const { context, request, servedResource, subresource } = call;
  const exportParameter = request.query.get('export');
  if (exportParameter !== null && parseBool(exportParameter))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const resourceVersion = request.query.get('resourceVersion') ?? '';
  const store = context.registry.storeFor(servedResource.resource);
  if (resourceVersion !== '') await store.waitUntilFresh(resourceVersion, request.signal);
  const { conversions } = context.registry;
  const object = await conversions.run(() => store.get(servedResource.resource, keyOf(call), { resourceVersion }));
  return { object: subresource?.view?.show(object) ?? object };
}

/** Lists or watches, depending on the query and path. */
export async function listOrWatch(call: Call): Promise<Result> {
  const query = withNameSelector(call, parseListQuery(call.request.query));
  return call.isWatchPath || query.watch ? watch(call, query) : list(call, query);
}

async function list(call: Call, query: ListQuery): Promise<Result> {
  const { context, request, servedResource, namespace } = call;
  const store = context.registry.storeFor(servedResource.resource);
  const parameters = { ...query, ...(namespace !== undefined && { namespace }) };
  const { resourceVersion = '' } = query;
  if (resourceVersion !== '') await waitUntilFresh(call, resourceVersion);
  request.signal.throwIfAborted();
  return { list: await context.registry.conversions.run(() => store.list(servedResource.resource, parameters)) };
}

/** Waits until the store has reached resourceVersion. The list reports a malformed version. */
async function waitUntilFresh({ context, request, servedResource }: Call, resourceVersion: string): Promise<void> {
  await context.registry.storeFor(servedResource.resource).waitUntilFresh(resourceVersion, request.signal);
}

function watch(call: Call, { timeoutSeconds = 0, watch: _, limit: __, ...query }: ListQuery): Result {
  const { context, request, servedResource, namespace, output } = call;
  if (!servedResource.verbs.includes('watch')) throw createVerbNotSupportedError(call.servedResource.resource, 'watch');
  if (output.format === 'yaml') throw createNoAcceptableOutputError(true);
  if (timeoutSeconds < 0) return { stream: yieldNoEvents() };
  const isListRequested = output.transform?.kind === 'PartialObjectMetadataList';
  const encodeEvent = isListRequested ? undefined : createEventEncoder(call);
  const events = context.registry.storeFor(servedResource.resource).watch(servedResource.resource, {
    ...query,
    ...(namespace !== undefined && { namespace }),
    timeoutSeconds: timeoutSeconds || defaultTimeoutSeconds + context.randomness.draw(defaultTimeoutSeconds),
    signal: request.signal,
  }) as AsyncIterator<WatchEvent>;
  return { stream: encodeEvent ? encodeEvents(call, events, encodeEvent) : endAtFirstEvent(call, events) };
}

/** Seconds. The default timeout of a watch is random between this value and twice this value: `minRequestTimeout`. */
const defaultTimeoutSeconds = 1800;

/** Creates the body of a watch as lists of metadata. As upstream, such a watch ends at its first event, because an object is no list. */
async function* endAtFirstEvent({ request }: Call, events: AsyncIterator<WatchEvent>): AsyncGenerator<never, void, undefined> {
  try {
    await events.next();
  } catch (error) {
    if (!request.signal.aborted) throw error;
  } finally {
    await events.return?.();
  }
  yield* yieldNoEvents();
}

/** Creates the body of a watch with a negative timeout, which ends at once. */
async function* yieldNoEvents(): AsyncGenerator<never, void, undefined> {}

/** Converts the name in a watch path to a field selector. @throws ApiError BadRequest if the query selects a different name */
function withNameSelector({ name }: Call, query: ListQuery): ListQuery {
  if (name === '') return query;
  const { fieldSelector = '' } = query;
  const parsedSelector = parseFieldSelector(fieldSelector);
  if (parsedSelector.problem !== undefined) throw badRequest(parsedSelector.problem);
  const nameRequirement = parsedSelector.requirements.find(({ field, equal }) => equal && field === 'metadata.name');
  if (parsedSelector.requirements.length > 0 && nameRequirement?.value !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return parsedSelector.requirements.length > 0 ? query : { ...query, fieldSelector: `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}` };
}

/** Maximum size of a chunk, in characters or bytes; limits the memory that a slow client can occupy. */
const maxChunkSize = 256 * 1024;

/**
 * Encodes the events of a watch. Events that are ready at the same time are sent in one chunk, which contains only complete events.
 *
 * If the watch fails with an ApiError, the error is sent as a last event of type ERROR, because the headers are already sent.
 */
export async function* encodeEvents(
  { context, request, output }: Pick<Call, 'context' | 'request' | 'output'>,
  events: AsyncIterator<WatchEvent>,
  encodeEvent: EventEncoder,
): AsyncGenerator<EncodedEvent, void, undefined> {
  try {
    let result = await events.next();
    while (!result.done) {
      const chunk = [encodeEvent(result.value)];
      let size = (chunk[0] as EncodedEvent).length;
      await context.waitForFlush();
      let nextResult = events.next();
      let readyResult = await peekValue(nextResult);
      while (readyResult && !readyResult.done && size < maxChunkSize) {
        const encodedEvent = encodeEvent(readyResult.value);
        chunk.push(encodedEvent);
        size += encodedEvent.length;
        nextResult = events.next();
        readyResult = await peekValue(nextResult);
      }
      yield joinEvents(chunk);
      result = readyResult ?? (await nextResult);
    }
  } catch (error) {
    if (request.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    yield encodeError(output, error);
  } finally {
    await events.return?.();
  }
}

/** A line of JSON, or a frame of protobuf. */
type EncodedEvent = string | Uint8Array;

/** Joins events of the same format. */
function joinEvents(events: readonly EncodedEvent[]): EncodedEvent {
  if (events.length === 1) return events[0] as EncodedEvent;
  return typeof events[0] === 'string' ? events.join('') : Buffer.concat(events as readonly Uint8Array[]);
}

const encodeError = ({ format }: Output, { status }: ApiError): EncodedEvent =>
  format === 'protobuf' ? encodeWatchEvent('ERROR', encodeProtobuf(status)) : formatEventLine('ERROR', JSON.stringify(status));

/**
 * Returns the value of a promise if it is already fulfilled, otherwise undefined. Rejections are left to the caller that awaits the
 * promise.
 */
async function peekValue<T>(promise: Promise<T>): Promise<T | undefined> {
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

type EventEncoder = (event: WatchEvent) => EncodedEvent;

/**
 * Returns the encoder for the representation that the client requests.
 * @throws ApiError BadRequest for an invalid includeObject
 */
function createEventEncoder(call: Call): EventEncoder {
  const { jsonEncoder, protobufEncoder } = call.context;
  const { format, transform } = call.output;
  if (transform === undefined) return format === 'protobuf' ? protobufEncoder.encodeEvent : jsonEncoder.encodeEvent;
  if (format === 'protobuf') {
    const apiVersion = `meta.k8s.io/${transform.version}`;
    return ({ type, object }) => encodeWatchEvent(type, protobufEncoder.encodePartialObject(object, apiVersion));
  }
  const encode = createObjectEncoder(call, transform);
  return ({ type, object }) => formatEventLine(type, encode(object));
}

function createObjectEncoder(call: Call, { kind, version }: NonNullable<Output['transform']>): (object: ApiObject) => string {
  const apiVersion = `meta.k8s.io/${version}`;
  if (kind === 'PartialObjectMetadata') return (object) => encodePartialObject(object, apiVersion);
  const includeObject = parseIncludeObject(call.request.query);
  // Only the first event contains the column definitions.
  let hasColumnDefinitions = true;
  return (object) => {
    const { resourceVersion } = object.metadata;
    const now = new Date(call.context.clock.now());
    const options = { apiVersion, includeObject, now, hasColumnDefinitions, encodeObject: call.context.jsonEncoder.encodeObject };
    hasColumnDefinitions = false;
    return encodeTable(call.servedResource, { items: [object], metadata: { resourceVersion } }, options);
  };
}
