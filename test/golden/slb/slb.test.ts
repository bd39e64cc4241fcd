import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { SlbAnswer, SlbCase } from '../../../conformance/oracle/slb/case.ts';
import { withoutPatched } from '../../../conformance/oracle/slb/compare.ts';
import { replaySlb } from '../../../conformance/oracle/slb/replay.ts';

const read = <T>(name: string): T[] =>
  gunzipSync(readFileSync(join(import.meta.dirname, `${name}.jsonl.gz`)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const cases = read<SlbCase>('cases');

describe.each(['1.9.11', '1.12.4', '1.15.12', '1.16.15', '1.17.4', '1.25.4', '1.36.3'])(
  'the service load-balancer controller of release %s',
  (version) => {
    const answers = read<SlbAnswer>(version);

    it('has a result for each of the 1,000 Service histories', () => {
      expect(cases).toHaveLength(1000);
      expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
    });

    it('matches the service controller of Kubernetes in calls, hosts, patches, Events, errors, delays and the final state', () => {
      for (const [index, testCase] of cases.entries()) {
        const computed = replaySlb(version, testCase, answers[index]);
        const recorded = withoutPatched(answers[index] as SlbAnswer);
        if (!isDeepStrictEqual(computed, recorded)) expect(computed, testCase.id).toStrictEqual(recorded);
      }
    });
  },
);
