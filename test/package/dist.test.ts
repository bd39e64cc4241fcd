import { join } from 'node:path';
import { createReconciler } from 'kube-endpoints';
import { describe, expect, test } from 'vitest';
import { type Case, outcomesOf, type Result } from '../../conformance/oracle/case.ts';
import { replayWith } from '../../conformance/oracle/replay.ts';
import { gzippedJsonLines } from '../support/jsonl.ts';
import { root } from '../support/repository.ts';

/** Tests one of this many cases; the sources are tested with all of them. */
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
      expect(writes, `case ${each.id}`).toStrictEqual(outcomes.map(({ endpoints }) => endpoints));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(cases.length / 2);
  });
});

const read = <T>(name: string): T[] => gzippedJsonLines(join(root, 'test/golden', `${name}.jsonl.gz`));
