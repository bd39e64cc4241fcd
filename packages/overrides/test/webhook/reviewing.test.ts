import { describe, expect, it, test } from 'vitest';
import { createOverrides } from '../../src/index.ts';
import type { WebhookEvent } from '../../src/webhook/index.ts';
import { parseTimeout } from '../../src/webhook/reviewing.ts';
import { connectTo, createWebhookClock, endpointsOf, head, readMetric, reviewOf, sendReview, serve, waitUntil } from './support.ts';

const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));
const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';
const json = { 'Content-Type': 'application/json' };

describe('the context of a review', () => {
  const overrides = createOverrides({
    rules: [{ name: 'gold', match: { serviceLabels: 'tier=gold' }, action: { keepOut: { as: 'absent' } } }],
  });
  const service = { metadata: { namespace: 'shop', name: 'web', labels: { tier: 'gold' } } };

  it.each([
    ['at once', () => ({ service })],
    ['later', () => Promise.resolve({ service })],
  ])('is requested from the host, which may return it %s', async (_, context) => {
    const target = await serve({ overrides, context });
    expect(await sendReview(target, review)).toMatchObject({ patchType: 'JSONPatch' });
  });

  it('makes the failure policy answer the review if it fails', async () => {
    for (const fail of [
      () => Promise.reject(new Error('no answer')),
      () => {
        throw new Error('no answer');
      },
    ]) {
      const target = await serve({ overrides, context: fail });
      expect(await sendReview(target, review)).toMatchObject({ uid, allowed: true });
      expect(await readMetric(target.server, 'policy_answers_total', { reason: 'failed' })).toBe(1);
    }
  });

  it('is not needed by other rules', async () => {
    const target = await serve({ overrides });
    expect(await sendReview(target, review)).toEqual({ uid, allowed: true });
  });
});

describe('a review that the rules cannot answer', () => {
  const malformedBodies: readonly [string, string][] = [
    ['invalid JSON', `{"kind":"AdmissionReview","request":{"uid":"${uid}","object":`],
    ['an object of another kind', JSON.stringify({ kind: 'Pod', apiVersion: 'v1', request: { uid } })],
    ['no request', JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' })],
    ['another version', JSON.stringify({ ...review, apiVersion: 'admission.k8s.io/v1beta1' })],
    ['no object', JSON.stringify(reviewOf(endpointsOf('10.0.0.1'), { object: null }))],
    ['an object with invalid addresses', JSON.stringify(reviewOf({ ...endpointsOf('10.0.0.1'), subsets: [{ addresses: [7] }] }))],
    ['a list as its body', '[]'],
    ['an empty body', ''],
    ['null as its body', 'null'],
    ['invalid characters', '\u0000\uffff\ud800'],
    ['deep nesting', '['.repeat(100_000)],
  ];

  it.each(malformedBodies)('with %s is allowed unchanged by default', async (_, body) => {
    const target = await serve();
    const answer = await sendReview(target, body);
    expect(answer.allowed).toBe(true);
    expect(answer.patch).toBeUndefined();
    expect(await sendReview(target, review)).toMatchObject({ patchType: 'JSONPatch' });
  });

  it.each(malformedBodies)('with %s is refused with failure policy deny', async (_, body) => {
    const target = await serve({ failurePolicy: 'deny' });
    expect(await sendReview(target, body)).toMatchObject({ allowed: false });
  });

  it('is answered with its uid if the uid can be read', async () => {
    const target = await serve();
    const events: WebhookEvent[] = [];
    const reportingTarget = await serve({ onEvent: (event) => void events.push(event) });
    expect(await sendReview(target, malformedBodies[0]?.[1])).toMatchObject({ uid });
    expect(await sendReview(reportingTarget, malformedBodies[0]?.[1])).toMatchObject({ uid });
    expect(events).toMatchObject([{ kind: 'policy', reason: 'malformed', uid }]);
  });

  it('is allowed if its object is neither Endpoints nor an EndpointSlice', async () => {
    const target = await serve();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' } };
    expect(await sendReview(target, reviewOf(pod))).toMatchObject({ uid, allowed: true });
    expect(await readMetric(target.server, 'policy_answers_total', { reason: 'notConcerned' })).toBe(1);
  });

  it('is not buffered beyond the body limit', async () => {
    const limits = { bodyBytes: 4000 };
    const target = await serve({ limits });
    const largeReview = JSON.stringify(reviewOf({ ...endpointsOf('10.0.0.2'), padding: 'x'.repeat(300_000) }));
    const answer = await sendReview(target, largeReview);
    expect(answer).toMatchObject({ uid, allowed: true, warnings: [expect.stringContaining('too large')] });
    expect(await readMetric(target.server, 'policy_answers_total', { reason: 'tooLarge' })).toBe(1);
    const denyingTarget = await serve({ limits, failurePolicy: 'deny' });
    expect(await sendReview(denyingTarget, largeReview)).toMatchObject({ uid, allowed: false, status: { code: 413 } });
  });

  it('is answered by the policy if too many bodies are buffered', async () => {
    const target = await serve({ limits: { buffered: 100 } });
    expect(await sendReview(target, review)).toMatchObject({ allowed: true, warnings: [expect.stringContaining('too many')] });
    expect(await readMetric(target.server, 'policy_answers_total', { reason: 'overloaded' })).toBe(1);
  });
});

describe('the time limit of a review', () => {
  const neverResolves = (): Promise<never> => new Promise(() => undefined);

  it.each([
    ['the configured limit', '/mutate', 5_000],
    ['a shorter timeout of the API server', '/mutate?timeout=1s', 900],
    ['the configured limit if the API server allows more', '/mutate?timeout=30s', 5_000],
  ])('is %s', async (_, path, milliseconds) => {
    const clock = createWebhookClock();
    const target = await serve({ clock, context: neverResolves });
    const answer = sendReview(target, review, { path });
    await waitUntil(() => clock.scheduled === 1);
    clock.advance(milliseconds - 1);
    expect(clock.scheduled).toBe(1);
    clock.advance(1);
    expect(await answer).toMatchObject({ uid, allowed: true, warnings: [expect.stringContaining(`within ${milliseconds} ms`)] });
    expect(await readMetric(target.server, 'policy_answers_total', { reason: 'late' })).toBe(1);
  });

  it('denies the write with failure policy deny', async () => {
    const clock = createWebhookClock();
    const target = await serve({ clock, context: neverResolves, failurePolicy: 'deny' });
    const answer = sendReview(target, review);
    await waitUntil(() => clock.scheduled === 1);
    clock.advance(5_000);
    expect(await answer).toMatchObject({ uid, allowed: false, status: { code: 504, reason: 'Timeout' } });
  });

  it('drops an answer that arrives later', async () => {
    const clock = createWebhookClock();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const results: unknown[] = [];
    const target = await serve({ clock, context: () => promise, onResult: (...args) => void results.push(args) });
    const answer = sendReview(target, review);
    await waitUntil(() => clock.scheduled === 1);
    clock.advance(5_000);
    await answer;
    resolve(undefined);
    await waitUntil(() => true);
    expect(results).toEqual([]);
    expect(await readMetric(target.server, 'reviews_total', { changed: 'true' })).toBe(0);
  });

  it('applies to a client that does not send its whole review', async () => {
    const clock = createWebhookClock();
    const { connection, text } = await sendPartOfReview(clock);
    connection.send(text.slice(200, 300));
    clock.advance(5_000);
    const answer = await connection.until(/\}\}$/);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('"allowed":true');
  });

  it('includes the time that a review waits before it is processed', async () => {
    const clock = createWebhookClock();
    const { connection, text } = await sendPartOfReview(clock);
    // As if the process was too busy to run its timers.
    const now = clock.now;
    Object.assign(clock, { now: () => now() + 10_000 });
    connection.send(text.slice(200));
    expect(await connection.until(/\}\}$/)).toContain('the deadline passed before it was processed');
  });

  it('is cancelled when the client disconnects', async () => {
    const clock = createWebhookClock();
    const target = await serve({ clock, context: neverResolves });
    const connection = await connectTo(target);
    const text = JSON.stringify(review);
    connection.send(head('POST /mutate', { ...json, 'Content-Length': text.length }, text));
    await waitUntil(() => clock.scheduled === 1);
    connection.socket.destroy();
    await waitUntil(() => clock.scheduled === 0);
    expect(await readMetric(target.server, 'reviews_in_flight')).toBe(0);
  });
});

/** Sends the first 200 bytes of a review. */
async function sendPartOfReview(clock: ReturnType<typeof createWebhookClock>) {
  const connection = await connectTo(await serve({ clock }));
  const text = JSON.stringify(review);
  connection.send(head('POST /mutate', { ...json, 'Content-Length': text.length }, text.slice(0, 200)));
  await waitUntil(() => clock.scheduled === 1);
  return { connection, text };
}

test.each([
  ['/mutate', undefined],
  ['/mutate?timeout=10s', 10_000],
  ['/mutate?a=b&timeout=1m30s', 90_000],
  ['/mutate?timeout=500ms', 500],
  ['/mutate?timeout=1.5s', 1_500],
  ['/mutate?timeout=', undefined],
  ['/mutate?timeout=10', undefined],
  ['/mutate?timeout=-10s', undefined],
  ['/mutate?timeout=10s;', undefined],
  ['', undefined],
])('parseTimeout parses the timeout of %s as %s', (url, milliseconds) => {
  expect(parseTimeout(url)).toBe(milliseconds);
});
