/**
 * Compares the controllers with kube-controller-manager's. Each works on the same cluster over HTTPS, against its own embedded API server.
 * Run: npm run bench:controllers [-- --services 2000] [--pods 15] [--seconds 20] [--turns 2] [--only start|churn|in-process] [--small]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_RELEASE, reasonForNoCluster } from '../../e2e/cluster.ts';
import { table } from '../measure.ts';
import { chooseBySize, isSmall, skipNote, smallOption } from '../size.ts';
import { type Contestant, kubeControllerManager, kubeEndpoints, type RunningContestant, type Usage } from './contestants.ts';
import { benchInProcess } from './in-process.ts';
import type { ClusterSize } from './objects.ts';
import type { Order, Report } from './server.ts';

const { values } = parseArgs({
  options: {
    ...smallOption,
    services: { type: 'string', default: chooseBySize('2000', '50') },
    /** Per Service. */
    pods: { type: 'string', default: '15' },
    /** Duration of the churn. */
    seconds: { type: 'string', default: chooseBySize('20', '3') },
    /** Rounds of the start-up measurement. */
    turns: { type: 'string', default: chooseBySize('2', '1') },
    only: { type: 'string' },
  },
});

interface Timing extends Usage {
  readonly seconds: number;
}

/** Calls `work` with an embedded API server that holds a cluster and runs in its own process. */
async function withServer<T>(
  { services, podsPerService }: ClusterSize,
  work: (sendOrder: SendOrder, kubeconfig: string) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'kube-endpoints-bench-'));
  const kubeconfig = join(dir, 'kubeconfig');
  const server = fork(join(import.meta.dirname, 'server.ts'), [String(services), String(podsPerService), kubeconfig]);
  try {
    await waitForReport(server, 'listening');
    return await work((order, report) => {
      server.send(order);
      return waitForReport(server, report);
    }, kubeconfig);
  } finally {
    server.kill();
    rmSync(dir, { recursive: true, force: true });
  }
}

type SendOrder = <R extends Report['report']>(order: Order, report: R) => Promise<Extract<Report, { report: R }>>;

function waitForReport<R extends Report['report']>(server: ChildProcess, expected: R): Promise<Extract<Report, { report: R }>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    const onMessage = (message: unknown): void => {
      const report = message as Report;
      if (report.report !== expected) return;
      server.off('message', onMessage).off('exit', onExit);
      resolve(report as Extract<Report, { report: R }>);
    };
    server.on('message', onMessage).on('exit', onExit);
  });
}

/** Measures the time from the start of the process until all objects are written. */
async function measureStart(
  sendOrder: SendOrder,
  contestant: Contestant,
  kubeconfig: string,
): Promise<{ timing: Timing; running: RunningContestant }> {
  const completion = sendOrder({ order: 'await-all' }, 'complete');
  const running = await contestant.start(kubeconfig);
  const { at: completedAt } = await completion;
  return { running, timing: { seconds: (completedAt - running.startedAt) / 1000, ...running.usage() } };
}

const sizes: readonly ClusterSize[] = [
  { services: Number(values.services), podsPerService: Number(values.pods) },
  chooseBySize({ services: 5, podsPerService: 5000 }, { services: 1, podsPerService: 500 }),
];

const describeSize = ({ services, podsPerService }: ClusterSize): string =>
  `${services.toLocaleString('en-US')} Services of ${podsPerService.toLocaleString('en-US')} pods`;

async function measureStartTimes(contestants: readonly Contestant[], rounds: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const best = new Map<string, Timing>();
    for (let round = 0; round < rounds; round++) {
      for (const contestant of contestants) {
        const timing = await withServer(size, async (sendOrder, kubeconfig) => {
          const started = await measureStart(sendOrder, contestant, kubeconfig);
          await started.running.stop();
          return started.timing;
        });
        const previous = best.get(contestant.name);
        if (!previous || timing.seconds < previous.seconds) best.set(contestant.name, timing);
      }
    }
    const timings = contestants.map(({ name }) => best.get(name) as Timing);
    const measures: readonly [string, (timing: Timing) => number, string][] = [
      ['all written after', ({ seconds }) => seconds, 's'],
      ['CPU', ({ cpuSeconds }) => cpuSeconds, 's'],
      ['peak memory', ({ peakMegabytes }) => peakMegabytes, 'MB'],
    ];
    for (const [label, select, unit] of measures) rows.push(createRow(`${describeSize(size)}: ${label}`, timings.map(select), unit));
  }
  return rows;
}

interface ChurnFigures {
  readonly endpoints: readonly number[];
  readonly slices: readonly number[];
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** Once all objects are written, changes pods at a constant rate and measures how long the controllers take to write each change. */
async function measureAllChurn(contestants: readonly Contestant[], perSecond: number, seconds: number): Promise<string[][]> {
  const results: ChurnFigures[] = [];
  for (const contestant of contestants) results.push(await measureChurn(contestant, perSecond, seconds));
  const title = `${perSecond} pod changes per second`;
  const quantile = (share: number, kind: 'slices' | 'endpoints'): number[] =>
    results.map((result) => [...result[kind]].sort((a, b) => a - b)[Math.floor(result[kind].length * share)] ?? Number.NaN);
  return [
    createRow(`${title}: until the slice, p50`, quantile(0.5, 'slices'), 'ms'),
    createRow(`${title}: until the slice, p99`, quantile(0.99, 'slices'), 'ms'),
    createRow(`${title}: until the Endpoints, p50`, quantile(0.5, 'endpoints'), 'ms'),
    createRow(`${title}: until the Endpoints, p99`, quantile(0.99, 'endpoints'), 'ms'),
    createRow(
      `${title}: CPU in ${seconds} s`,
      results.map(({ cpuSeconds }) => cpuSeconds),
      's',
    ),
    createRow(
      `${title}: memory`,
      results.map(({ megabytes }) => megabytes),
      'MB',
    ),
  ];
}

const measureChurn = (contestant: Contestant, perSecond: number, seconds: number): Promise<ChurnFigures> =>
  withServer(sizes[0] as ClusterSize, async (sendOrder, kubeconfig) => {
    const { running } = await measureStart(sendOrder, contestant, kubeconfig);
    const usageBefore = running.usage();
    const { endpoints, slices, changes } = await sendOrder({ order: 'churn', perSecond, seconds }, 'churned');
    if (slices.length < changes || endpoints.length < changes) {
      process.stdout.write(`${contestant.name}: of ${changes} changes, ${slices.length} reached slices, ${endpoints.length} Endpoints\n`);
    }
    const usageAfter = running.usage();
    await running.stop();
    return { endpoints, slices, cpuSeconds: usageAfter.cpuSeconds - usageBefore.cpuSeconds, megabytes: usageAfter.megabytes };
  });

/** The last figure is that of kube-endpoints; the ratio is the first figure divided by it. */
function createRow(title: string, figures: readonly number[], unit: string): string[] {
  const [first, last] = [figures[0] as number, figures.at(-1) as number];
  const formatted = figures.map((figure) => `${figure >= 100 ? Math.round(figure) : figure.toFixed(figure >= 10 ? 1 : 2)} ${unit}`);
  return [title, ...(figures.length > 1 ? formatted : ['-', ...formatted]), figures.length > 1 ? `${(first / last).toFixed(1)} x` : '-'];
}

const skipReason = isSmall ? 'small' : reasonForNoCluster(DEFAULT_RELEASE);
process.stdout.write(skipNote('kube-controller-manager'));
if (skipReason && !isSmall) process.stdout.write(`kube-controller-manager skipped: ${skipReason}\n`);
const contestants = skipReason ? [kubeEndpoints] : [kubeControllerManager(DEFAULT_RELEASE), kubeEndpoints];
process.stdout.write(`Node ${process.version}; start-up is the best of ${values.turns} ${values.turns === '1' ? 'round' : 'rounds'}\n\n`);
const headings = [
  'each on an embedded API server, over HTTPS',
  `kube-controller-manager ${DEFAULT_RELEASE}`,
  'kubectl-endpoints run',
  'ratio',
];
if (values.only !== 'in-process') {
  const rows = [
    ...(values.only === 'churn' ? [] : await measureStartTimes(contestants, Number(values.turns))),
    ...(values.only === 'start' ? [] : await measureAllChurn(contestants, chooseBySize(500, 50), Number(values.seconds))),
  ];
  process.stdout.write(`${table(headings, rows)}\n\n`);
}
if (values.only === undefined || values.only === 'in-process') process.stdout.write(`${await benchInProcess()}\n`);
