import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { answer, canonical, type NodeCase, type SliceAnswer, type SliceSync, type WrittenGroup } from './slices-form.ts';
import { flavourOf, flavours, idOf, linesOf, sampled, sliceAnswers, sliceReleases } from './vectors.ts';

const caseLines = linesOf('cases');
const ids = caseLines.map(idOf);
const answers = sliceAnswers();

/**
 * Where the library needs fewer writes than the controller did: by release, in how many syncs of all cases. It is a table to be read;
 * a change of it is a change of behaviour.
 */
const fewerWrites: Readonly<Record<string, number>> = {};

describe.each(sliceReleases)('%s writes the EndpointSlices that its own controller wrote', (release) => {
  const fewer: string[] = [];
  let known: ReadonlyMap<string, string> = new Map();
  beforeAll(() => {
    known = answers(release);
  });

  it('the same cases are answered', () => {
    expect([...known.keys()].sort()).toEqual([...ids].sort());
  });

  it.each(flavours)('%s', (flavour) => {
    const places = ids.flatMap((id, place) => (flavourOf(id) === flavour ? [place] : []));
    let compared = 0;
    for (const place of sampled(places)) {
      const theirs = JSON.parse(known.get(ids[place] ?? '') ?? '') as SliceAnswer;
      if (theirs.varies) continue;
      compared += 1;
      fewer.push(...compare(release, JSON.parse(caseLines[place] ?? '') as NodeCase, theirs));
    }
    expect(compared).toBeGreaterThan(0);
  });

  it.skipIf(process.env['KUBE_ENDPOINTS_SAMPLE'] !== undefined)('needs fewer writes where the table says so', () => {
    expect(fewer).toHaveLength(fewerWrites[release] ?? 0);
  });
});

/** Compares every sync; the ids of those in which ours writes less. */
function compare(release: string, testCase: NodeCase, theirs: SliceAnswer): string[] {
  const ours = answer(testCase, release);
  const { steps = [], ...first } = theirs;
  const syncs: readonly SliceSync[] = [first, ...steps];
  expect(ours.length, `${release} ${testCase.id}: syncs`).toBe(syncs.length);
  return syncs.flatMap((their, i) => {
    const our = ours[i] as SliceSync;
    const place = `${release} ${testCase.id}, sync ${i}`;
    if (!their.panic) expect(our.error, `${place}: is to be repeated`).toBe(their.error);
    const counted = countedIn(their);
    const [actual, expected] = [canonical(our, counted), canonical(their, counted)];
    if (isDeepStrictEqual(actual, expected)) return [];
    if (writesOf(our) < writesOf(their)) return [place];
    expect(actual, place).toEqual(expected);
    return [];
  });
}

/** Hints are counted in the groups in which the controller's own runs place them differently. */
function countedIn({ slices }: SliceSync): (group: WrittenGroup) => boolean {
  const some = slices?.written.some(({ hintCounts }) => hintCounts) ?? false;
  return () => some;
}

const writesOf = ({ slices }: SliceSync): number =>
  (slices?.deleted ?? 0) + (slices?.written ?? []).reduce((sum, { sizes }) => sum + sizes.length, 0);
