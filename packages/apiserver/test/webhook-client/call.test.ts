import { describe, expect, it } from 'vitest';
import { callWebhook } from '../../src/webhook-client/call.ts';
import { type ClientConfig, type WebhookAnswer, type WebhookCall, WebhookConnectionError } from '../../src/webhook-client/client.ts';
import { createClock, flushPromises, isSettled, type ManualClock } from '../store/support.ts';

const config: ClientConfig = { host: 'hook.example.com:8443', path: '/a' };
const createAnswer = (code: number, body = '', headers: WebhookAnswer['headers'] = {}): WebhookAnswer => ({ code, body, headers });

/** Creates a client that returns the answers in order, the last one repeatedly, and records the calls. */
function createScriptedClient(clock: ManualClock, ...answers: readonly (WebhookAnswer | Error)[]) {
  const calls: WebhookCall[] = [];
  const client = {
    async post(call: WebhookCall) {
      calls.push(call);
      if (call.signal.aborted) throw new WebhookConnectionError('call', (call.signal.reason as Error).message);
      const nextAnswer = answers[Math.min(calls.length, answers.length) - 1] as WebhookAnswer | Error;
      if (nextAnswer instanceof Error) throw nextAnswer;
      return nextAnswer;
    },
    close: () => undefined,
  };
  const resolve = () => ({ host: '10.0.0.1', port: 1 });
  return {
    calls,
    post: (timeoutMs = 10_000, target = config) => callWebhook({ client, clock, resolve }, target, 'body', timeoutMs),
  };
}

const rejectionMessageOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  );

it('sends the timeout to the webhook, rounded up to seconds', async () => {
  const { calls, post } = createScriptedClient(createClock(), createAnswer(200, 'fine'));
  expect(await post(9_001)).toBe('fine');
  expect(calls[0]).toMatchObject({ host: 'hook.example.com:8443', path: '/a?timeout=10s', body: 'body', serverName: 'hook.example.com' });
});

it('resolves the address from the URL or from the Service', async () => {
  const { calls, post } = createScriptedClient(createClock(), createAnswer(200, 'fine'));
  await post();
  await post(1000, { host: '[::1]', path: '/' });
  await post(1000, { host: 'hook.shop.svc:443', path: '/', service: { namespace: 'shop', name: 'hook', port: 443 } });
  expect(await Promise.all(calls.map(({ locate }) => locate()))).toEqual([
    { host: 'hook.example.com', port: 8443 },
    { host: '::1', port: 443 },
    { host: '10.0.0.1', port: 1 },
  ]);
  expect(calls[2]?.serverName).toBe('hook.shop.svc');
});

describe('a webhook that answers with Retry-After', () => {
  it('is called again after the delay', async () => {
    const clock = createClock();
    const { calls, post } = createScriptedClient(
      clock,
      createAnswer(429, '', { 'retry-after': '3' }),
      createAnswer(500, '', { 'retry-after': '1' }),
      createAnswer(200, 'fine'),
    );
    const pendingPost = post();
    await flushPromises();
    clock.advance(2_999);
    await flushPromises();
    expect(calls).toHaveLength(1);
    clock.advance(1);
    await flushPromises();
    expect(calls).toHaveLength(2);
    clock.advance(1_000);
    expect(await pendingPost).toBe('fine');
    expect(clock.scheduled).toBe(0);
  });

  it('is not waited for after the deadline', async () => {
    const clock = createClock();
    const { post } = createScriptedClient(clock, createAnswer(429, '', { 'retry-after': '60' }));
    const pendingPost = post(1_000);
    await flushPromises();
    clock.advance(1_000);
    expect(await rejectionMessageOf(pendingPost)).toBe('Post "https://hook.example.com:8443/a?timeout=1s": context deadline exceeded');
    expect(clock.scheduled).toBe(0);
  });

  it.each([
    [400, '1'],
    [503, 'tomorrow'],
    [200, '1'],
  ])('is not called again after %i with "%s"', async (code, retryAfter) => {
    const { calls, post } = createScriptedClient(createClock(), createAnswer(code, 'x', { 'retry-after': retryAfter }));
    await rejectionMessageOf(post());
    expect(calls).toHaveLength(1);
  });
});

it('aborts the call at the timeout', async () => {
  const clock = createClock();
  const client = {
    post: ({ signal }: WebhookCall) =>
      new Promise<WebhookAnswer>((_, reject) => {
        signal.addEventListener('abort', () => reject(new WebhookConnectionError('answer', (signal.reason as Error).message)));
      }),
    close: () => undefined,
  };
  const pendingPost = callWebhook({ client, clock, resolve: () => ({ host: '', port: 0 }) }, config, '', 5_000);
  clock.advance(4_999);
  expect(await isSettled(pendingPost)).toBe(false);
  clock.advance(1);
  expect(await rejectionMessageOf(pendingPost)).toBe(
    'unexpected error when reading response body. Please retry. Original error: context deadline exceeded',
  );
});

it.each([
  ['a/b/c', 'Internal error occurred: mime: unexpected content after media subtype'],
  ['a/', 'Internal error occurred: mime: expected token after slash'],
  [';', 'Internal error occurred: mime: no media type'],
  ['a b', 'Internal error occurred: mime: expected slash after first token'],
])('the Content-Type %s of an answer is refused', async (type, message) => {
  expect(await rejectionMessageOf(createScriptedClient(createClock(), createAnswer(200, '{}', { 'content-type': type })).post())).toBe(
    message,
  );
});

it.each([
  [401, '', 'the server has asked for the client to provide credentials'],
  [406, '', 'the server was unable to respond with a content type that the client supports'],
  [406, 'only tea', 'only tea'],
  [409, '', 'the server reported a conflict'],
  [415, 'only tea', 'only tea'],
  [504, '', 'the server was unable to return a response in the time allotted, but may still be processing the request'],
  [301, '', 'the server responded with the status code 301 but did not return more information'],
])('the answer %i "%s" is reported with the message of client-go', async (code, body, message) => {
  expect(
    await rejectionMessageOf(createScriptedClient(createClock(), createAnswer(code, body, { 'content-type': 'text/plain' })).post()),
  ).toBe(message);
});

it('truncates a long answer in the error message', async () => {
  const { post } = createScriptedClient(createClock(), createAnswer(500, 'x'.repeat(5000), { 'content-type': 'text/plain' }));
  expect(await rejectionMessageOf(post())).toBe(`an error on the server ("${'x'.repeat(2048)}") has prevented the request from succeeding`);
});
