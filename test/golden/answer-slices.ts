/**
 * Runs a release's own EndpointSlice controller on the cases, and writes the vectors. Needs Go.
 * Run: node -C kube-endpoints-source test/golden/answer-slices.ts 1.38.0
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildEndpointsOracle } from '../../conformance/oracle/build.ts';
import type { SliceCase, SliceOutcome, SliceResult } from '../../conformance/oracle/slices/case.ts';
import {
  countHints,
  groupWritten,
  type NodeCase,
  type NodeStep,
  type SliceAnswer,
  type SliceSync,
  textOf,
  toCanonical,
  type WrittenGroup,
} from './slices-form.ts';
import { linesOf, sliceAnswers, sliceReleases } from './vectors.ts';

/** The runs of each case. They differ where the controller chooses at random. */
const RUN_COUNT = 8;

/** The flag of kube-controller-manager has this default. */
const MAX_ENDPOINTS_PER_SLICE = 100;

const cases = linesOf('cases').map((line) => toSliceCase(JSON.parse(line) as NodeCase));

for (const release of process.argv.slice(2)) {
  const binary = await buildEndpointsOracle(release);
  const runs = Array.from({ length: RUN_COUNT }, () => run(binary));
  const lines = cases.map(({ id }, i) =>
    JSON.stringify(
      toAnswer(
        id,
        runs.map((results) => (results[i] as SliceResult).syncs.map(toSync)),
      ),
    ),
  );
  const newLines = withoutRepeated(release, lines);
  writeFileSync(join(import.meta.dirname, 'slices', `${release}.jsonl.gz`), gzipSync(`${newLines.join('\n')}\n`, { level: 9 }));
  process.stdout.write(`${release}: ${lines.length} answers, ${newLines.length} of them differ from the release before\n`);
}

function run(binary: string): SliceResult[] {
  const answers = execFileSync(binary, ['slices'], {
    input: `${cases.map((each) => JSON.stringify(each)).join('\n')}\n`,
    // Controllers before 1.22 write times in the time zone of their process.
    env: { ...process.env, TZ: 'UTC' },
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return answers
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SliceResult);
}

function toSliceCase({ id, steps, ...first }: NodeCase): SliceCase {
  const { namespace = '', name = '' } = first.service.metadata ?? {};
  return {
    id,
    key: `${namespace}/${name}`,
    max: MAX_ENDPOINTS_PER_SLICE,
    ...selectFields(first),
    ...(steps && { steps: steps.map(selectFields) }),
  };
}

/** Leaves out the Endpoints of a case, which the controller does not read. */
function selectFields({ service, pods, nodes, serviceDeleted }: NodeStep): NodeStep {
  return { ...(service && { service }), ...(pods && { pods }), ...(nodes && { nodes }), ...(serviceDeleted && { serviceDeleted }) };
}

function toSync({ writes, error, panic }: SliceOutcome): SliceSync {
  if (panic) throw new Error('the EndpointSlice controller panicked, which the vectors do not describe');
  const written = groupWritten(writes.flatMap(({ verb, object }) => (object ? [{ verb, slice: object }] : [])));
  const deleted = writes.filter(({ verb }) => verb === 'delete').length;
  const slices = { written: sortByText(written.map(sortParts)), deleted };
  return { ...(error !== undefined && { error: true as const }), ...(writes.length > 0 && { slices }) };
}

/** Sorts what has no order, so that equal results of two releases are equal lines. */
function sortParts(group: WrittenGroup): WrittenGroup {
  return { ...group, ports: sortByText(group.ports), sizes: sortByText(group.sizes), endpoints: sortByText(group.endpoints) };
}

function sortByText<T>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/** Merges the runs of a case. */
function toAnswer(id: string, runs: readonly (readonly SliceSync[])[]): SliceAnswer {
  const [first = [], ...others] = runs;
  for (const countsHints of [false, true]) {
    const form = (syncs: readonly SliceSync[]): unknown =>
      syncs.map((sync) => [sync.error, toCanonical(sync, { countsHints, comparesSizes: true })]);
    if (!others.every((each) => isDeepStrictEqual(form(each), form(first)))) continue;
    const [sync, ...steps] = countsHints ? first.map(withHintCounts) : first;
    return { id, ...sync, ...(steps.length > 0 && { steps }) };
  }
  return { id, varies: true };
}

function withHintCounts({ slices, ...sync }: SliceSync): SliceSync {
  if (!slices) return sync;
  const written = slices.written.map((group) => ({
    ...group,
    endpoints: group.endpoints.map(({ hints: _, ...endpoint }) => endpoint),
    hintCounts: countHints(group.endpoints),
  }));
  return { ...sync, slices: { ...slices, written } };
}

/** The lines that differ from the previous release; all of them for the first release. */
function withoutRepeated(release: string, lines: readonly string[]): readonly string[] {
  const previous = sliceReleases[sliceReleases.indexOf(release) - 1];
  if (previous === undefined) return lines;
  const known = new Set([...sliceAnswers()(previous).values()].map((line) => textOf(JSON.parse(line))));
  return lines.filter((line) => !known.has(textOf(JSON.parse(line))));
}
