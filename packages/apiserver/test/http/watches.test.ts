import { beforeEach, expect, test } from 'vitest';
import { configMap, createFixture, eventsOf, type Fixture, type Json } from './support.ts';

const configMapsUrl = '/api/v1/namespaces/shop/configmaps';
const tableHeaders = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

let fixture: Fixture;
let stopController: AbortController;
beforeEach(async () => {
  fixture = await createFixture();
  stopController = new AbortController();
  for (const name of ['a', 'b']) await fixture.send('POST', configMapsUrl, { body: configMap(name) });
});

/** Opens a watch and returns its chunks. */
async function watch(query: string, headers: Readonly<Record<string, string>> = {}): Promise<AsyncIterator<string>> {
  return openWatch(`${configMapsUrl}?watch=1&${query}`, headers);
}

async function openWatch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<AsyncIterator<string>> {
  const answer = await fixture.ask('GET', path, { headers, signal: stopController.signal });
  if (answer?.code !== 200 || typeof answer.body !== 'object') throw new Error(`no watch at ${path}`);
  return (answer.body as AsyncIterable<string>)[Symbol.asyncIterator]();
}

const nextEvents = async (chunks: AsyncIterator<string>): Promise<Json[]> => eventsOf((await chunks.next()).value ?? '');
const summarize = (events: readonly Json[]): string[] => events.map(({ type, object }) => `${type} ${object.metadata.name}`);

test('a watch sends existing objects first, then changes', async () => {
  const chunks = await watch('');
  expect(summarize(await nextEvents(chunks))).toEqual(['ADDED a', 'ADDED b']);
  await fixture.send('PUT', `${configMapsUrl}/a`, { body: configMap('a', { data: { x: '1' } }) });
  expect(summarize(await nextEvents(chunks))).toEqual(['MODIFIED a']);
  await fixture.send('DELETE', `${configMapsUrl}/a`);
  expect(summarize(await nextEvents(chunks))).toEqual(['DELETED a']);
  stopController.abort();
  expect((await chunks.next()).done).toBe(true);
});

test('a watch sends events that are ready at the same time in one chunk', async () => {
  const chunks = await watch(`resourceVersion=${fixture.store.revision}`);
  for (const name of ['c', 'd', 'e']) await fixture.send('POST', configMapsUrl, { body: configMap(name) });
  expect(summarize(await nextEvents(chunks))).toEqual(['ADDED c', 'ADDED d', 'ADDED e']);
});

test('watches of the same resource send the same text for an event', async () => {
  const resourceVersion = fixture.store.revision;
  const [firstWatch, secondWatch] = [await watch(`resourceVersion=${resourceVersion}`), await watch(`resourceVersion=${resourceVersion}`)];
  await fixture.send('POST', configMapsUrl, { body: configMap('c') });
  const text = (await firstWatch.next()).value;
  expect((await secondWatch.next()).value).toBe(text);
  const { object } = JSON.parse(text);
  expect(object).toEqual((await fixture.send('GET', `${configMapsUrl}/c`)).json);
});

test('a watch from a compacted resourceVersion starts and ends with 410 Expired', async () => {
  fixture.store.compact(fixture.store.revision);
  const chunks = await watch('resourceVersion=1');
  expect(await nextEvents(chunks)).toEqual([
    {
      type: 'ERROR',
      object: expect.objectContaining({
        kind: 'Status',
        code: 410,
        reason: 'Expired',
        message: expect.stringMatching(/^too old resource version: 1 /),
      }),
    },
  ]);
  expect((await chunks.next()).done).toBe(true);
});

test('initial events end with a bookmark if sendInitialEvents is set', async () => {
  const chunks = await watch('sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan');
  const events = await nextEvents(chunks);
  expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
  expect(events[2].object).toEqual({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(fixture.store.revision), annotations: { 'k8s.io/initial-events-end': 'true' } },
  });
});

test('a watch ends after timeoutSeconds, by default within an hour', async () => {
  const shortWatch = await watch(`timeoutSeconds=5&resourceVersion=${fixture.store.revision}`);
  const longWatch = await watch(`resourceVersion=${fixture.store.revision}`);
  const [shortEnd, longEnd] = [shortWatch.next(), longWatch.next()];
  fixture.clock.advance(5000);
  expect((await shortEnd).done).toBe(true);
  // The default is a random time from 30 to 60 minutes.
  fixture.clock.advance(1_790_000);
  await fixture.send('POST', configMapsUrl, { body: configMap('c') });
  expect(summarize(eventsOf((await longEnd).value))).toEqual(['ADDED c']);
  const lastRead = longWatch.next();
  fixture.clock.advance(3_600_000);
  expect((await lastRead).done).toBe(true);
});

test.each([
  ['labelSelector=a%20in', 400],
  ['timeoutSeconds=x', 400],
  ['sendInitialEvents=true', 422],
  ['continue=abc', 422],
  ['resourceVersion=x', 500],
  ['fieldSelector=other%3D1', 400],
])('a watch with %s is refused', async (query, code) => {
  expect((await fixture.send('GET', `${configMapsUrl}?watch=true&${query}`)).code).toBe(code);
});

test('a watch as YAML is refused with 406', async () => {
  const { code, text } = await fixture.send('GET', `${configMapsUrl}?watch=true`, { headers: { accept: 'application/yaml' } });
  expect(code).toBe(406);
  expect(text).toContain('only the following media types are accepted: application/json;stream=watch');
});

test('a watch as Table sends the columns once', async () => {
  const chunks = await watch(
    'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&includeObject=None',
    tableHeaders,
  );
  const events = await nextEvents(chunks);
  expect(events.map(({ type, object }) => [type, object.kind, object.columnDefinitions?.length, object.rows[0].cells[0]])).toEqual([
    ['ADDED', 'Table', 3, 'a'],
    ['ADDED', 'Table', undefined, 'b'],
    ['BOOKMARK', 'Table', undefined, ''],
  ]);
  expect(events[0].object.rows[0].object).toBeNull();
  expect(events[2].object.rows[0].object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  const rejectedAnswer = await fixture.send('GET', `${configMapsUrl}?watch=1&includeObject=x`, { headers: tableHeaders });
  expect(rejectedAnswer.code).toBe(400);
});

test('a watch can be limited to PartialObjectMetadata', async () => {
  const chunks = await watch('', { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
  const [first] = await nextEvents(chunks);
  expect([first.object.kind, first.object.metadata.name]).toEqual(['PartialObjectMetadata', 'a']);
});

test('the deprecated watch paths watch one object or all', async () => {
  const collect = async (path: string): Promise<string[]> => summarize(await nextEvents(await openWatch(path)));
  expect(await collect('/api/v1/watch/namespaces/shop/configmaps')).toEqual(['ADDED a', 'ADDED b']);
  expect(await collect('/api/v1/watch/namespaces/shop/configmaps/b')).toEqual(['ADDED b']);
  expect(await collect('/api/v1/watch/namespaces/shop')).toEqual(['ADDED shop']);
  const refusedAnswer = await fixture.send('GET', '/api/v1/watch/namespaces/shop/configmaps/b?fieldSelector=metadata.name%3Da');
  expect([refusedAnswer.code, refusedAnswer.json.message]).toEqual([400, "fieldSelector metadata.name doesn't match requested name"]);
});

test('a watch releases its timers when the reader stops', async () => {
  const chunks = await watch('');
  await chunks.next();
  expect((await chunks.return?.())?.done).toBe(true);
  expect(fixture.clock.scheduled).toBe(0);
});

test('a watch with negative timeoutSeconds is empty', async () => {
  expect((await fixture.send('GET', `${configMapsUrl}?watch=1&timeoutSeconds=-1`)).text).toBe('');
});
