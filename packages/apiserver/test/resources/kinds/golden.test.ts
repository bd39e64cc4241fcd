import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KindAnswer, KindCase } from '../../../../../conformance/oracle/kinds/case.ts';
import { firstKindDifference } from '../../../../../conformance/oracle/kinds/compare.ts';
import { replayCase } from '../../../../../conformance/oracle/kinds/replay.ts';
import { readGzippedJsonLines } from '../../../../../test/support/jsonl.ts';

interface Recorded {
  readonly testCase: KindCase;
  readonly answer: KindAnswer;
}

/** The recorded cases of a suite by kind, and the time of the recording. */
function readRecording(suite: string): { readonly now: Date; readonly byKind: ReadonlyMap<string, readonly Recorded[]> } {
  const [head, ...lines] = readGzippedJsonLines<unknown>(join(import.meta.dirname, 'golden', `${suite}.jsonl.gz`));
  const byKind = Map.groupBy(lines as Recorded[], ({ testCase: { object } }) => `${object['apiVersion']} ${object['kind']}`);
  return { now: new Date((head as { now: string }).now), byKind };
}

/** The differences from the recorded answers, each with its case. */
const findDifferences = (recorded: readonly Recorded[], now: Date): readonly unknown[] =>
  recorded.flatMap(({ testCase, answer }) => {
    const difference = firstKindDifference(answer, replayCase(testCase, now));
    return difference ? [{ object: testCase.object, ...difference }] : [];
  });

const tables = readRecording('tables');

test.each([...tables.byKind])('the tables of %s are those of kube-apiserver', (_, recorded) => {
  expect(recorded.length).toBeGreaterThan(3);
  expect(findDifferences(recorded, tables.now)).toStrictEqual([]);
});

test('HorizontalPodAutoscalers are converted between their versions as by kube-apiserver', () => {
  const conversions = readRecording('conversions');
  const recorded = [...conversions.byKind.values()].flat();
  expect(recorded.length).toBeGreaterThan(100);
  expect(findDifferences(recorded, conversions.now)).toStrictEqual([]);
});
