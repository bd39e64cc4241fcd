import { describe, expect, it, test } from 'vitest';
import { createWebhookServer, type WebhookEvent } from '../../src/webhook/index.ts';
import { createKeepAliveAgent, createWebhookClock, endpointsOf, reviewOf, sendGet, sendReview, serve, waitUntil } from './support.ts';

const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));

describe('a webhook that shuts down', () => {
  it('finishes open reviews before it closes', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let isRequested = false;
    const reportedEvents: WebhookEvent[] = [];
    const target = await serve({
      context() {
        isRequested = true;
        return promise;
      },
      onEvent: (event) => void reportedEvents.push(event),
    });
    const answer = sendReview(target, review);
    await waitUntil(() => isRequested);
    const closed = target.server.close();
    expect(target.server.ready).toBe(false);
    expect(reportedEvents).toEqual([{ kind: 'closing', open: 1 }]);
    await expect(sendReview(target, review)).rejects.toThrow(/ECONNREFUSED/);
    resolve(undefined);
    expect(await answer).toMatchObject({ patchType: 'JSONPatch' });
    await closed;
  });

  it('keeps serving but reports not ready during the shutdown delay', async () => {
    const clock = createWebhookClock();
    const target = await serve({ clock });
    const agent = createKeepAliveAgent();
    expect(await sendGet(target, '/readyz')).toMatchObject({ code: 200 });
    const closed = target.server.close({ delayMs: 5_000 });
    expect(await sendGet(target, '/readyz')).toMatchObject({ code: 503, headers: { connection: 'close' } });
    expect(await sendGet(target, '/livez')).toMatchObject({ code: 200 });
    expect(await sendReview(target, review, { agent })).toMatchObject({ patchType: 'JSONPatch' });
    clock.advance(5_000);
    await closed;
    await expect(sendReview(target, review)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('closes open reviews after the drain timeout', async () => {
    const clock = createWebhookClock();
    const target = await serve({ clock, context: () => new Promise(() => undefined), limits: { answerMs: 60_000 } });
    const answer = sendReview(target, review, { path: '/mutate' });
    answer.catch(() => undefined);
    await waitUntil(() => clock.scheduled === 1);
    const closed = target.server.close({ drainMs: 1_000 });
    expect(target.server.close()).toBe(closed);
    await waitUntil(() => clock.scheduled === 2);
    clock.advance(1_000);
    await closed;
    await expect(answer).rejects.toThrow();
  });
});

test('a client reconnects to a webhook restarted at the same port', async () => {
  const firstWebhook = await serve();
  const agent = createKeepAliveAgent();
  await sendReview(firstWebhook, review, { agent });
  await firstWebhook.server.close({ drainMs: 0 });
  await expect(sendReview(firstWebhook, review, { agent })).rejects.toThrow();
  const restartedServer = createWebhookServer({
    tls: firstWebhook.certificate,
    overrides: firstWebhook.server.overrides,
    processMetrics: false,
  });
  await restartedServer.listen({ host: '127.0.0.1', port: firstWebhook.port });
  expect(await sendReview(firstWebhook, review, { agent })).toMatchObject({ patchType: 'JSONPatch' });
  await restartedServer.close({ drainMs: 0 });
});
