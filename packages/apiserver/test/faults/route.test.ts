import { expect, it } from 'vitest';
import { createFaults, type FaultsOptions } from '../../src/faults/index.ts';
import type { HttpAnswer, HttpRequest, Route } from '../../src/http/exchange.ts';
import { requestInfoOf } from '../../src/http/request-info.ts';
import { createClock, isSettled } from '../store/support.ts';
import { fateOf } from './support.ts';

const signal = new AbortController().signal;

function request(line: string, more: Partial<HttpRequest> = {}): HttpRequest {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query] = url.split('?');
  const user = { username: 'system:admin', groups: [] };
  const parameters = new URLSearchParams(query);
  const info = requestInfoOf(method, path, () => parameters.has('watch'));
  return { method, path, query: parameters, info, headers: {}, user, signal, body: async () => new Uint8Array(), ...more };
}

/** A route that answers everything under /api/v1 and /version, and watches with the given chunks. */
function createSubject(options: FaultsOptions = {}, chunks: readonly string[] = []) {
  const requests: string[] = [];
  const body = async function* (): AsyncIterable<string> {
    yield* chunks;
  };
  const inner: Route = ({ method, path, query }) => {
    if (!path.startsWith('/api/v1/') && path !== '/version') return undefined;
    requests.push(`${method} ${path}`);
    return { code: 200, headers: {}, body: query.has('watch') ? body() : 'whole' };
  };
  const clock = createClock();
  const faults = createFaults({ clock, ...options });
  return { asked: requests, clock, faults, route: faults.route(inner) };
}

async function read({ body }: HttpAnswer): Promise<string[]> {
  const chunks: string[] = [];
  try {
    for await (const chunk of body as AsyncIterable<string>) chunks.push(chunk);
  } catch (error) {
    chunks.push((error as { readonly code: string }).code);
  }
  return chunks;
}

it('passes on unknown paths and requests without faults', async () => {
  const { route } = createSubject();
  expect(route(request('GET /metrics'))).toBeUndefined();
  expect(route(request('GET /apis/apps/v1/deployments'))).toBeUndefined();
  expect(await route(request('GET /version'))).toMatchObject({ code: 200, body: 'whole' });
  expect(await route(request('GET /api/v1/pods'))).toMatchObject({ code: 200, body: 'whole' });
});

it('answers with a Status as JSON, and with Retry-After if a retry makes sense', async () => {
  const rules = [
    { fault: 'tooManyRequests', retryAfterSeconds: 7, verbs: ['update'] },
    { fault: 'unavailable', verbs: ['list'] },
    { fault: 'conflict', verbs: ['delete'] },
  ] as const;
  const { route, asked } = createSubject({ rules });
  const busy = (await route(request('PUT /api/v1/namespaces/shop/pods/web'))) as HttpAnswer;
  expect([busy.code, busy.headers]).toEqual([429, { 'content-type': 'application/json', 'retry-after': '7' }]);
  expect(JSON.parse(busy.body as string)).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', code: 429 });
  expect(await route(request('GET /api/v1/pods'))).toMatchObject({ code: 503, headers: { 'retry-after': '1' } });
  expect(await route(request('DELETE /api/v1/namespaces/shop/pods/web'))).toMatchObject({
    code: 409,
    headers: { 'content-type': 'application/json' },
    body: expect.stringContaining('Operation cannot be fulfilled on pods \\"web\\"'),
  });
  expect(asked).toEqual([]);
});

it('sends 410 Expired to a watch as an ERROR event', async () => {
  const { route } = createSubject({ rules: [{ fault: 'expired' }] });
  const answer = (await route(request('GET /api/v1/pods?watch=1&resourceVersion=5'))) as HttpAnswer;
  expect(answer.code).toBe(200);
  const [line = '', ...rest] = await read(answer);
  expect(rest).toEqual([]);
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
});

it('delays requests until the latency is over or the client disconnects', async () => {
  const { route, clock } = createSubject({ rules: [{ fault: 'latency', milliseconds: 5, when: 'always' }] });
  const late = Promise.resolve(route(request('GET /api/v1/pods')));
  const controller = new AbortController();
  const gone = route(request('GET /api/v1/pods', { signal: controller.signal }));
  controller.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  clock.advance(4);
  expect(await isSettled(late)).toBe(false);
  clock.advance(1);
  expect(await late).toMatchObject({ body: 'whole' });
  const unknown = route(request('GET /apis/apps/v1/deployments'));
  clock.advance(5);
  expect(await fateOf(Promise.resolve(unknown))).toBe('404 NotFound');
});

it('breaks a watch after an event, even in the middle of a chunk', async () => {
  const { route } = createSubject({ rules: [{ fault: 'dropWatch', afterEvents: 3, broken: true }] }, ['1\n2\n', '3\n4\n5\n', '6\n']);
  const watch = (): Promise<string[]> =>
    Promise.resolve(route(request('GET /api/v1/pods?watch=1'))).then((answer) => read(answer as HttpAnswer));
  expect(await watch()).toEqual(['1\n2\n', '3\n', 'ECONNRESET']);
  expect(await watch()).toEqual(['1\n2\n', '3\n4\n5\n', '6\n']);
});

it('crashes after a write, and then breaks every connection until restarted', async () => {
  const { route, faults, asked } = createSubject({ rules: [{ fault: 'crash' }] }, ['1\n']);
  const watched = (await route(request('GET /api/v1/pods?watch=1'))) as HttpAnswer;
  expect(await fateOf(Promise.resolve(route(request('POST /api/v1/namespaces/shop/pods'))))).toBe('ECONNRESET');
  expect(asked).toEqual(['GET /api/v1/pods', 'POST /api/v1/namespaces/shop/pods']);
  expect(await read(watched)).toEqual(['ECONNRESET']);
  for (const line of ['GET /version', 'GET /metrics', 'GET /api/v1/pods']) {
    expect(await fateOf(Promise.resolve(route(request(line))))).toBe('ECONNRESET');
  }
  faults.restart();
  expect(await route(request('GET /version'))).toMatchObject({ code: 200 });
});

it('lets the watch that crashes the server begin', async () => {
  const { route, faults } = createSubject({ rules: [{ fault: 'crash', verbs: ['watch'] }] }, ['1\n']);
  const answer = (await route(request('GET /api/v1/pods?watch=1'))) as HttpAnswer;
  expect([answer.code, faults.down, await read(answer)]).toEqual([200, true, ['ECONNRESET']]);
});
