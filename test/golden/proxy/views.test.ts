import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { IPFamily } from '../../../src/types/index.ts';
import { answerOf, type ProxyAnswer, type ProxyCase, readVectors, viewOf } from './form.ts';

const cases = readVectors<ProxyCase>('cases');
const answers = readVectors<ProxyAnswer>('v1.36');

it('the vectors have a result for each of the 800 nodes', () => {
  expect(cases).toHaveLength(800);
  expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
});

describe.each<IPFamily>(['IPv4', 'IPv6'])('the view of a node for %s', (family) => {
  it('matches that of kube-proxy: ports, endpoints, traffic by policy, and health checks', () => {
    for (const [index, testCase] of cases.entries()) {
      const computed = answerOf(viewOf(testCase, family, { version: '1.36' }));
      const recorded = (answers[index] as ProxyAnswer).families[family];
      if (!isDeepStrictEqual(computed, recorded)) expect(computed, testCase.id).toStrictEqual(recorded);
    }
  });
});
