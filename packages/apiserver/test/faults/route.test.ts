import { expect, it } from 'vitest';
import { createFaults, type FaultsOptions } from '../../src/faults/index.ts';
import type { HttpAnswer, HttpRequest, Route } from '../../src/http/exchange.ts';
import { parseRequestInfo } from '../../src/http/request-info.ts';
import { encodeProtobuf, encodeWatchEvent } from '../../src/protobuf/index.ts';
import { createClock, isSettled } from '../store/support.ts';
import { outcomeOf } from './support.ts';

const signal = new AbortController().signal;

function createRequest(line: string, fields: Partial<HttpRequest> = {}): HttpRequest {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query] = url.split('?');
  const user = { username: 'system:admin', groups: [] };
  const parameters = new URLSearchParams(query);
  const info = parseRequestInfo(method, path, () => parameters.has('watch'));
  return { method, path, query: parameters, info, headers: {}, user, signal, body: async () => new Uint8Array(), ...fields };
}

/** Creates a route with faults that answers paths under /api/v1 and /version; watches deliver `chunks`. */
function createRoute(options: FaultsOptions = {}, chunks: readonly (string | Uint8Array)[] = []) {
  const requests: string[] = [];
  const body = async function* (): AsyncIterable<string | Uint8Array> {
    yield* chunks;
  };
  const inner: Route = ({ method, path, query }) => {
    if (!path.startsWith('/api/v1/') && path !== '/version') return undefined;
    requests.push(`${method} ${path}`);
    return { code: 200, headers: {}, body: query.has('watch') ? body() : 'whole' };
  };
  const clock = createClock();
  const faults = createFaults({ clock, ...options });
  return { requests, clock, faults, route: faults.route(inner) };
}

async function readChunks({ body }: HttpAnswer): Promise<(string | Uint8Array)[]> {
  const chunks: (string | Uint8Array)[] = [];
  try {
    for await (const chunk of body as AsyncIterable<string | Uint8Array>) chunks.push(chunk);
  } catch (error) {
    chunks.push((error as { readonly code: string }).code);
  }
  return chunks;
}

it('passes on requests to unknown paths and requests without faults', async () => {
  const { route } = createRoute();
  expect(route(createRequest('GET /metrics'))).toBeUndefined();
  expect(route(createRequest('GET /apis/apps/v1/deployments'))).toBeUndefined();
  expect(await route(createRequest('GET /version'))).toMatchObject({ code: 200, body: 'whole' });
  expect(await route(createRequest('GET /api/v1/pods'))).toMatchObject({ code: 200, body: 'whole' });
});

it('answers with a Status in JSON, and with Retry-After if the fault has a delay', async () => {
  const rules = [
    { fault: 'tooManyRequests', retryAfterSeconds: 7, verbs: ['update'] },
    { fault: 'unavailable', verbs: ['list'] },
    { fault: 'conflict', verbs: ['delete'] },
  ] as const;
  const { route, requests } = createRoute({ rules });
  const tooManyRequests = (await route(createRequest('PUT /api/v1/namespaces/shop/pods/web'))) as HttpAnswer;
  expect([tooManyRequests.code, tooManyRequests.headers]).toEqual([429, { 'content-type': 'application/json', 'retry-after': '7' }]);
  expect(JSON.parse(tooManyRequests.body as string)).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', code: 429 });
  expect(await route(createRequest('GET /api/v1/pods'))).toMatchObject({ code: 503, headers: { 'retry-after': '1' } });
  expect(await route(createRequest('DELETE /api/v1/namespaces/shop/pods/web'))).toMatchObject({
    code: 409,
    headers: { 'content-type': 'application/json' },
    body: expect.stringContaining('Operation cannot be fulfilled on pods \\"web\\"'),
  });
  expect(requests).toEqual([]);
});

it('sends 410 Expired to a watch as an ERROR event', async () => {
  const { route } = createRoute({ rules: [{ fault: 'expired' }] });
  const answer = (await route(createRequest('GET /api/v1/pods?watch=1&resourceVersion=5'))) as HttpAnswer;
  expect(answer.code).toBe(200);
  const [line, ...rest] = (await readChunks(answer)) as [string];
  expect(rest).toEqual([]);
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
});

it('answers in protobuf if the client prefers it', async () => {
  const { route } = createRoute({ rules: [{ fault: 'expired' }, { fault: 'unavailable', verbs: ['list'] }] });
  const headers = { accept: 'application/vnd.kubernetes.protobuf,application/json' };
  const watchAnswer = (await route(createRequest('GET /api/v1/pods?watch=1&resourceVersion=5', { headers }))) as HttpAnswer;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 };
  const expired = { ...status, message: 'too old resource version: 5 (6)', reason: 'Expired' };
  expect(watchAnswer.headers).toEqual({ 'content-type': 'application/vnd.kubernetes.protobuf;stream=watch' });
  expect(await readChunks(watchAnswer)).toEqual([encodeWatchEvent('ERROR', encodeProtobuf(expired))]);
  expect(await route(createRequest('GET /api/v1/pods', { headers }))).toMatchObject({
    code: 503,
    headers: { 'content-type': 'application/vnd.kubernetes.protobuf', 'retry-after': '1' },
    body: expect.any(Uint8Array),
  });
});

it('delays requests until the latency is over or the client disconnects', async () => {
  const { route, clock } = createRoute({ rules: [{ fault: 'latency', milliseconds: 5, when: 'always' }] });
  const delayedAnswer = Promise.resolve(route(createRequest('GET /api/v1/pods')));
  const controller = new AbortController();
  const abandonedAnswer = route(createRequest('GET /api/v1/pods', { signal: controller.signal }));
  controller.abort(new Error('disconnected'));
  await expect(abandonedAnswer).rejects.toThrow('disconnected');
  clock.advance(4);
  expect(await isSettled(delayedAnswer)).toBe(false);
  clock.advance(1);
  expect(await delayedAnswer).toMatchObject({ body: 'whole' });
  // After a delay, the request can no longer fall through to another route.
  const unknownPath = route(createRequest('GET /apis/apps/v1/deployments'));
  clock.advance(5);
  expect(await outcomeOf(Promise.resolve(unknownPath))).toBe('404 NotFound');
});

it('breaks a watch after a number of events, even within a chunk', async () => {
  const { route } = createRoute({ rules: [{ fault: 'dropWatch', afterEvents: 3, broken: true }] }, ['1\n2\n', '3\n4\n5\n', '6\n']);
  const watch = (): Promise<(string | Uint8Array)[]> =>
    Promise.resolve(route(createRequest('GET /api/v1/pods?watch=1'))).then((answer) => readChunks(answer as HttpAnswer));
  expect(await watch()).toEqual(['1\n2\n', '3\n', 'ECONNRESET']);
  expect(await watch()).toEqual(['1\n2\n', '3\n4\n5\n', '6\n']);
});

it('breaks a watch in protobuf after a number of events', async () => {
  const frames = ['a', 'b', 'c'].map((type) => encodeWatchEvent(type, new Uint8Array(300)));
  const { route } = createRoute({ rules: [{ fault: 'dropWatch', afterEvents: 2, broken: true }] }, [Buffer.concat(frames)]);
  const answer = (await route(createRequest('GET /api/v1/pods?watch=1'))) as HttpAnswer;
  expect(await readChunks(answer)).toEqual([Buffer.concat(frames.slice(0, 2)), 'ECONNRESET']);
});

it('crashes after a write and then breaks every connection until the restart', async () => {
  const { route, faults, requests } = createRoute({ rules: [{ fault: 'crash' }] }, ['1\n']);
  const watchAnswer = (await route(createRequest('GET /api/v1/pods?watch=1'))) as HttpAnswer;
  expect(await outcomeOf(Promise.resolve(route(createRequest('POST /api/v1/namespaces/shop/pods'))))).toBe('ECONNRESET');
  expect(requests).toEqual(['GET /api/v1/pods', 'POST /api/v1/namespaces/shop/pods']);
  expect(await readChunks(watchAnswer)).toEqual(['ECONNRESET']);
  for (const line of ['GET /version', 'GET /metrics', 'GET /api/v1/pods']) {
    expect(await outcomeOf(Promise.resolve(route(createRequest(line))))).toBe('ECONNRESET');
  }
  faults.restart();
  expect(await route(createRequest('GET /version'))).toMatchObject({ code: 200 });
});

it('answers the watch that crashes the server and then breaks its stream', async () => {
  const { route, faults } = createRoute({ rules: [{ fault: 'crash', verbs: ['watch'] }] }, ['1\n']);
  const answer = (await route(createRequest('GET /api/v1/pods?watch=1'))) as HttpAnswer;
  expect([answer.code, faults.down, await readChunks(answer)]).toEqual([200, true, ['ECONNRESET']]);
});
