import { type ClusterZone, createClusterZone } from 'kube-endpoints/dns';
import { goVersion } from '../../oracle/build.ts';
import { buildDns } from '../../oracle/dns/build.ts';
import type { DnsCase } from '../../oracle/dns/case.ts';
import { configOf } from '../../oracle/dns/replay.ts';
import { runCases } from '../../oracle/runner.ts';
import { table } from '../measure.ts';
import { isSmall } from '../size.ts';
import { createObjects, type QuestionKind, questionKinds } from './objects.ts';

interface Speed {
  readonly id: string;
  /** The number of questions answered with a record. */
  readonly found: number;
  readonly perSecond: number;
  /** Per second of processor time, on all cores. */
  readonly perCore: number;
}

/**
 * Compares the answers per second of a zone with those of the plugin in a CoreDNS release. No packets are encoded or decoded.
 */
export async function benchInProcess(release: string, sizes: readonly number[], milliseconds: number): Promise<string> {
  const binary = isSmall || goVersion() === undefined ? undefined : await buildDns(release);
  const headings = [
    'answers/s, in process',
    'Services',
    `CoreDNS ${release}`,
    'kube-endpoints',
    'ratio',
    'ratio by CPU time',
    'at least equal',
  ];
  const rows: string[][] = [];
  for (const kind of questionKinds) {
    const questions = new Map(sizes.map((size) => [size, createCase(kind, size)]));
    const ours = sizes.map((size) => measureZone(release, questions.get(size) as DnsCase, milliseconds));
    const theirs = binary === undefined ? [] : await runCases<Speed>(binary, 'bench', [...questions.values()]);
    for (const [sizeIndex, size] of sizes.entries()) rows.push(createRow(kind, size, theirs[sizeIndex], ours[sizeIndex] as Speed));
  }
  const skipNote = binary === undefined && !isSmall ? `CoreDNS skipped: Go is not installed\n` : '';
  return `${skipNote}${table(headings, rows)}`;
}

const createCase = (kind: QuestionKind, size: number): DnsCase => ({
  id: `${kind.name}, ${size}`,
  zone: 'cluster.local.',
  podMode: 'disabled',
  endpointNameMode: false,
  ttl: 5,
  objects: createObjects(size),
  queries: kind.createQuestions(size),
});

/** Returns the best of five rounds, as for CoreDNS. Creates a new name string for each question, as if it were decoded from a packet. */
function measureZone(release: string, dnsCase: DnsCase, milliseconds: number): Speed {
  const zone = createClusterZone(configOf(release, dnsCase), { objects: dnsCase.objects, now: () => 0 });
  const answeredCount = dnsCase.queries.filter((question) => (zone.answer(question).reply?.answer.length ?? 0) > 0).length;
  const encodedQuestions = dnsCase.queries.map(({ name, type }) => ({ bytes: Buffer.from(name, 'latin1'), type }));
  const rates = Array.from({ length: 5 }, () => measureRate(zone, encodedQuestions, milliseconds));
  return {
    id: dnsCase.id,
    found: answeredCount,
    perSecond: Math.max(...rates.map(({ perSecond }) => perSecond)),
    perCore: Math.max(...rates.map(({ perCore }) => perCore)),
  };
}

type EncodedQuestions = readonly { readonly bytes: Buffer; readonly type: string }[];

function measureRate(zone: ClusterZone, encodedQuestions: EncodedQuestions, milliseconds: number): Pick<Speed, 'perSecond' | 'perCore'> {
  const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
  let [answerCount, nextIndex, now] = [0, 0, start];
  while (now < start + milliseconds) {
    for (let remaining = 64; remaining > 0; remaining--) {
      const { bytes, type } = encodedQuestions[nextIndex] as EncodedQuestions[number];
      zone.answer({ name: bytes.toString('latin1'), type });
      nextIndex = nextIndex + 1 === encodedQuestions.length ? 0 : nextIndex + 1;
    }
    answerCount += 64;
    now = performance.now();
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond: (answerCount * 1000) / (now - start), perCore: (answerCount * 1e6) / (user + system) };
}

function createRow(kind: QuestionKind, size: number, theirs: Speed | undefined, ours: Speed): string[] {
  if (theirs && theirs.found !== ours.found) {
    throw new Error(`${ours.id}: CoreDNS has a record for ${theirs.found} questions, kube-endpoints for ${ours.found}`);
  }
  const [elapsedRatio, cpuRatio] = theirs ? [ours.perSecond / theirs.perSecond, ours.perCore / theirs.perCore] : [];
  const formatRatio = (ratio: number | undefined): string => (ratio === undefined ? '-' : `${ratio.toFixed(1)} x`);
  return [
    kind.name,
    size.toLocaleString('en-US'),
    theirs ? formatInteger(theirs.perSecond) : '-',
    formatInteger(ours.perSecond),
    formatRatio(elapsedRatio),
    formatRatio(cpuRatio),
    cpuRatio === undefined ? '-' : cpuRatio >= 1 ? 'yes' : 'no',
  ];
}

const formatInteger = (number: number): string => Math.round(number).toLocaleString('en-US');
