import { join } from 'node:path';
import { createReconciler } from 'kube-endpoints';
import { describe, expect, test } from 'vitest';
import { type Case, outcomesOf, type Result } from '../../conformance/oracle/case.ts';
import { replayWith } from '../../conformance/oracle/replay.ts';
import { readGzippedJsonLines } from '../support/jsonl.ts';
import { root } from '../support/repository.ts';

/** Every eighth case is tested; the tests of the sources use all of them. */
const stride = 8;

describe('the built package', () => {
  const cases = read<Case>('cases').filter((_, i) => i % stride === 0);

  test.each(['1.17.4', '1.24.17', '1.36.3'])('writes the same Endpoints as Kubernetes %s', (version) => {
    const results = new Map(read<Result>(version).map((result) => [result.id, result]));
    let comparedCount = 0;
    for (const recordedCase of cases) {
      const outcomes = outcomesOf(results.get(recordedCase.id) as Result);
      if (outcomes.some(({ panic }) => panic)) continue;
      const writes = replayWith(createReconciler({ version }), recordedCase).map((step) => step.writes);
      expect(writes, `case ${recordedCase.id}`).toStrictEqual(outcomes.map(({ endpoints }) => endpoints));
      comparedCount += 1;
    }
    expect(comparedCount).toBeGreaterThan(cases.length / 2);
  });
});

const read = <T>(name: string): T[] => readGzippedJsonLines(join(root, 'test/golden', `${name}.jsonl.gz`));
