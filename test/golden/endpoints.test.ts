import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Case, outcomesOf, type Result, type Write } from '../../conformance/oracle/case.ts';
import { isEquivalent } from '../../conformance/oracle/compare.ts';
import { replay } from '../../conformance/oracle/replay.ts';
import { sampled } from '../support/sample.ts';
import { flavourOf, flavours, idOf, linesOf, panicking, panics, readPanics, releases, untilBackports } from './vectors.ts';

const caseLines = linesOf('cases');
const ids = caseLines.map(idOf);
const known = readPanics();

describe.each(releases)('%s writes what its own controller wrote', (release) => {
  let results: readonly string[] = [];
  beforeAll(() => {
    results = linesOf(release);
  });

  it('has results for the same cases', () => {
    expect(results.map(idOf)).toStrictEqual(ids);
  });

  it.each(flavours)('%s', (flavour) => {
    const answered = ids.flatMap((id, place) => (flavourOf(id) === flavour && !known[release]?.includes(id) ? [place] : []));
    expect(answered.length).toBeGreaterThan(0);
    for (const place of sampled(answered)) expectSame(release, caseAt(place), JSON.parse(results[place] ?? '') as Result);
  });
});

describe(`cases in which a release panics match ${untilBackports}`, () => {
  let answers: readonly string[] = [];
  beforeAll(() => {
    answers = linesOf(untilBackports);
  });

  it.each(releases)('the list of such cases is that of the vectors of %s', (release) => {
    const found = linesOf(release).filter((line) => line.includes('"panic":true') && panics(JSON.parse(line) as Result));
    expect(found.map(idOf)).toStrictEqual(known[release] ?? []);
    expect(found.length > 0).toBe(panicking.includes(release));
  });

  it.each(panicking)('%s', (release) => {
    for (const id of sampled(known[release] ?? [])) {
      const place = ids.indexOf(id);
      const testCase = caseAt(place);
      const answer = JSON.parse(answers[place] ?? '') as Result;
      expect(testCase.service.spec?.ipFamilies ?? []).toStrictEqual([]);
      if (release === '1.35.4') expectSame(release, testCase, answer);
      else expectSameButForOrder(release, testCase, answer);
    }
  });
});

const caseAt = (place: number): Case => JSON.parse(caseLines[place] ?? '') as Case;

/** Every write of every sync: verb, metadata and subsets, and the subsets as text, which also has their order and fields. */
function expectSame(release: string, testCase: Case, result: Result): void {
  const ours = replay(testCase, release);
  const theirs = outcomesOf(result);
  expect(ours.length, `${release} ${testCase.id}: syncs`).toBe(theirs.length);
  for (const [step, { endpoints }] of theirs.entries()) {
    const got = ours[step]?.writes ?? [];
    const same = isDeepStrictEqual(got, endpoints) && textOf(got) === textOf(endpoints) && !ours[step]?.retry;
    if (same) continue;
    const place = `${release} ${testCase.id}, sync ${step}`;
    expect(got, place).toStrictEqual(endpoints);
    expect(textOf(got), place).toBe(textOf(endpoints));
    expect(ours[step]?.retry, place).toBeUndefined();
  }
}

const textOf = (writes: readonly Write[]): string => JSON.stringify(writes.map(({ object }) => object?.subsets));

/** The older hash sorts ports and subsets differently, and before 1.35 a change of order alone is written. */
function expectSameButForOrder(release: string, testCase: Case, result: Result): void {
  const ours = replay(testCase, release);
  const place = `${release} ${testCase.id}`;
  expect(isEquivalent(testCase, result, ours), `${place}: ${JSON.stringify(ours)} is not ${JSON.stringify(result)}`).toBe(true);
  for (const [step, { endpoints }] of outcomesOf(result).entries()) {
    const got = ours[step]?.writes ?? [];
    // An unnecessary write has no counterpart in the fixed release.
    if (got.length > endpoints.length) continue;
    expect(got.map(unordered), `${place}, sync ${step}`).toStrictEqual(endpoints.map(unordered));
  }
}

function unordered({ verb, name, object }: Write): unknown {
  const subsets = (object?.subsets ?? []).map((subset) => ({ ...subset, ports: sortedByText(subset.ports ?? []) }));
  return { verb, name, metadata: object?.metadata, subsets: sortedByText(subsets) };
}

const sortedByText = <T>(list: readonly T[]): T[] => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
