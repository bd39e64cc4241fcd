import type { WatchEvent } from 'kube-endpoints/port';
import { badRequest, parseFieldSelector } from '../store/index.ts';
import { type Call, keyOf, type Result } from './call.ts';
import { noAcceptableOutput } from './negotiation.ts';
import { boolOf, type ListQuery, listQuery } from './parameters.ts';
import { notSupported } from './refusals.ts';
import { linesOf, lineWriter } from './watches.ts';

/** Reads one object; of a subresource that is a view, what it shows. */
export async function get(call: Call): Promise<Result> {
  const { face, request, served, subresource } = call;
  const exported = request.query.get('export');
  if (exported !== null && boolOf(exported)) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const resourceVersion = request.query.get('resourceVersion') ?? '';
  const store = face.registry.storeFor(served.resource);
  if (resourceVersion !== '') await store.untilFresh(resourceVersion, request.signal);
  const object = store.get(served.resource, keyOf(call), { resourceVersion });
  return { object: subresource?.view?.show(object) ?? object };
}

/** Lists or watches, as the query says. */
export async function listOrWatch(call: Call): Promise<Result> {
  const query = withName(call, listQuery(call.request.query));
  return call.watch || query.watch ? watch(call, query) : list(call, query);
}

async function list(call: Call, query: ListQuery): Promise<Result> {
  const { face, request, served, namespace } = call;
  const store = face.registry.storeFor(served.resource);
  const parameters = { ...query, ...(namespace !== undefined && { namespace }) };
  const { resourceVersion = '' } = query;
  if (resourceVersion !== '') await untilFresh(call, resourceVersion);
  request.signal.throwIfAborted();
  return { list: store.list(served.resource, parameters) };
}

/** A version that is none is the list's to complain of. */
async function untilFresh({ face, request, served }: Call, resourceVersion: string): Promise<void> {
  await face.registry.storeFor(served.resource).untilFresh(resourceVersion, request.signal);
}

function watch(call: Call, { timeoutSeconds = 0, watch: _, limit: __, ...query }: ListQuery): Result {
  const { face, request, served, namespace, output } = call;
  if (!served.verbs.includes('watch')) throw notSupported(call.served.resource, 'watch');
  if (output.format !== 'json') throw noAcceptableOutput(true);
  if (timeoutSeconds < 0) return { stream: nothing() };
  const textOf = lineWriter(call);
  const events = face.registry.storeFor(served.resource).watch(served.resource, {
    ...query,
    ...(namespace !== undefined && { namespace }),
    timeoutSeconds: timeoutSeconds || defaultTimeout + face.randomness.draw(defaultTimeout),
    signal: request.signal,
  }) as AsyncIterator<WatchEvent>;
  return { stream: linesOf(call, events, textOf) };
}

/** The least number of seconds for which the real server watches, and by how many more at most: `minRequestTimeout`. */
const defaultTimeout = 1800;

/** The time of a watch can be over before it begins. */
async function* nothing(): AsyncGenerator<string, void, undefined> {}

/** A name in the path of a watch is as good as a selector. */
function withName({ name }: Call, query: ListQuery): ListQuery {
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
