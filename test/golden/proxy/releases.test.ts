import { describe, expect, it } from 'vitest';
import { iptablesRules, nftablesRules } from '../../../src/proxy/index.ts';
import { dumpIptables } from '../../../src/proxy/iptables/format.ts';
import { listNftables } from '../../../src/proxy/nftables/format.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { answerOf, nodeOf, type ProxyAnswer, type ProxyCase, readVectors, viewOf } from './form.ts';

/** Cases in which an address is in two slices: before 1.36, kube-proxy's result is random. */
const randomIds: readonly string[] = ['102-16', '102-24', '102-26'];

/** Cases whose results are not random. */
const cases = readVectors<ProxyCase>('rules-cases')
  .slice(0, 40)
  .filter(({ id }) => !randomIds.includes(id));

describe.each([
  ['1.24.17', false],
  ['1.29.15', true],
  ['1.33.1', true],
  ['1.37.1', true],
])('the view and the rules of %s', (version, hasNftables) => {
  const answers = readVectors<ProxyAnswer>(`rules-v${version.replace(/\.\d+$/, '')}`).filter(({ id }) => !randomIds.includes(id));

  it('have a recorded result for each case', () => {
    expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
  });

  it.each<IPFamily>(['IPv4', 'IPv6'])('match those of kube-proxy, %s', (family) => {
    for (const [index, testCase] of cases.entries()) {
      // kube-proxy panicked.
      if (answers[index]?.families[family].error !== undefined) continue;
      const [view, node] = [viewOf(testCase, family, { version }), nodeOf(testCase)];
      const computed = {
        ...answerOf(view),
        iptables: { ...dumpIptables(iptablesRules(view, node, { version })), mangle: {} },
        ...(hasNftables && { nftables: listNftables(nftablesRules(view, node, { version })) }),
      };
      expect(computed, testCase.id).toStrictEqual(answers[index]?.families[family]);
    }
  });
});
