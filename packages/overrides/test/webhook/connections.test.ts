import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createRawConnection, type RawConnection } from '../../../../test/support/raw-connection.ts';
import { connectTo, createKeepAliveAgent, endpointsOf, head, readMetric, reviewOf, sendRequest, sendReview, serve } from './support.ts';

const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));
const json = { 'Content-Type': 'application/json' };

describe('a webhook client', () => {
  it('is disconnected if it does not send the request head in time', async () => {
    const { port, ca } = await serve({ limits: { headerMs: 40 } });
    // Does not wait for the handshake, which may exceed the limit on a busy machine.
    const connection = createRawConnection(connect({ port, host: '127.0.0.1', ca, servername: 'localhost' }));
    connection.send('POST /mutate HTTP/1.1\r\nHost:');
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  it('gets code 431 if its request head exceeds the limit', async () => {
    const target = await serve({ limits: { headerBytes: 2000 } });
    const { code } = await sendRequest(target, { headers: { ...json, 'X-Long': 'x'.repeat(3000) }, body: '{}' });
    expect(code).toBe(431);
  });

  it('is disconnected if it does not read its answers', async () => {
    const target = await serve({ processMetrics: true, limits: { requestMs: 50, answerMs: 50 } });
    const stalled = await connectTo(target);
    stalled.socket.pause();
    // The answers are more than the buffers of a connection can hold.
    // No request is split between TLS records, because the server would close the connection of an incomplete request anyway.
    const request = head('GET /metrics', { Pad: '' });
    stalled.send(head('GET /metrics', { Pad: 'x'.repeat(64 - request.length) }).repeat(20_000));
    while ((await readMetric(target.server, 'reviews_in_flight')) === 0) await new Promise(setImmediate);
    while ((await readMetric(target.server, 'reviews_in_flight')) > 0) await new Promise(setImmediate);
    stalled.socket.resume();
    await stalled.closed;
  });

  it('can connect although other clients hold idle connections', async () => {
    const target = await serve({ limits: { connections: 10 } });
    const agent = createKeepAliveAgent(9);
    await Promise.all(Array.from({ length: 9 }, () => sendReview(target, review, { agent })));
    for (let i = 0; i < 5; i++) expect(await sendReview(target, review)).toMatchObject({ allowed: true });
  });

  it('loses the connection that has been idle longest if there are too many', async () => {
    const target = await serve({ limits: { connections: 10 } });
    const clients: RawConnection[] = [];
    for (let i = 0; i < 10; i++) {
      const client = await connectTo(target);
      await exchange(client);
      clients.push(client);
    }
    const [first, second, ...others] = clients as [RawConnection, RawConnection];
    await exchange(first, 2);
    expect(await sendReview(target, review)).toMatchObject({ allowed: true });
    await second.closed;
    for (const client of [first, ...others]) expect(client.socket.destroyed).toBe(false);
  });

  it('keeps its idle connection while clients without a complete request lose theirs', async () => {
    const target = await serve({ limits: { connections: 4 } });
    const idle = await connectTo(target);
    await exchange(idle);
    const silent = createRawConnection(connectTcp({ port: target.port, host: '127.0.0.1' }));
    await once(silent.socket, 'connect');
    const slow = await connectTo(target);
    slow.send(head('POST /mutate', { ...json, 'Content-Length': 100 }, '{"kind":'));
    const clients: RawConnection[] = [];
    for (const closed of [undefined, silent.closed, slow.closed]) {
      const client = await connectTo(target);
      await exchange(client);
      clients.push(client);
      await closed;
    }
    await exchange(idle, 2);
    for (const client of clients) expect(client.socket.destroyed).toBe(false);
  });

  it('keeps its connection while its review is answered', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const target = await serve({ limits: { connections: 2 }, context: () => promise });
    const answer = sendReview(target, review);
    for (let i = 0; i < 5; i++) await exchange(await connectTo(target));
    resolve(undefined);
    expect(await answer).toMatchObject({ allowed: true });
  });
});

/** Sends a request on a kept-alive connection and waits for the complete answer. */
async function exchange(client: RawConnection, count = 1): Promise<void> {
  client.send(head('GET /livez', {}));
  await client.until(new RegExp(`^(?:HTTP[^]*?ok\\n){${count}}$`));
}
