/**
 * Measures `explain` on a dump of a large cluster, each command in a process of its own, and compares its CPU time with that of a process
 * that only parses the dump.
 * Run: npm run bench:cli [-- --small]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { table } from '../measure.ts';
import { chooseBySize, isSmall } from '../size.ts';
import { createDump } from './objects.ts';

const size = { services: chooseBySize(2000, 50), podsPerService: 15 };
const nodeCount = chooseBySize(300, 10);
const namespace = 'team-0';
const service = 'web-7';
const program = join(import.meta.dirname, '../../../packages/cli/dist/bin.js');
const parseProgram = "JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))";

interface Cost {
  /** User and system time. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Appends a line with the costs to standard error when the process ends. */
const reporter = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('\\n' + JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMegabytes: maxRSS / 1024 }));
});`;

/** Returns the costs of the cheapest of several runs of Node.js. @throws Error if a run fails */
function measure(args: readonly string[], folder: string): Cost {
  const file = join(folder, 'report.cjs');
  writeFileSync(file, reporter);
  const costs = Array.from({ length: chooseBySize(5, 1) }, () => {
    const { status, stderr } = spawnSync(process.execPath, ['--require', file, ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 });
    if (status === null || status > 1) throw new Error(`${args.join(' ')}: exit code ${status}: ${stderr}`);
    return JSON.parse(stderr.split('\n').at(-1) ?? '') as Cost;
  });
  return costs.reduce((best, cost) => (cost.cpuSeconds < best.cpuSeconds ? cost : best));
}

interface Goal {
  readonly ratio: number;
  readonly peakMegabytes: number;
}

function benchDump(folder: string, name: string, indent: number | undefined, items: readonly object[], goal: Goal): string[][] {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }, null, indent));
  const parse = measure(['-e', parseProgram, file], folder);
  const one = measure([program, 'explain', '-n', namespace, service, '-f', file], folder);
  const all = measure([program, 'explain', '-A', '-f', file], folder);
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const createRow = (command: string, { cpuSeconds, peakMegabytes }: Cost, verdict = ''): string[] => [
    `${name}, ${megabytes} MB: ${command}`,
    `${cpuSeconds.toFixed(2)} s`,
    `${(cpuSeconds / parse.cpuSeconds).toFixed(2)} x`,
    `${peakMegabytes.toFixed(0)} MB`,
    verdict,
  ];
  const reachesGoal = one.cpuSeconds <= goal.ratio * parse.cpuSeconds && one.peakMegabytes <= goal.peakMegabytes;
  return [
    createRow('JSON.parse only', parse),
    createRow(`explain ${service}`, one, `${goal.ratio} x, ${goal.peakMegabytes} MB: ${isSmall ? '-' : reachesGoal ? 'yes' : 'no'}`),
    createRow('explain -A', all),
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'bench-cli-'));
try {
  const items = [...createDump(size, nodeCount)];
  const { services, podsPerService } = size;
  process.stdout.write(`Node ${process.version}; ${services} Services, ${services * podsPerService} pods, ${nodeCount} nodes\n\n`);
  const rows = [
    ...benchDump(folder, 'compact', undefined, items, { ratio: 1.5, peakMegabytes: 300 }),
    ...benchDump(folder, 'indented', 4, items, { ratio: 1.5, peakMegabytes: 400 }),
  ];
  process.stdout.write(`${table(['the whole process', 'CPU', 'of JSON.parse', 'peak memory', 'goal'], rows)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
