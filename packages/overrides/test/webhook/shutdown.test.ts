import { describe, expect, it, test } from 'vitest';
import { createWebhookServer, type WebhookEvent } from '../../src/webhook/index.ts';
import { createKeepAliveAgent, createWebhookClock, endpointsOf, get, reviewOf, sendReview, serve, until } from './support.ts';

const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));

describe('a webhook that shuts down', () => {
  it('finishes open reviews before it closes', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let requested = false;
    const reported: WebhookEvent[] = [];
    const target = await serve({
      context() {
        requested = true;
        return promise;
      },
      onEvent: (event) => void reported.push(event),
    });
    const answer = sendReview(target, review);
    await until(() => requested);
    const closed = target.server.close();
    expect(target.server.ready).toBe(false);
    expect(reported).toEqual([{ kind: 'closing', open: 1 }]);
    await expect(sendReview(target, review)).rejects.toThrow(/ECONNREFUSED/);
    resolve(undefined);
    expect(await answer).toMatchObject({ patchType: 'JSONPatch' });
    await closed;
  });

  it('keeps serving but reports not ready during the shutdown delay', async () => {
    const clock = createWebhookClock();
    const target = await serve({ clock });
    const agent = createKeepAliveAgent();
    expect(await get(target, '/readyz')).toMatchObject({ code: 200 });
    const closed = target.server.close({ delayMs: 5_000 });
    expect(await get(target, '/readyz')).toMatchObject({ code: 503, headers: { connection: 'close' } });
    expect(await get(target, '/livez')).toMatchObject({ code: 200 });
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
    await until(() => clock.scheduled === 1);
    const closed = target.server.close({ drainMs: 1_000 });
    expect(target.server.close()).toBe(closed);
    await until(() => clock.scheduled === 2);
    clock.advance(1_000);
    await closed;
    await expect(answer).rejects.toThrow();
  });
});

test('a client reconnects to a webhook restarted at the same port', async () => {
  const first = await serve();
  const agent = createKeepAliveAgent();
  await sendReview(first, review, { agent });
  await first.server.close({ drainMs: 0 });
  await expect(sendReview(first, review, { agent })).rejects.toThrow();
  const restartedServer = createWebhookServer({ tls: first.certificate, overrides: first.server.overrides, processMetrics: false });
  await restartedServer.listen({ host: '127.0.0.1', port: first.port });
  expect(await sendReview(first, review, { agent })).toMatchObject({ patchType: 'JSONPatch' });
  await restartedServer.close({ drainMs: 0 });
});
