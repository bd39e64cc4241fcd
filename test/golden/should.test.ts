import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shouldPodBeInEndpoints } from 'kube-endpoints';
import { describe, expect, it } from 'vitest';
import { packAnswers, shouldCases } from '../../conformance/oracle/should-cases.ts';

interface Answers {
  readonly releases: readonly string[];
  readonly included: string;
}

const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'should-pod-be-in-endpoints.json'), 'utf8')) as Answers[];
const cases = golden.flatMap(({ releases, included }) => releases.map((release) => ({ release, included })));

describe('shouldPodBeInEndpoints', () => {
  it.each(cases)('answers as the function of $release for every combination of fields', ({ release, included }) => {
    const answers = shouldCases().map(({ pod, includeTerminating }) =>
      shouldPodBeInEndpoints(pod, { version: release, includeTerminating }),
    );
    expect(answers.filter(Boolean).length).toBeGreaterThan(500);
    expect(packAnswers(answers)).toBe(included);
  });
});
