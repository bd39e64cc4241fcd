import { createSocket } from 'node:dgram';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DnsServerOptions, validateDnsOptions } from '../src/options.ts';
import type { Responder } from '../src/responder.ts';
import type { DnsServerEvent, Messages, Sender } from '../src/server-event.ts';
import { openUdp, type UdpListener } from '../src/udp.ts';
import { answerFromTestZone, queryUdp } from './support.ts';

/** Opens a UDP socket whose responses the test provides. */
async function openSocket(
  respond: (packet: Uint8Array, sender: Sender) => Messages | Promise<Messages>,
  options: Partial<DnsServerOptions> = {},
) {
  const events: DnsServerEvent[] = [];
  const settings = validateDnsOptions({ answer: answerFromTestZone, onEvent: (event) => void events.push(event), ...options });
  const abortController = new AbortController();
  const listener: UdpListener = await openUdp(settings, { respond } satisfies Responder, abortController.signal);
  onTestFinished(() => listener.close());
  return { serverAddress: { address: settings.address, port: listener.port }, abortController, events };
}

describe('a UDP packet', () => {
  test('is answered to its sender, synchronously or asynchronously', async () => {
    const senders: Sender[] = [];
    const { serverAddress } = await openSocket((packet, sender) => {
      senders.push(sender);
      return packet[0] === 1 ? [packet] : Promise.resolve([packet]);
    });
    expect(await queryUdp(serverAddress, Buffer.of(1, 2))).toEqual(Buffer.of(1, 2));
    expect(await queryUdp(serverAddress, Buffer.of(2, 2))).toEqual(Buffer.of(2, 2));
    expect(senders).toEqual([
      { transport: 'udp', address: '127.0.0.1' },
      { transport: 'udp', address: '127.0.0.1' },
    ]);
  });

  test('is reported if its answer cannot be sent, and later packets are answered', async () => {
    const { serverAddress, events } = await openSocket((packet) => (packet[0] === 1 ? Promise.resolve([undefined as never]) : [packet]));
    expect(await queryUdp(serverAddress, Buffer.of(1), Buffer.of(2))).toEqual(Buffer.of(2));
    expect(events).toMatchObject([{ kind: 'failed', what: 'answer' }]);
  });

  test('is not answered if there is no response, or once the server closes', async () => {
    let sendLater: (messages: Messages) => void = () => {};
    const { serverAddress, abortController } = await openSocket((packet) => {
      if (packet[0] === 1) return [];
      if (packet[0] === 2) return new Promise((resolve) => (sendLater = resolve));
      return [packet];
    });
    expect(await queryUdp(serverAddress, Buffer.of(1), Buffer.of(2), Buffer.of(3))).toEqual(Buffer.of(3));
    abortController.abort();
    sendLater([Buffer.of(2)]);
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    expect(await new Promise((resolve) => socket.send(Buffer.of(3), serverAddress.port, serverAddress.address, resolve))).toBeNull();
  });
});

test('openUdp fails if the port is in use', async () => {
  const { serverAddress } = await openSocket(() => []);
  await expect(openSocket(() => [], { port: serverAddress.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
