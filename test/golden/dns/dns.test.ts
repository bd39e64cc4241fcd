import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DnsCase, DnsCaseAnswer } from '../../../conformance/oracle/dns/case.ts';
import { replayDns } from '../../../conformance/oracle/dns/replay.ts';

const read = <T>(name: string): T[] =>
  gunzipSync(readFileSync(join(import.meta.dirname, `${name}.jsonl.gz`)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

describe.each([
  ['1.8.6', 'cases', 300, 11, 12_520],
  ['1.14.3', 'cases', 300, 0, 13_130],
  ['1.6.9', 'cases-endpoints', 60, 0, 4575],
  ['1.7.1', 'cases-endpoints', 60, 0, 4575],
  ['1.15.0', 'cases-endpoints', 60, 0, 4575],
])('a zone that behaves as CoreDNS %s', (release, file, count, panics, questions) => {
  const cases = read<DnsCase>(file);
  const results = read<DnsCaseAnswer>(release);

  it(`has results for ${count} cases, ${panics} of which are panics`, () => {
    expect(cases).toHaveLength(count);
    expect(results.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
    expect(results.filter(({ error }) => error !== undefined)).toHaveLength(panics);
  });

  it(`gives the same answers as CoreDNS to all ${questions} questions`, () => {
    let answerCount = 0;
    for (const [index, testCase] of cases.entries()) {
      const recorded = results[index]?.answers;
      if (!recorded) continue;
      const computed = replayDns(release, testCase).answers;
      if (!isDeepStrictEqual(computed, recorded)) expect(computed, testCase.id).toStrictEqual(recorded);
      answerCount += recorded.length;
    }
    expect(answerCount).toBe(questions);
  });
});
