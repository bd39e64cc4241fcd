/**
 * Times a node's rules beside kube-proxy's: from objects to the input for nft or iptables-restore, which is not run, and after one change.
 * Run: node conformance/bench/proxy/run.ts [--services 5000] [--endpoints 10] [--release 1.36.3] [--small]
 */
import { parseArgs } from 'node:util';
import { goVersion } from '../../oracle/build.ts';
import { buildProxy } from '../../oracle/proxy/build.ts';
import { answers } from '../../oracle/runner.ts';
import { table } from '../measure.ts';
import { isSmall, sized, skipNote, smallOption } from '../size.ts';
import { type Cost, measureOurs, type Timing } from './ours.ts';
import { worldOf } from './world.ts';

const { values } = parseArgs({
  options: {
    ...smallOption,
    services: { type: 'string', default: sized('5000', '100') },
    endpoints: { type: 'string', default: sized('10', '5') },
    release: { type: 'string', default: '1.36.3' },
  },
});
const [services, endpoints] = [Number(values.services), Number(values.endpoints)];
const binary = isSmall || goVersion() === undefined ? undefined : await buildProxy(values.release);

const title = `${services.toLocaleString('en-US')} Services with ${(services * endpoints).toLocaleString('en-US')} endpoints`;
process.stdout.write(`Node ${process.version}; ${title}; the best of five rounds\n`);
process.stdout.write(skipNote('kube-proxy'));
if (binary === undefined && !isSmall) process.stdout.write('kube-proxy skipped: Go is not installed\n');
const rows: string[][] = [];
for (const mode of ['nftables', 'iptables'] as const) rows.push(...(await rowsOf(mode)));
process.stdout.write(`\n${table(headings(), rows)}\n`);

function headings(): string[] {
  return ['time to the text of the rules', `kube-proxy ${values.release}`, 'kube-endpoints', 'ratio', 'ratio by CPU time', 'goal'];
}

async function rowsOf(mode: 'nftables' | 'iptables'): Promise<string[][]> {
  const world = worldOf(services, endpoints, mode);
  const ours = measureOurs(world);
  const [theirs] = binary === undefined ? [] : await answers<Timing>(binary, 'bench', [world]);
  const noSlower = theirs ? (ours.full.processor <= theirs.full.processor ? 'yes' : 'no') : '-';
  const times = ours.full.processor / ours.changed.processor;
  return [
    row(`${mode}: first sync, from objects`, theirs?.full, ours.full, `no more CPU time: ${noSlower}`),
    row(`${mode}: full sync again`, theirs?.again, ours.again, ''),
    row(`${mode}: one endpoint changed`, theirs?.changed, ours.changed, `1/100 of the first sync: ${times >= 100 ? 'yes' : 'no'}`),
    sizeRow(`${mode}: text of all rules`, theirs?.fullBytes, ours.fullBytes),
    sizeRow(`${mode}: text of the change`, theirs?.changedBytes, ours.changedBytes),
  ];
}

function row(name: string, theirs: Cost | undefined, ours: Cost, wanted: string): string[] {
  const [clock, processor] = theirs ? [theirs.clock / ours.clock, theirs.processor / ours.processor] : [];
  return [name, theirs ? shown(theirs.clock) : '-', shown(ours.clock), ratio(clock), ratio(processor), wanted];
}

function sizeRow(name: string, theirs: number | undefined, ours: number): string[] {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  return [name, theirs === undefined ? '-' : kilobytes(theirs), kilobytes(ours), ratio(theirs && theirs / ours), '', ''];
}

function ratio(value: number | undefined): string {
  return value === undefined ? '-' : `${value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)} x`;
}

function shown(milliseconds: number): string {
  return `${milliseconds >= 100 ? Math.round(milliseconds) : milliseconds.toFixed(milliseconds >= 10 ? 1 : 3)} ms`;
}
