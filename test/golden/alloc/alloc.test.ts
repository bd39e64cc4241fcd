import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readGzippedJsonLines } from '../../support/jsonl.ts';
import { type AllocatorAnswer, type AllocatorCase, replay } from './replay.ts';

const read = <T>(name: string): T[] => readGzippedJsonLines(join(import.meta.dirname, `${name}.jsonl.gz`));

const cases = read<AllocatorCase>('cases');
const missingKindError = 'no such kind at this version';

describe.each([
  ['1.17.4', 515],
  ['1.36.3', 800],
])('the allocators of release %s have the same results as kube-apiserver', (release, count) => {
  const answers = read<AllocatorAnswer>(release);

  it('has a result for each case, in order', () => {
    expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
    expect(answers.filter(({ error }) => error !== missingKindError)).toHaveLength(count);
  });

  it.each(['ip', 'ipaddress', 'port'] as const)('allocates the same values as the allocator %s of kube-apiserver', (kind) => {
    let comparedCount = 0;
    for (const [i, each] of cases.entries()) {
      const recorded = answers[i] as AllocatorAnswer;
      if (each.kind !== kind || recorded.error === missingKindError) continue;
      const computed = replay(each, release, recorded);
      if (!isDeepStrictEqual(computed, recorded)) expect(computed, `${each.id} ${each.range}`).toStrictEqual(recorded);
      comparedCount += 1;
    }
    expect(comparedCount > 0).toBe(kind !== 'ipaddress' || release !== '1.17.4');
  });
});
