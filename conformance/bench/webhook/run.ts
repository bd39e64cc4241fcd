/**
 * Times the rules in process, and compares the webhook over HTTPS with a server that allows everything.
 * Run: npm run bench:webhook [-- --small]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createOverrides, type EndpointOverrides } from '@kube-endpoints/overrides';
import { reviewAdmissionInFull } from '@kube-endpoints/overrides/internal';
import { microseconds, table } from '../measure.ts';
import { chooseBySize } from '../size.ts';
import { createLoadGenerator } from './client.ts';
import { createEndpoints, createReview, createRules } from './rules.ts';

const now = new Date('2026-07-01T12:00:00Z');

/** Returns the duration of each call in milliseconds, in ascending order. */
function measureTimes(work: () => unknown, calls: number): readonly number[] {
  for (let warmUpCall = 0; warmUpCall < calls / 2; warmUpCall++) work();
  const times = Float64Array.from({ length: calls }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return [...times.sort()];
}

const quantile = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] as number;

/** Times `work` and reports the round with the lowest p99, because other work on the machine only adds time. */
function createRow(name: string, work: () => unknown): string[] {
  const rounds = Array.from({ length: 3 }, () => measureTimes(work, chooseBySize(1000, 100)));
  const best = rounds.reduce((a, b) => (quantile(b, 0.99) < quantile(a, 0.99) ? b : a));
  return [name, ...[0.5, 0.99].map((share) => microseconds(quantile(best, share) * 1000)), quantile(best, 0.99) <= 1 ? 'yes' : 'no'];
}

function benchInProcess(): string {
  const object = createEndpoints(1000);
  const overrides = createOverrides(createRules(100));
  const withoutMatches = createOverrides({
    rules: createRules(100).rules.filter(({ match }) => !match?.services?.includes('web*')),
  } as EndpointOverrides);
  const request = { operation: 'UPDATE', object, oldObject: object, now } as const;
  const review = JSON.stringify(createReview(object));
  if (!overrides.apply(request).changed) throw new Error('the rules change nothing');
  return table(
    ['1,000 addresses, 100 rules', 'p50', 'p99', 'within 1 ms'],
    [
      createRow('ten rules match', () => overrides.apply(request)),
      createRow('no rule matches', () => withoutMatches.apply(request)),
      createRow('a complete review, from JSON to JSON', () =>
        JSON.stringify(reviewAdmissionInFull(JSON.parse(review), { overrides, now }).review),
      ),
      createRow('parsing its JSON only', () => JSON.parse(review)),
    ],
  );
}

interface Figures {
  /** Reviews per second of elapsed time. */
  readonly perSecond: number;
  /** Reviews per second of the server's processor time. */
  readonly perCore: number;
}

/** Starts a server process and returns its best figures from several rounds. */
async function benchServer(args: readonly string[], expected: string): Promise<Figures> {
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), args);
  try {
    const [address] = (await once(child, 'message')) as [{ readonly port: number; readonly ca: string }];
    const load = await createLoadGenerator(address, JSON.stringify(createReview(createEndpoints(3))), { connections: 16, expected });
    await load.send(chooseBySize(10_000, 500));
    const rounds: Figures[] = [];
    for (let round = 0; round < chooseBySize(3, 1); round++) rounds.push(await measureRound(child, load.send, chooseBySize(15_000, 1000)));
    load.close();
    return { perSecond: Math.max(...rounds.map((round) => round.perSecond)), perCore: Math.max(...rounds.map((round) => round.perCore)) };
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

async function measureRound(child: ChildProcess, send: (count: number) => Promise<void>, count: number): Promise<Figures> {
  const secondsBefore = await cpuOf(child);
  const start = performance.now();
  await send(count);
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: count / seconds, perCore: count / ((await cpuOf(child)) - secondsBefore) };
}

/** Reads the processor time that a process has used, in seconds. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: NodeJS.CpuUsage }];
  return (cpu.user + cpu.system) / 1e6;
}

async function benchOverHttps(): Promise<string> {
  const echo = await benchServer(['echo'], '"allowed":true');
  const rows = [['echo', echo] as const];
  for (const count of [10, 100]) rows.push([`${count} rules`, await benchServer(['rules', String(count)], '"allowed":true')] as never);
  const formatInteger = (number: number): string => Math.round(number).toLocaleString('en-US');
  return table(
    ['HTTPS, 3 addresses', 'reviews/s', 'reviews/s per core', 'of echo', 'at least 3,000'],
    rows.map(([name, { perSecond, perCore }]) => [
      name,
      formatInteger(perSecond),
      formatInteger(perCore),
      `${(perCore / echo.perCore).toFixed(2)} x`,
      perCore >= 3000 ? 'yes' : 'no',
    ]),
  );
}

process.stdout.write(`Node ${process.version}; the best of three rounds each\n\n`);
process.stdout.write(`${benchInProcess()}\n\n${await benchOverHttps()}\n`);
