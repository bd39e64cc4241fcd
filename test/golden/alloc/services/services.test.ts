import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { readGzippedJsonLines } from '../../../support/jsonl.ts';
import { type AllocationCase, normalize, type Outcome, replay } from './replay.ts';

const read = <T>(name: string): T[] => readGzippedJsonLines(join(import.meta.dirname, `${name}.jsonl.gz`));

const cases = read<AllocationCase>('cases');

it.each(['1.17.4', '1.36.3'])('Service allocations of Kubernetes %s have the same result as in kube-apiserver at every step', (release) => {
  const answers = read<{ readonly id: string; readonly steps: Outcome[] }>(release);
  expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
  let compared = 0;
  for (const [i, each] of cases.entries()) {
    const recorded = answers[i]?.steps ?? [];
    const computed = replay(each, release, recorded).map(normalize);
    if (!isDeepStrictEqual(computed, recorded.map(normalize))) expect(computed, each.id).toStrictEqual(recorded.map(normalize));
    compared += recorded.length;
  }
  expect(compared).toBe(3530);
});
