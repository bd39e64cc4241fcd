import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../../test/support/free-port.ts';
import { createDnsServer } from '../src/index.ts';
import { answerFromTestZone, connectTo, decodeMessage, encodeQuery, frame, queryTcp, queryUdp, serve } from './support.ts';

describe('a DNS server', () => {
  test('answers over UDP and TCP on one port', async () => {
    const { serverAddress } = await serve();
    expect(serverAddress.port).toBeGreaterThan(0);
    for (const sendQuery of [queryUdp, queryTcp])
      expect(decodeMessage(await sendQuery(serverAddress, encodeQuery())).answers).toMatchObject([{ data: '10.0.0.1' }]);
  });

  test('listens at an IPv6 address', async () => {
    const { serverAddress } = await serve({ address: '::1' });
    for (const sendQuery of [queryUdp, queryTcp])
      expect(decodeMessage(await sendQuery(serverAddress, encodeQuery())).answers).toHaveLength(1);
  });

  test('listens on the requested port, which no other server can share', async () => {
    const port = await findFreePort();
    const { serverAddress } = await serve({ port });
    expect(serverAddress.port).toBe(port);
    const other = createDnsServer({ answer: answerFromTestZone, port });
    await expect(other.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await other.close();
  });

  test('listens once even if listen is called repeatedly', async () => {
    const { server, serverAddress } = await serve();
    expect(await server.listen()).toEqual(serverAddress);
  });

  test('drops unanswerable packets and continues to answer', async () => {
    const { serverAddress, events } = await serve();
    const answer = decodeMessage(await queryUdp(serverAddress, Buffer.alloc(3), encodeQuery('A', { type: 'response' }), encodeQuery()));
    expect(answer.answers).toHaveLength(1);
    expect(events.map(({ kind }) => kind)).toEqual(['dropped', 'dropped', 'answered']);
  });

  test('closes its connections on close, and cannot listen again', async () => {
    const { server, serverAddress } = await serve();
    const client = connectTo(serverAddress);
    client.socket.write(frame(encodeQuery()));
    await client.received(1);
    await server.close();
    await client.closed;
    await expect(server.listen()).rejects.toThrow('the server is closed: create a new one');
  });

  test('can be closed concurrently', async () => {
    const { server, serverAddress } = await serve();
    await Promise.all([server.close(), server.close(), server[Symbol.asyncDispose]()]);
    const nextServer = createDnsServer({ answer: answerFromTestZone, port: serverAddress.port });
    await nextServer.listen();
    await nextServer.close();
  });

  test('rejects listen if it is closed meanwhile, and releases the port', async () => {
    const port = await findFreePort();
    const server = createDnsServer({ answer: answerFromTestZone, port });
    const listening = server.listen();
    await Promise.all([server.close(), expect(listening).rejects.toThrow('the server is closed: create a new one')]);
    const nextServer = createDnsServer({ answer: answerFromTestZone, port });
    await nextServer.listen();
    await nextServer.close();
  });

  test('can be closed before it listens, and repeatedly', async () => {
    const server = createDnsServer({ answer: answerFromTestZone });
    await server.close();
    await server[Symbol.asyncDispose]();
  });
});
