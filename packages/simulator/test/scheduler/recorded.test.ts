import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { SchedulerAnswer, SchedulerCase } from '../../../../conformance/oracle/scheduler/case.ts';
import { firstDifference } from '../../../../conformance/oracle/scheduler/compare.ts';
import { replayScheduler } from '../../../../conformance/oracle/scheduler/replay.ts';

interface Recording {
  readonly testCase: SchedulerCase;
  readonly answer: SchedulerAnswer;
}

const recordings = gunzipSync(readFileSync(join(import.meta.dirname, 'recorded.jsonl.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording);

test('filters and scores nodes as kube-scheduler in recorded clusters', () => {
  const differences = recordings.flatMap(({ testCase, answer }) => {
    const difference = firstDifference(answer, replayScheduler(testCase));
    return difference ? [{ id: testCase.id, ...difference }] : [];
  });
  expect(recordings.flatMap(({ answer }) => answer.pods).filter(({ host }) => host !== undefined).length).toBeGreaterThan(100);
  expect(differences).toStrictEqual([]);
});
