import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { WorkloadAnswer, WorkloadCase } from '../../../../conformance/oracle/workloads/case.ts';
import { firstDifference } from '../../../../conformance/oracle/workloads/compare.ts';
import { replayWorkloads } from '../../../../conformance/oracle/workloads/replay.ts';
import { workloadSuites } from '../../../../conformance/oracle/workloads/suites.ts';

interface Recording {
  readonly testCase: WorkloadCase;
  readonly answer: WorkloadAnswer;
}

/** Suites whose histories have few writes and Events. */
const shortSuites: readonly string[] = ['taints', 'placements'];

describe.each(workloadSuites)('the controller of $name', ({ name, create }) => {
  const recordings = gunzipSync(readFileSync(join(import.meta.dirname, `golden/${name}.jsonl.gz`)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recording);

  test('makes the same writes and Events as kube-controller-manager in recorded histories', () => {
    const differences = recordings.flatMap(({ testCase, answer }) => {
      const difference = firstDifference(answer, replayWorkloads(create, testCase));
      return difference ? [{ id: testCase.id, ...difference }] : [];
    });
    const recorded = recordings.flatMap(({ answer }) => answer.steps.flatMap(({ writes, events }) => [...writes, ...events]));
    expect(recorded.length).toBeGreaterThan(shortSuites.includes(name) ? 400 : 1000);
    expect(differences).toStrictEqual([]);
  });
});
