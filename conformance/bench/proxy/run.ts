/**
 * Compares the time to compute a node's rules with kube-proxy's: from objects to the input for nft or iptables-restore, and after one
 * change. The input is not applied.
 * Run: node conformance/bench/proxy/run.ts [--services 5000] [--endpoints 10] [--release 1.36.3] [--small]
 */
import { parseArgs } from 'node:util';
import { goVersion } from '../../oracle/build.ts';
import { buildProxy } from '../../oracle/proxy/build.ts';
import { runCases } from '../../oracle/runner.ts';
import { table } from '../measure.ts';
import { chooseBySize, isSmall, skipNote, smallOption } from '../size.ts';
import { createBenchCase } from './bench-case.ts';
import { type Cost, measureProxier, type Timing } from './proxier.ts';

const { values } = parseArgs({
  options: {
    ...smallOption,
    services: { type: 'string', default: chooseBySize('5000', '100') },
    endpoints: { type: 'string', default: chooseBySize('10', '5') },
    release: { type: 'string', default: '1.36.3' },
  },
});
const [serviceCount, endpointsPerService] = [Number(values.services), Number(values.endpoints)];
const binary = isSmall || goVersion() === undefined ? undefined : await buildProxy(values.release);

const title = `${serviceCount.toLocaleString('en-US')} Services with ${(serviceCount * endpointsPerService).toLocaleString('en-US')} endpoints`;
process.stdout.write(`Node ${process.version}; ${title}; the best of five rounds\n`);
process.stdout.write(skipNote('kube-proxy'));
if (binary === undefined && !isSmall) process.stdout.write('kube-proxy skipped: Go is not installed\n');
const rows: string[][] = [];
for (const mode of ['nftables', 'iptables'] as const) rows.push(...(await createRows(mode)));
process.stdout.write(`\n${table(createHeadings(), rows)}\n`);

function createHeadings(): string[] {
  return ['time to the text of the rules', `kube-proxy ${values.release}`, 'kube-endpoints', 'ratio', 'ratio by CPU time', 'goal'];
}

async function createRows(mode: 'nftables' | 'iptables'): Promise<string[][]> {
  const benchCase = createBenchCase(serviceCount, endpointsPerService, mode);
  const ours = measureProxier(benchCase);
  const [theirs] = binary === undefined ? [] : await runCases<Timing>(binary, 'bench', [benchCase]);
  const needsNoMoreCpu = theirs ? (ours.full.processor <= theirs.full.processor ? 'yes' : 'no') : '-';
  const changeSpeedup = ours.full.processor / ours.changed.processor;
  return [
    createRow(`${mode}: first sync, from objects`, theirs?.full, ours.full, `no more CPU time: ${needsNoMoreCpu}`),
    createRow(`${mode}: full sync without a change`, theirs?.unchanged, ours.unchanged, ''),
    createRow(
      `${mode}: one endpoint changed`,
      theirs?.changed,
      ours.changed,
      `1/100 of the first sync: ${changeSpeedup >= 100 ? 'yes' : 'no'}`,
    ),
    createSizeRow(`${mode}: text of all rules`, theirs?.fullBytes, ours.fullBytes),
    createSizeRow(`${mode}: text of the change`, theirs?.changedBytes, ours.changedBytes),
  ];
}

function createRow(name: string, theirs: Cost | undefined, ours: Cost, goal: string): string[] {
  const [elapsedRatio, cpuRatio] = theirs ? [theirs.elapsed / ours.elapsed, theirs.processor / ours.processor] : [];
  const theirTime = theirs ? formatMilliseconds(theirs.elapsed) : '-';
  return [name, theirTime, formatMilliseconds(ours.elapsed), formatRatio(elapsedRatio), formatRatio(cpuRatio), goal];
}

function createSizeRow(name: string, theirs: number | undefined, ours: number): string[] {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  return [name, theirs === undefined ? '-' : kilobytes(theirs), kilobytes(ours), formatRatio(theirs && theirs / ours), '', ''];
}

function formatRatio(value: number | undefined): string {
  return value === undefined ? '-' : `${value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)} x`;
}

function formatMilliseconds(milliseconds: number): string {
  return `${milliseconds >= 100 ? Math.round(milliseconds) : milliseconds.toFixed(milliseconds >= 10 ? 1 : 3)} ms`;
}
