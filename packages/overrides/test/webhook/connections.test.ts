import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createRawConnection } from '../../../../test/support/raw-connection.ts';
import { connectTo, createKeepAliveAgent, endpointsOf, reviewOf, sendRequest, sendReview, serve } from './support.ts';

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

  it('can connect although other clients hold idle connections', async () => {
    const target = await serve({ limits: { connections: 10 } });
    const agent = createKeepAliveAgent(9);
    await Promise.all(Array.from({ length: 9 }, () => sendReview(target, review, { agent })));
    for (let i = 0; i < 5; i++) expect(await sendReview(target, review)).toMatchObject({ allowed: true });
  });

  it('loses idle connections when 90% of the limit are in use', async () => {
    const target = await serve({ limits: { connections: 10 } });
    const agent = createKeepAliveAgent(9);
    await Promise.all(Array.from({ length: 9 }, () => sendReview(target, review, { agent })));
    const busy = await connectTo(target);
    busy.send('POST /mutate HTTP/1.1\r\n');
    expect(await sendReview(target, review)).toMatchObject({ allowed: true });
    expect(await sendReview(target, review, { agent })).toMatchObject({ allowed: true });
    expect(busy.socket.destroyed).toBe(false);
  });
});
