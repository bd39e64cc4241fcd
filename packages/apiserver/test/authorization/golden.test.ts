import { expect, test } from 'vitest';
import type { RbacAnswer, RbacCase } from '../../../../conformance/oracle/rbac/case.ts';
import { compareRbac } from '../../../../conformance/oracle/rbac/compare.ts';
import { replayRbac } from '../../../../conformance/oracle/rbac/replay.ts';
import { readGzippedJsonLines } from '../../../../test/support/jsonl.ts';

interface Line {
  readonly testCase: RbacCase;
  readonly answer: RbacAnswer;
}

const lines = readGzippedJsonLines<Line>(new URL('golden/rbac.jsonl.gz', import.meta.url));

test('decisions, rules, checks of escalation and impersonations equal those of kube-apiserver', () => {
  expect(lines).toHaveLength(60);
  for (const { testCase, answer } of lines) expect(compareRbac(answer, replayRbac(testCase)), testCase.id).toBeUndefined();
});

test('the recorded cases contain allowed and denied requests of each kind', () => {
  const answers = lines.map(({ answer }) => answer);
  const countOf = (values: readonly boolean[]): number => values.filter(Boolean).length;
  expect(countOf(answers.flatMap(({ decisions }) => decisions.map(({ allowed }) => allowed)))).toBeGreaterThan(100);
  expect(countOf(answers.flatMap(({ grants }) => grants.map((message) => message === '')))).toBeGreaterThan(20);
  expect(countOf(answers.flatMap(({ impersonations }) => impersonations.map(({ user }) => user !== undefined)))).toBeGreaterThan(20);
});
