import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createReconciler } from 'kube-endpoints';
import { describe, expect, test } from 'vitest';
import { type Case, outcomesOf, type Result } from '../oracle/case.ts';
import { replayWith } from '../oracle/replay.ts';
import { root } from '../support/repository.ts';

/** One case in so many; the sources themselves are tested with all of them. */
const stride = 8;

describe('the built package writes what Kubernetes writes', () => {
  const cases = read<Case>('cases').filter((_, i) => i % stride === 0);

  test.each(['1.17.4', '1.24.17', '1.36.3'])('%s', (version) => {
    const results = new Map(read<Result>(version).map((result) => [result.id, result]));
    let compared = 0;
    for (const each of cases) {
      const outcomes = outcomesOf(results.get(each.id) as Result);
      if (outcomes.some(({ panic }) => panic)) continue;
      const writes = replayWith(createReconciler({ version }), each).map((step) => step.writes);
      expect(writes, `case ${each.id}`).toEqual(outcomes.map(({ endpoints }) => endpoints));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(cases.length / 2);
  });
});

function read<T>(name: string): T[] {
  const text = gunzipSync(readFileSync(join(root, 'test/golden', `${name}.jsonl.gz`))).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
