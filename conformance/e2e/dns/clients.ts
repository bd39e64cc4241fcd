import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Checks } from './checks.ts';
import type { DnsProcess } from './server.ts';

/** Queries with Node's resolver, c-ares. */
export async function checkNode(port: number, checks: Checks): Promise<void> {
  const resolver = new Resolver({ timeout: 30_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const web = 'web.shop.svc.cluster.local';
  checks.checkEqual('resolve4', await resolver.resolve4(web, { ttl: true }), [{ address: '10.96.0.10', ttl: 5 }]);
  checks.checkEqual('resolve6', await resolver.resolve6(web), ['fd00:96::a']);
  checks.checkEqual('resolve4, headless', (await resolver.resolve4('db.shop.svc.cluster.local')).sort(), ['10.1.0.1', '10.1.0.2']);
  checks.checkEqual('resolve4, more than fits into a packet', (await resolver.resolve4('many.shop.svc.cluster.local')).length, 200);
  const [srv] = await resolver.resolveSrv('_http._tcp.web.shop.svc.cluster.local');
  checks.checkEqual('resolveSrv', [srv?.name, srv?.port, srv?.priority, srv?.weight], [web, 80, 0, 50]);
  checks.checkEqual('resolveCname', await resolver.resolveCname('outside.shop.svc.cluster.local'), ['example.com']);
  checks.checkEqual('resolve4 through a CNAME', await resolver.resolve4('alias.shop.svc.cluster.local'), ['10.96.0.10']);
  checks.checkEqual('resolveTxt', await resolver.resolveTxt('dns-version.cluster.local'), [['1.1.0']]);
  checks.checkEqual('resolveNs', await resolver.resolveNs('cluster.local'), ['ns.dns.cluster.local']);
  checks.checkEqual('resolveSoa', (await resolver.resolveSoa('cluster.local')).nsname, 'ns.dns.cluster.local');
  checks.checkEqual('reverse', await resolver.reverse('10.96.0.10'), [web]);
  checks.checkEqual('reverse, IPv6', await resolver.reverse('fd00:96::a'), [web]);
  const codeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch(({ code }: { code: string }) => code);
  checks.checkEqual('an absent name', await codeOf(resolver.resolve4('no.shop.svc.cluster.local')), 'ENOTFOUND');
  checks.checkEqual('an absent record type', await codeOf(resolver.resolveMx(web)), 'ENODATA');
  checks.checkEqual('a name outside of the zone', await codeOf(resolver.resolve4('example.org')), 'EREFUSED');
}

const FORMERR = 1;
const REFUSED = 5;
/** The id and the flags of a query. The four counts of the header follow. */
const HEADER = [0x12, 0x34, 1, 0];
/** A question for the root name, type A and class IN. */
const ROOT = [0, 0, 1, 0, 1];

/** Checks the replies to malformed packets, and that a flood of packets does no harm. */
export async function checkMalformedPackets({ port, memory }: Pick<DnsProcess, 'port' | 'memory'>, checks: Checks): Promise<void> {
  const queryRcode = async (bytes: readonly number[]): Promise<number | undefined> => {
    const answer = await sendRaw(port, Buffer.from(bytes));
    return answer && (answer[3] as number) & 15;
  };
  checks.checkEqual('several questions', await queryRcode([...HEADER, 0, 2, 0, 0, 0, 0, 0, 0, ...ROOT, ...ROOT]), FORMERR);
  checks.checkEqual('no question', await queryRcode([...HEADER, 0, 0, 0, 0, 0, 0, 0, 0]), FORMERR);
  checks.checkEqual(
    'a compression pointer to itself',
    await queryRcode([...HEADER, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1]),
    FORMERR,
  );
  checks.checkEqual(
    'a label of 64 bytes',
    await queryRcode([...HEADER, 0, 1, 0, 0, 0, 0, 0, 0, 64, ...new Array<number>(64).fill(97), 0, 0, 1, 0, 1]),
    FORMERR,
  );
  const longLabels = Array.from({ length: 4 }, () => [63, ...new Array<number>(63).fill(97)]).flat();
  checks.checkEqual('a name of 257 bytes', await queryRcode([...HEADER, 0, 1, 0, 0, 0, 0, 0, 0, ...longLabels, 0, 0, 1, 0, 1]), FORMERR);
  checks.checkEqual('a response instead of a query', await queryRcode([0x12, 0x34, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...ROOT]), undefined);
  checks.checkEqual('a truncated header', await queryRcode([1, 2, 3]), undefined);
  checks.checkEqual('HTTP over TCP', await isClosed(port, 'GET / HTTP/1.1\r\n\r\n'), true);
  const memoryBefore = memory() ?? 0;
  await flood(port);
  checks.checkEqual('after a flood', await queryRcode([...HEADER, 0, 1, 0, 0, 0, 0, 0, 0, ...ROOT]), REFUSED);
  checks.checkEqual('memory after a flood', (memory() ?? 0) - memoryBefore < MAX_MEMORY_MIB, true);
}

/**
 * Returns the reply, or undefined if the server ignores the packet. A regular question follows the packet over the same socket: if only the
 * question gets a reply, the packet was ignored. Sends both again until a reply arrives, because a flood may lose them.
 */
function sendRaw(port: number, packet: Uint8Array): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const probe = Buffer.from([0xff, 0xff, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...ROOT]);
    const send = (): void => {
      socket.send(packet, port, '127.0.0.1');
      socket.send(probe, port, '127.0.0.1');
    };
    const timer = setInterval(send, 500);
    socket.on('message', (answer) => {
      const isProbe = answer[0] === 0xff && answer[1] === 0xff;
      clearInterval(timer);
      socket.close();
      resolve(isProbe ? undefined : answer);
    });
    send();
  });
}

function isClosed(port: number, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('error', () => {});
    socket.on('close', () => resolve(true));
    socket.on('data', () => resolve(false));
  });
}

const FLOOD_PACKETS = 50_000;
/** Allows for garbage that is not collected yet. */
const MAX_MEMORY_MIB = 96;

/** Sends packets of all kinds at full speed without reading replies. */
async function flood(port: number): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.connect(port, '127.0.0.1', resolve));
  for (let sent = 0; sent < FLOOD_PACKETS; sent += 500) {
    for (let i = 0; i < 500; i++) socket.send(Buffer.from([i & 255, sent & 255, 1, 0, 0, i % 3, 0, 0, 0, 0, 0, i % 5, ...ROOT]));
    await new Promise(setImmediate);
  }
  socket.close();
}
