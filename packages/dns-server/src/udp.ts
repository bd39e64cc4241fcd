import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import type { DnsSettings } from './options.ts';
import type { Responder } from './responder.ts';

/** Answers queries over UDP. */
export interface UdpListener {
  readonly port: number;
  close(): Promise<void>;
}

/** @throws the error of Node.js if it cannot listen */
export async function openUdp(settings: DnsSettings, responder: Responder, signal: AbortSignal): Promise<UdpListener> {
  const family = isIP(settings.address) === 6 ? 6 : 4;
  // Addresses are never host names, so the lookup returns them without asking the system.
  const lookup = (address: string, _: unknown, callback: (error: null, address: string, family: number) => void): void =>
    callback(null, address, family);
  const socket = createSocket({ type: family === 6 ? 'udp6' : 'udp4', lookup: lookup as never });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(settings.port, settings.address, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  socket.on('error', (error) => settings.onEvent({ kind: 'failed', what: 'socket', error }));
  socket.on('message', (packet, sender) => handlePacket(socket, packet, sender, { settings, responder, signal }));
  return {
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

interface UdpContext {
  readonly settings: DnsSettings;
  readonly responder: Responder;
  readonly signal: AbortSignal;
}

function handlePacket(socket: Socket, packet: Buffer, sender: RemoteInfo, { settings, responder, signal }: UdpContext): void {
  // Drop queries while the network is congested, because responses would pile up.
  if (sender.port === 0 || socket.getSendQueueCount() >= maxUnsentMessages) {
    settings.onEvent({ kind: 'dropped', transport: 'udp', reason: sender.port === 0 ? 'unanswerable' : 'crowded' });
    return;
  }
  const messages = responder.respond(packet, { transport: 'udp', address: sender.address }, signal);
  const reportFailure = (error: unknown): void => settings.onEvent({ kind: 'failed', what: 'answer', error });
  const send = (replies: Iterable<Uint8Array>): void => {
    if (signal.aborted) return;
    try {
      for (const message of replies) socket.send(message, sender.port, sender.address, ignoreSendError);
    } catch (error) {
      reportFailure(error);
    }
  };
  if (messages instanceof Promise) void messages.then(send, reportFailure);
  else send(messages);
}

const maxUnsentMessages = 1024;

/** The client may have closed its port. */
const ignoreSendError = (): void => {};
