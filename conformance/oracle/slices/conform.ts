import { isDeepStrictEqual } from 'node:util';
import type { EndpointInput } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { buildEndpointsOracle, minorOf } from '../build.ts';
import type { ConformanceCheck } from '../conform.ts';
import { generateSliceCases } from '../generate/slices.ts';
import { generateMirrorCases } from '../generate/slices-mirror.ts';
import { runSliceOracle, timeZone } from '../runner.ts';
import type { SliceCase, SliceMode, SliceResult, SliceStep } from './case.ts';
import { type Verdict, verdictOf } from './compare.ts';
import { feedPlannerFor, plannerFor, replaySlices, type SlicePair } from './replay.ts';

/** The comparison of the syncs of a release. */
interface SliceCounts {
  cases: number;
  syncs: number;
  writes: number;
  /** Cases in which the controller panics, compared up to the panic. */
  panics: number;
  /** The number of syncs with each verdict. */
  readonly verdicts: Record<Verdict, number>;
  /** Cases with a mismatch. */
  failed: number;
  readonly examples: SliceMismatch[];
}

interface SliceMismatch {
  readonly id: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

const chunkSize = 250;
const maxShownMismatches = 5;

/** How often the controller repeats a sync from the same state if our outcome is not its first. */
const repeats = 24;

/**
 * How often a whole case is repeated with other random choices. More often if few cases are left, because Go iterates a map of two address
 * types in the less likely order only once in eight times.
 */
const roundsFor = (remaining: number): number => (remaining > 4 ? 12 : 80);

/** The number of mismatches that are repeated; further ones are only counted. */
const maxRepeatedMismatches = 200;

/**
 * Compares the library's EndpointSlices or mirroring with those of a release's controller for random cases, prints the results, and returns
 * the
 * numbers of cases and mismatches; both are 0 before the first release of the controller.
 */
export const createSliceConformanceCheck =
  (mode: SliceMode): ConformanceCheck =>
  async (release, seed, count, print) => {
    if (minorOf(release) < firstMinors[mode]) return [0, 0];
    const counts = await buildEndpointsOracle(release)
      .then((binary) => compareSlices(mode, release, binary, seed, count))
      .catch((error: unknown) => createFailedCounts(error, count));
    reportSlices(mode, release, counts, print);
    return [counts.cases, counts.failed];
  };

/** The first minor release with v1beta1, and with the mirroring controller. */
const firstMinors: Readonly<Record<SliceMode, number>> = { slices: 17, mirror: 19 };

/**
 * Compares the library with an EndpointSlice controller for `count` cases of a seed. A case that differs from the first outcome
 * is repeated, each sync several times from one state, because a controller packs randomly.
 */
async function compareSlices(mode: SliceMode, release: string, binary: string, seed: number, count: number): Promise<SliceCounts> {
  const counts = createCounts();
  for (let from = 0; from < count; from += chunkSize) {
    const cases = withoutLeadingZeros(mode, release, generators[mode](seed, Math.min(chunkSize, count - from), from)).map((each) =>
      withTopology(each, release),
    );
    const results = await runSliceOracle(binary, mode, cases);
    const casesToRepeat: SliceCase[] = [];
    for (const [i, testCase] of cases.entries()) {
      const result = results[i] as SliceResult;
      const pairs = replayCase(mode, release, testCase, result);
      const shouldRepeat = Array.isArray(pairs) && casesToRepeat.length + counts.failed < maxRepeatedMismatches;
      if (Array.isArray(pairs) && pairs.every(isFinal)) countPairs(counts, pairs, result);
      else if (shouldRepeat) casesToRepeat.push(testCase);
      else addMismatch(counts, { id: testCase.id, expected: result.syncs, actual: pairs });
    }
    await rerunAll(mode, release, binary, casesToRepeat, counts);
  }
  return counts;
}

const createCounts = (): SliceCounts => ({
  cases: 0,
  syncs: 0,
  writes: 0,
  panics: 0,
  failed: 0,
  verdicts: { same: 0, varied: 0, fewer: 0, placed: 0, broken: 0, mismatch: 0 },
  examples: [],
});

/** If the oracle of a release does not build or fails, all its cases fail, and other releases still run. */
const createFailedCounts = (error: unknown, count: number): SliceCounts => ({
  ...createCounts(),
  cases: count,
  failed: count,
  examples: [{ id: 'all cases', expected: error instanceof Error ? error.message : String(error), actual: null }],
});

/**
 * Removes leading zeros of IPv4 addresses for mirroring up to 1.22, which parses addresses with Go's net package: old versions of Go accept
 * leading zeros, current versions do not. Later releases have their own parser.
 */
const withoutLeadingZeros = (mode: SliceMode, release: string, cases: SliceCase[]): SliceCase[] =>
  mode === 'slices' || minorOf(release) > 22
    ? cases
    : (JSON.parse(JSON.stringify(cases).replaceAll(/\b0(?=\d+\.\d+\.\d+\.\d+)/g, '')) as SliceCase[]);

/** Adds the topology map of v1beta1 to the slices of a case, with the node and the zone of each endpoint. */
export function withTopology(testCase: SliceCase, release: string): SliceCase {
  if (profileFor(release).slicesAreV1) return testCase;
  const convert = <Step extends SliceStep>(step: Step): Step =>
    step.slices ? { ...step, slices: step.slices.map((slice) => ({ ...slice, endpoints: slice.endpoints?.map(addTopology) })) } : step;
  return { ...convert(testCase), ...(testCase.steps && { steps: testCase.steps.map(convert) }) };
}

function addTopology(endpoint: EndpointInput): EndpointInput {
  const { nodeName, zone } = endpoint;
  const topology = { ...(nodeName && { 'kubernetes.io/hostname': nodeName }), ...(zone && { 'topology.kubernetes.io/zone': zone }) };
  return { ...endpoint, topology };
}

const generators: Readonly<Record<SliceMode, (seed: number, count: number, from: number) => SliceCase[]>> = {
  slices: generateSliceCases,
  mirror: generateMirrorCases,
};

/**
 * Repeats cases, because the controller's state also depends on its random choices, for example the iteration order of address
 * types. A case is a mismatch if our outcome of some sync never occurs.
 */
async function rerunAll(mode: SliceMode, release: string, binary: string, cases: readonly SliceCase[], counts: SliceCounts): Promise<void> {
  let remaining = cases;
  for (let round = 1; remaining.length > 0; round++) {
    const results = await runSliceOracle(
      binary,
      mode,
      remaining.map((each) => ({ ...each, repeat: repeats })),
    );
    const maxRounds = roundsFor(remaining.length);
    remaining = remaining.filter((testCase, i) => {
      const result = results[i] as SliceResult;
      const pairs = replayCase(mode, release, testCase, result);
      const agrees = Array.isArray(pairs) && pairs.every(({ ours, theirs }) => theirs.panic || verdictOf(ours, theirs) !== 'mismatch');
      if (!agrees && round < maxRounds) return true;
      if (Array.isArray(pairs)) countPairs(counts, pairs, result);
      else addMismatch(counts, { id: testCase.id, expected: result.syncs, actual: pairs });
      return false;
    });
  }
}

/** Whether a sync need not be repeated: the outcomes agree, or the controller panics, which ends the case without a comparison. */
const isFinal = ({ ours, theirs }: SlicePair): boolean => theirs.panic === true || finalVerdicts.includes(verdictOf(ours, theirs));

const finalVerdicts: readonly Verdict[] = ['same', 'broken'];

/** Replays a case. Returns our outcomes with the oracle's, or the error that was thrown. */
function replayCase(mode: SliceMode, version: string, testCase: SliceCase, result: SliceResult): SlicePair[] | { readonly thrown: string } {
  try {
    const pairs = replaySlices(plannerFor(mode, testCase, version, timeZone), testCase, result);
    const withFeed = replaySlices(feedPlannerFor(mode, testCase, version, timeZone), testCase, result);
    return isDeepStrictEqual(withFeed, pairs) ? pairs : { thrown: `on a feed: ${JSON.stringify(withFeed.map(({ ours }) => ours))}` };
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function countPairs(counts: SliceCounts, pairs: readonly SlicePair[], { id }: SliceResult): void {
  let mismatch: SliceMismatch | undefined;
  for (const [sync, { ours, theirs }] of pairs.entries()) {
    counts.writes += theirs.writes.length;
    counts[theirs.panic ? 'panics' : 'syncs'] += 1;
    if (theirs.panic) continue;
    const verdict = verdictOf(ours, theirs);
    counts.verdicts[verdict] += 1;
    if (verdict === 'mismatch')
      mismatch ??= { id, expected: { sync, ...theirs, others: theirs.others?.slice(0, 1) }, actual: { sync, ...ours } };
  }
  if (mismatch) addMismatch(counts, mismatch);
  else counts.cases += 1;
}

function addMismatch(counts: SliceCounts, mismatch: SliceMismatch): void {
  counts.cases += 1;
  counts.failed += 1;
  if (counts.examples.length < maxShownMismatches) counts.examples.push(mismatch);
}

function reportSlices(
  mode: SliceMode,
  release: string,
  { cases, syncs, writes, panics, verdicts, failed, examples }: SliceCounts,
  print: (line: string) => void,
): void {
  const { same, varied, fewer, placed, broken } = verdicts;
  const notes = [
    `${cases} cases`,
    `${syncs} syncs with ${writes} writes compared: ${same} equal`,
    `${varied} equal to another run of the release`,
    `${fewer} with fewer writes than it ever needs`,
    `${placed} equal in endpoints and hint counts, with varying answers of the release`,
    ...(broken > 0 ? [`${broken} in which the release creates an existing slice`] : []),
    ...(panics > 0 ? [`${panics} panics`] : []),
    `${failed} mismatches`,
  ];
  print(`${release} ${mode}: ${notes.join(', ')}`);
  for (const { id, expected, actual } of examples) {
    print(`  ${id} in ${release}\n    expected ${JSON.stringify(expected)}\n    actual   ${JSON.stringify(actual)}`);
  }
}
