import { type ChildProcess, fork } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { encode } from 'dns-packet';
import type { DnsQuestion } from 'kube-endpoints/dns';
import { table } from '../measure.ts';
import { sized } from '../size.ts';
import { mixes } from './world.ts';

interface Rate {
  readonly perSecond: number;
  /** Per second of processor time that the server used. */
  readonly perCore: number;
}

interface Contestant {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly questions: readonly DnsQuestion[];
  /** Whether replies must contain a record. */
  readonly answers: boolean;
}

/** Queries per second that a UDP server answers, beside an echo server in Node.js. */
export async function benchUdp(sizes: readonly number[], milliseconds: number): Promise<string> {
  const [clusterIP, headless, , srv] = mixes;
  const contestants: Contestant[] = [
    { name: 'echo', arguments: ['echo'], questions: clusterIP?.questions(10) ?? [], answers: false },
    ...sizes.flatMap((size) =>
      [clusterIP, headless, srv].flatMap((mix) =>
        mix
          ? [
              {
                name: `${mix.name}, ${size.toLocaleString('en-US')} Services`,
                arguments: ['dns', String(size)],
                questions: mix.questions(size),
                answers: true,
              },
            ]
          : [],
      ),
    ),
  ];
  const best = new Map<string, Rate>();
  for (let turn = 0; turn < turns; turn++) {
    for (const contestant of contestants) {
      const rate = await rateOf(contestant, milliseconds);
      const known = best.get(contestant.name);
      if (!known || rate.perCore > known.perCore) best.set(contestant.name, rate);
    }
  }
  const echo = best.get('echo') as Rate;
  const rows = contestants.map(({ name }) => rowOf(name, best.get(name) as Rate, echo));
  return table(['over UDP', 'queries/s', 'of echo', 'queries/s per core', 'of echo', 'at least half'], rows);
}

const [turns, sockets, outstanding] = [sized(3, 1), 4, 32];

function rowOf(name: string, rate: Rate, echo: Rate): string[] {
  const whole = (number: number): string => Math.round(number).toLocaleString('en-US');
  const [seconds, cores] = [rate.perSecond / echo.perSecond, rate.perCore / echo.perCore];
  return [
    name,
    whole(rate.perSecond),
    `${seconds.toFixed(2)} x`,
    whole(rate.perCore),
    `${cores.toFixed(2)} x`,
    cores >= 0.5 ? 'yes' : 'no',
  ];
}

async function rateOf(contestant: Contestant, milliseconds: number): Promise<Rate> {
  const child = fork(join(import.meta.dirname, 'udp-server.ts'), contestant.arguments);
  try {
    const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
    const packets = contestant.questions.map(({ name, type }, at) =>
      encode({ type: 'query', id: at & 0xffff, flags: 0x100, questions: [{ name: name.slice(0, -1), type: type as 'A' }] }),
    );
    await flood(port, packets, milliseconds / 2, contestant.answers);
    const [before, start] = [await cpuOf(child), performance.now()];
    const count = await flood(port, packets, milliseconds, contestant.answers);
    const seconds = (performance.now() - start) / 1000;
    return { perSecond: count / seconds, perCore: count / ((await cpuOf(child)) - before) };
  } finally {
    child.kill();
  }
}

/** Keeps a constant number of queries in flight and counts the replies. Replaces lost queries. */
async function flood(port: number, packets: readonly Uint8Array[], milliseconds: number, answers: boolean): Promise<number> {
  let [received, next] = [0, 0];
  const open = Array.from({ length: sockets }, () => createSocket('udp4'));
  const send = (socket: Socket): void => {
    socket.send(packets[next] as Uint8Array);
    next = next + 1 === packets.length ? 0 : next + 1;
  };
  const failed = Promise.withResolvers<never>();
  for (const socket of open) {
    socket.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('message', (reply) => {
      received++;
      if (answers && ((reply[3] ?? 0) & 15 || reply.readUInt16BE(6) === 0)) failed.reject(new Error(`no answer: ${reply.toString('hex')}`));
      send(socket);
    });
    for (let left = outstanding; left > 0; left--) send(socket);
  }
  await Promise.race([failed.promise, sendUntil(open, send, () => received, milliseconds)]).finally(() => {
    for (const socket of open) socket.close();
  });
  return received;
}

/** Runs until the time is up. If nothing has arrived for a while, packets were lost: sends others. */
async function sendUntil(
  open: readonly Socket[],
  send: (socket: Socket) => void,
  count: () => number,
  milliseconds: number,
): Promise<void> {
  const until = performance.now() + milliseconds;
  for (let known = count(); performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (count() === known) for (const socket of open) send(socket);
    known = count();
  }
}

/** The processor time that a process has used, in seconds. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: NodeJS.CpuUsage }];
  return (cpu.user + cpu.system) / 1e6;
}
