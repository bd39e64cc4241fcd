import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Case, outcomesOf, type Result, type Write } from '../../conformance/oracle/case.ts';
import { isEquivalent } from '../../conformance/oracle/compare.ts';
import { replay } from '../../conformance/oracle/replay.ts';
import { sampled } from '../support/sample.ts';
import { firstFixedRelease, flavourOf, flavours, hasPanic, idOf, linesOf, panickingReleases, readPanics, releases } from './vectors.ts';

const caseLines = linesOf('cases');
const ids = caseLines.map(idOf);
const knownPanics = readPanics();

describe.each(releases)('release %s computes the Endpoints that the controller of Kubernetes wrote', (release) => {
  let results: readonly string[] = [];
  beforeAll(() => {
    results = linesOf(release);
  });

  it('has a recorded result for every case', () => {
    expect(results.map(idOf)).toStrictEqual(ids);
  });

  it.each(flavours)('computes the same results as Kubernetes for the cases %s', (flavour) => {
    const indexes = ids.flatMap((id, index) => (flavourOf(id) === flavour && !knownPanics[release]?.includes(id) ? [index] : []));
    expect(indexes.length).toBeGreaterThan(0);
    for (const index of sampled(indexes)) expectSame(release, parseCase(index), JSON.parse(results[index] ?? '') as Result);
  });
});

describe(`for cases in which a release panics, the recorded results of ${firstFixedRelease} apply`, () => {
  let answers: readonly string[] = [];
  beforeAll(() => {
    answers = linesOf(firstFixedRelease);
  });

  it.each(releases)('the list of these cases is complete for release %s', (release) => {
    const panicLines = linesOf(release).filter((line) => line.includes('"panic":true') && hasPanic(JSON.parse(line) as Result));
    expect(panicLines.map(idOf)).toStrictEqual(knownPanics[release] ?? []);
    expect(panicLines.length > 0).toBe(panickingReleases.includes(release));
  });

  it.each(panickingReleases)(`release %s computes the same results as Kubernetes ${firstFixedRelease}`, (release) => {
    for (const id of sampled(knownPanics[release] ?? [])) {
      const index = ids.indexOf(id);
      const testCase = parseCase(index);
      const answer = JSON.parse(answers[index] ?? '') as Result;
      expect(testCase.service.spec?.ipFamilies ?? []).toStrictEqual([]);
      if (release === '1.35.4') expectSame(release, testCase, answer);
      else expectSameIgnoringOrder(release, testCase, answer);
    }
  });
});

const parseCase = (index: number): Case => JSON.parse(caseLines[index] ?? '') as Case;

/** Compares every write of every sync: verb, metadata and subsets, and the subsets as text, which also shows the order of their fields. */
function expectSame(release: string, testCase: Case, result: Result): void {
  const computed = replay(testCase, release);
  const recorded = outcomesOf(result);
  expect(computed.length, `${release} ${testCase.id}: syncs`).toBe(recorded.length);
  for (const [step, { endpoints }] of recorded.entries()) {
    const writes = computed[step]?.writes ?? [];
    const isSame = isDeepStrictEqual(writes, endpoints) && textOf(writes) === textOf(endpoints) && !computed[step]?.retry;
    if (isSame) continue;
    const location = `${release} ${testCase.id}, sync ${step}`;
    expect(writes, location).toStrictEqual(endpoints);
    expect(textOf(writes), location).toBe(textOf(endpoints));
    expect(computed[step]?.retry, location).toBeUndefined();
  }
}

const textOf = (writes: readonly Write[]): string => JSON.stringify(writes.map(({ object }) => object?.subsets));

/** Ignores the order of ports and subsets: the older hash sorts them differently. Before 1.35, a changed order alone causes a write. */
function expectSameIgnoringOrder(release: string, testCase: Case, result: Result): void {
  const computed = replay(testCase, release);
  const location = `${release} ${testCase.id}`;
  expect(isEquivalent(testCase, result, computed), `${location}: ${JSON.stringify(computed)} is not ${JSON.stringify(result)}`).toBe(true);
  for (const [step, { endpoints }] of outcomesOf(result).entries()) {
    const writes = computed[step]?.writes ?? [];
    // An unnecessary write has no counterpart in the fixed release.
    if (writes.length > endpoints.length) continue;
    expect(writes.map(withoutOrder), `${location}, sync ${step}`).toStrictEqual(endpoints.map(withoutOrder));
  }
}

function withoutOrder({ verb, name, object }: Write): unknown {
  const subsets = (object?.subsets ?? []).map((subset) => ({ ...subset, ports: sortedByText(subset.ports ?? []) }));
  return { verb, name, metadata: object?.metadata, subsets: sortedByText(subsets) };
}

const sortedByText = <T>(list: readonly T[]): T[] => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
