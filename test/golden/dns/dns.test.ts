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

const cases = read<DnsCase>('cases');

describe.each([
  ['1.8.6', 11, 12_520],
  ['1.14.3', 0, 13_130],
])('a zone that behaves as CoreDNS %s', (release, panics, questions) => {
  const results = read<DnsCaseAnswer>(release);

  it(`has results for 300 cases, ${panics} of which are panics`, () => {
    expect(cases).toHaveLength(300);
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
