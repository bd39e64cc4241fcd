/**
 * Attacks the servers with connections that shut out other clients if they can, and measures what another client notices. Also measures
 * the memory of many watches and pods. Needs Linux, which has more than one loopback address. Prints "N passed, N failed"; exits with 1 if a limit is exceeded.
 * Usage: npm run hostile [-- --small]. --small takes few connections and checks no times, only that
 * every request of the other client is answered.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { table } from '../bench/measure.ts';
import { chooseBySize, isSmall } from '../bench/size.ts';
import { measurePods, measureWatches } from './memory.ts';
import { type Measurement, measureClient } from './other-client.ts';
import { receive, type ServerKind, type ServerProcess, startProgram, withServer } from './server-process.ts';

interface Attack {
  readonly server: ServerKind;
  readonly title: string;
  /** The address of the attacker. The other client has 127.0.0.1. */
  readonly from: string;
  /** What each connection sends, in hexadecimal. */
  readonly data?: string;
}

/** More than the limit of every server. */
const connectionCount = chooseBySize(10_000, 5_000);
/** Seconds for which the connections are held. */
const holdSeconds = chooseBySize(5, 1);
/** The start of a TLS record that contains a ClientHello, which is incomplete. */
const partOfHandshake = '1603010200010001fc0303';
/** The length of a query, without the query. */
const partOfQuery = '0024';
const sameAddress = '127.0.0.1';
const otherAddress = '127.0.0.2';

const attacks: readonly Attack[] = [
  { server: 'apiserver', title: 'silent', from: sameAddress },
  { server: 'apiserver', title: 'silent', from: otherAddress },
  { server: 'apiserver', title: 'part of a handshake', from: otherAddress, data: partOfHandshake },
  { server: 'webhook', title: 'silent', from: sameAddress },
  { server: 'webhook', title: 'silent', from: otherAddress },
  { server: 'dns', title: 'silent', from: sameAddress },
  { server: 'dns', title: 'part of a query', from: otherAddress, data: partOfQuery },
];

const total = { passed: 0, failed: 0 };
const check = (condition: boolean): string => {
  total[condition ? 'passed' : 'failed'] += 1;
  return condition ? 'yes' : 'NO';
};
const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;
const bytes = (value: number): string => (value >= 1e6 ? `${Math.round(value / 1e6)} MB` : `${(value / 1000).toFixed(1)} kB`);

process.stdout.write(`Node ${process.version}\n\n`);
const attackRows = [];
for (const attack of attacks) attackRows.push(await withServer(attack.server, (server) => carryOut(attack, server)));
const attackHeadings = ['connections', 'from', 'p50, before', 'p99, before', 'p50', 'p99', 'slowest', 'failed', 'closed', 'within limits'];
process.stdout.write(`${table(attackHeadings, attackRows)}\n\n`);
const memoryRows = [await withServer('apiserver', checkWatches), await withServer('apiserver', checkPods)];
process.stdout.write(`${table(['memory of the API server', 'heap of each', 'resident, each', '', 'within limits'], memoryRows)}\n\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

/**
 * Every request of the other client must be answered, at most a second later than before the attack, and 99% of them at most 50 ms later.
 */
async function carryOut({ server: kind, title, from, data = '' }: Attack, server: ServerProcess): Promise<string[]> {
  await measureClient(kind, server, pause(1000));
  const before = await measureClient(kind, server, pause(holdSeconds * 1000));
  const attacker = startProgram('attacker.ts', [String(server.port), from, String(connectionCount), data]);
  try {
    const held = receive(attacker).then(() => pause(holdSeconds * 1000));
    const during = await measureClient(kind, server, held);
    attacker.send('count');
    const closedCount = await receive<number>(attacker);
    const delayAt = (fraction: number): number => percentile(during, fraction) - percentile(before, fraction);
    const isQuick = isSmall || (delayAt(0.99) < 50 && delayAt(1) < 1000);
    return [
      `${kind}: ${connectionCount.toLocaleString('en-US')} ${title}`,
      from,
      milliseconds(percentile(before, 0.5)),
      milliseconds(percentile(before, 0.99)),
      milliseconds(percentile(during, 0.5)),
      milliseconds(percentile(during, 0.99)),
      milliseconds(percentile(during, 1)),
      String(during.failures.length),
      closedCount.toLocaleString('en-US'),
      check(isQuick && during.milliseconds.length > 0 && during.failures.length === 0),
    ];
  } finally {
    attacker.kill();
  }
}

function percentile({ milliseconds: sorted }: Measurement, fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

async function checkWatches(server: ServerProcess): Promise<string[]> {
  const count = chooseBySize(5000, 500);
  const { heap, resident, fanOutMs } = await measureWatches(server, count);
  return [
    `${count.toLocaleString('en-US')} watches over HTTP/2`,
    bytes(heap),
    bytes(resident),
    `a change reaches all in ${Math.round(fanOutMs)} ms`,
    check(heap < 25_000),
  ];
}

async function checkPods(server: ServerProcess): Promise<string[]> {
  const count = chooseBySize(100_000, 2_000);
  const { heap, resident, total: memory } = await measurePods(server, count);
  return [`${count.toLocaleString('en-US')} pods`, bytes(heap), bytes(resident), `${bytes(memory)} in total`, check(heap < 10_000)];
}
