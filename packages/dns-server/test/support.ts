import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { type Answer, type DecodedPacket, decode, encode, type OptAnswer, type Packet, type Question, RECURSION_DESIRED } from 'dns-packet';
import type { DnsAnswer, DnsQuestion, DnsRecord, DnsReply } from 'kube-endpoints/dns';
import { onTestFinished } from 'vitest';
import { createClock } from '../../controllers/test/queue/clock.ts';
import { createDnsServer, type DnsServer } from '../src/index.ts';
import type { DnsServerOptions } from '../src/options.ts';
import type { DnsServerAddress } from '../src/server.ts';
import type { DnsServerEvent } from '../src/server-event.ts';

export const webName = 'web.shop.svc.cluster.local.';

export const createARecord = (name: string, address: string, ttl = 5): DnsRecord => ({ name, ttl, type: 'A', address });

export const createSoaRecord = (serial = 7): DnsRecord => ({
  name: 'cluster.local.',
  ttl: 5,
  type: 'SOA',
  mname: 'ns.dns.cluster.local.',
  rname: 'hostmaster.cluster.local.',
  serial,
  refresh: 7200,
  retry: 1800,
  expire: 86400,
  minimum: 5,
});

export const replyOf = (fields: Partial<DnsReply> = {}): DnsReply => ({
  rcode: 'NOERROR',
  authoritative: true,
  answer: [],
  authority: [],
  additional: [],
  ...fields,
});

/** Creates a zone's answer with an arbitrary reason. */
export const answerOf = (reply: DnsReply | undefined, outside?: DnsQuestion): DnsAnswer => ({
  ...(reply && { reply }),
  reason: { code: 'ServiceAddress', values: {} },
  ...(outside && { outside }),
});

/** Answers as a zone with one Service: other names in the zone do not exist, and other zones get no reply. */
export function answerFromTestZone({ name, type }: DnsQuestion): DnsAnswer {
  if (!name.toLowerCase().endsWith('cluster.local.')) return answerOf(undefined);
  if (name.toLowerCase() !== webName) return answerOf(replyOf({ rcode: 'NXDOMAIN', authority: [createSoaRecord()] }));
  return answerOf(type === 'A' ? replyOf({ answer: [createARecord(name, '10.0.0.1')] }) : replyOf({ authority: [createSoaRecord()] }));
}

export interface QueryFields extends Partial<Packet> {
  readonly name?: string;
  readonly recursion?: boolean;
  /** The payload size that the client announces by EDNS. */
  readonly payload?: number;
}

/** Encodes a query whose fields can be overridden. */
export function encodeQuery(type = 'A', { name = webName, recursion = true, payload, ...rest }: QueryFields = {}): Buffer {
  const defaults: Packet = {
    type: 'query',
    id: 0x1234,
    flags: recursion ? RECURSION_DESIRED : 0,
    questions: [{ name, type: type as Question['type'], class: 'IN' }],
    ...(payload !== undefined && { additionals: [createOptRecord(payload)] }),
  };
  return encode({ ...defaults, ...rest });
}

export const createOptRecord = (payload: number, version = 0, flags = 0): OptAnswer => ({
  type: 'OPT',
  name: '.',
  udpPayloadSize: payload,
  extendedRcode: 0,
  ednsVersion: version,
  flags,
  flag_do: false,
  options: [],
});

/** A decoded message. The types of dns-packet lack the rcode and make the sections optional. */
export interface DecodedMessage extends DecodedPacket {
  readonly rcode: string;
  readonly questions: Question[];
  readonly answers: Answer[];
  readonly authorities: Answer[];
  readonly additionals: Answer[];
}

export const decodeMessage = (message: Uint8Array): DecodedMessage => decode(Buffer.from(message)) as DecodedMessage;

export interface RunningServer {
  readonly server: DnsServer;
  readonly serverAddress: DnsServerAddress;
  readonly events: DnsServerEvent[];
}

/** Starts a server on loopback until the test ends. Its clock does not advance, so that a slow machine causes no timeouts. */
export async function serve(options: Partial<DnsServerOptions> = {}): Promise<RunningServer> {
  const events: DnsServerEvent[] = [];
  const onEvent = (event: DnsServerEvent): void => void events.push(event);
  const server = createDnsServer({ answer: answerFromTestZone, clock: createClock(), onEvent, ...options });
  onTestFinished(() => server.close());
  return { server, serverAddress: await server.listen(), events };
}

/** Returns the first message received over UDP. */
export function queryUdp(serverAddress: DnsServerAddress, ...packets: readonly Uint8Array[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(serverAddress.address.includes(':') ? 'udp6' : 'udp4');
    onTestFinished(() => {
      socket.removeAllListeners();
      socket.close();
    });
    socket.on('error', reject);
    socket.on('message', resolve);
    for (const packet of packets) socket.send(packet, serverAddress.port, serverAddress.address);
  });
}

export const frame = (message: Uint8Array): Buffer => Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 255), message]);

/** A connection that collects received messages. */
export interface Client {
  readonly socket: Socket;
  readonly messages: Buffer[];
  readonly closed: Promise<void>;
  /** Resolves once this many messages have arrived. */
  received(count: number): Promise<readonly Buffer[]>;
}

export function connectTo(serverAddress: DnsServerAddress): Client {
  const socket = connect(serverAddress.port, serverAddress.address);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const messages: Buffer[] = [];
  const checks = new Set<() => void>();
  let unreadBytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    unreadBytes = Buffer.concat([unreadBytes, chunk]);
    while (unreadBytes.length >= 2 && unreadBytes.length >= unreadBytes.readUInt16BE(0) + 2) {
      const end = unreadBytes.readUInt16BE(0) + 2;
      messages.push(unreadBytes.subarray(2, end));
      unreadBytes = unreadBytes.subarray(end);
    }
    for (const check of checks) check();
  });
  return {
    socket,
    messages,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    received: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (messages.length < count) return;
          checks.delete(check);
          resolve(messages);
        };
        checks.add(check);
        check();
      }),
  };
}

export async function queryTcp(serverAddress: DnsServerAddress, packet: Uint8Array): Promise<Buffer> {
  const client = connectTo(serverAddress);
  client.socket.write(frame(packet));
  const [message] = await client.received(1);
  return message as Buffer;
}
