import { type ChildProcess, fork } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { encode } from 'dns-packet';
import type { DnsQuestion } from 'kube-endpoints/dns';
import { table } from '../measure.ts';
import { chooseBySize } from '../size.ts';
import { questionKinds } from './objects.ts';

interface Rate {
  readonly perSecond: number;
  /** Per second of processor time that the server used. */
  readonly perCore: number;
}

interface Contestant {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly questions: readonly DnsQuestion[];
  /** Whether replies without a record are errors. */
  readonly mustAnswer: boolean;
}

/** Compares the queries per second that the DNS server answers over UDP with those of an echo server in Node.js. */
export async function benchUdp(sizes: readonly number[], milliseconds: number): Promise<string> {
  const [clusterIP, headless, , srv] = questionKinds;
  const contestants: Contestant[] = [
    { name: 'echo', arguments: ['echo'], questions: clusterIP?.createQuestions(10) ?? [], mustAnswer: false },
    ...sizes.flatMap((size) =>
      [clusterIP, headless, srv].flatMap((kind) =>
        kind
          ? [
              {
                name: `${kind.name}, ${size.toLocaleString('en-US')} Services`,
                arguments: ['dns', String(size)],
                questions: kind.createQuestions(size),
                mustAnswer: true,
              },
            ]
          : [],
      ),
    ),
  ];
  const best = new Map<string, Rate>();
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      const rate = await measureRate(contestant, milliseconds);
      const bestRate = best.get(contestant.name);
      if (!bestRate || rate.perCore > bestRate.perCore) best.set(contestant.name, rate);
    }
  }
  const echo = best.get('echo') as Rate;
  const rows = contestants.map(({ name }) => createRow(name, best.get(name) as Rate, echo));
  return table(['over UDP', 'queries/s', 'of echo', 'queries/s per core', 'of echo', 'at least half'], rows);
}

const [rounds, socketCount, queriesPerSocket] = [chooseBySize(3, 1), 4, 32];

function createRow(name: string, rate: Rate, echo: Rate): string[] {
  const formatInteger = (number: number): string => Math.round(number).toLocaleString('en-US');
  const [elapsedRatio, cpuRatio] = [rate.perSecond / echo.perSecond, rate.perCore / echo.perCore];
  return [
    name,
    formatInteger(rate.perSecond),
    `${elapsedRatio.toFixed(2)} x`,
    formatInteger(rate.perCore),
    `${cpuRatio.toFixed(2)} x`,
    cpuRatio >= 0.5 ? 'yes' : 'no',
  ];
}

async function measureRate(contestant: Contestant, milliseconds: number): Promise<Rate> {
  const child = fork(join(import.meta.dirname, 'udp-server.ts'), contestant.arguments);
  try {
    const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
    const packets = contestant.questions.map(({ name, type }, index) =>
      encode({ type: 'query', id: index & 0xffff, flags: 0x100, questions: [{ name: name.slice(0, -1), type: type as 'A' }] }),
    );
    await flood(port, packets, milliseconds / 2, contestant.mustAnswer);
    const [secondsBefore, start] = [await cpuOf(child), performance.now()];
    const count = await flood(port, packets, milliseconds, contestant.mustAnswer);
    const seconds = (performance.now() - start) / 1000;
    return { perSecond: count / seconds, perCore: count / ((await cpuOf(child)) - secondsBefore) };
  } finally {
    child.kill();
  }
}

/** Keeps a constant number of queries in flight, replaces lost ones, and returns the number of replies. */
async function flood(port: number, packets: readonly Uint8Array[], milliseconds: number, mustAnswer: boolean): Promise<number> {
  let [receivedCount, nextIndex] = [0, 0];
  const openSockets = Array.from({ length: socketCount }, () => createSocket('udp4'));
  const send = (socket: Socket): void => {
    socket.send(packets[nextIndex] as Uint8Array);
    nextIndex = nextIndex + 1 === packets.length ? 0 : nextIndex + 1;
  };
  const failure = Promise.withResolvers<never>();
  for (const socket of openSockets) {
    socket.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('message', (reply) => {
      receivedCount++;
      if (mustAnswer && ((reply[3] ?? 0) & 15 || reply.readUInt16BE(6) === 0))
        failure.reject(new Error(`no answer: ${reply.toString('hex')}`));
      send(socket);
    });
    for (let remaining = queriesPerSocket; remaining > 0; remaining--) send(socket);
  }
  await Promise.race([failure.promise, replaceLostQueries(openSockets, send, () => receivedCount, milliseconds)]).finally(() => {
    for (const socket of openSockets) socket.close();
  });
  return receivedCount;
}

/** Resolves when the time is up. Until then, sends new queries whenever no reply has arrived for 20 ms, because packets were lost. */
async function replaceLostQueries(
  openSockets: readonly Socket[],
  send: (socket: Socket) => void,
  countReplies: () => number,
  milliseconds: number,
): Promise<void> {
  const endTime = performance.now() + milliseconds;
  for (let previousCount = countReplies(); performance.now() < endTime; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (countReplies() === previousCount) for (const socket of openSockets) send(socket);
    previousCount = countReplies();
  }
}

/** Reads the processor time that a process has used, in seconds. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: NodeJS.CpuUsage }];
  return (cpu.user + cpu.system) / 1e6;
}
