import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { nftablesRules } from '../../../src/proxy/index.ts';
import { listNftables } from '../../../src/proxy/nftables/format.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { nodeOf, type ProxyAnswer, type ProxyCase, readVectors, viewOf } from './form.ts';

const cases = readVectors<ProxyCase>('rules-cases');
const answers = readVectors<ProxyAnswer>('rules-v1.36');

it('the recorded results cover each of the 200 cases', () => {
  expect(cases).toHaveLength(200);
  expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
});

describe.each<IPFamily>(['IPv4', 'IPv6'])('the nftables table for %s', (family) => {
  it('matches the table of kube-proxy: chains, sets, maps, the ordered rules of each chain, and elements', () => {
    for (const [index, testCase] of cases.entries()) {
      const computed = listNftables(nftablesRules(viewOf(testCase, family, { version: '1.36' }), nodeOf(testCase), { version: '1.36' }));
      const recorded = (answers[index] as ProxyAnswer).families[family].nftables;
      if (!isDeepStrictEqual(computed, recorded)) expect(computed, testCase.id).toStrictEqual(recorded);
    }
  });
});
