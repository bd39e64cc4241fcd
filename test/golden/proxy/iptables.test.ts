import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { iptablesRules } from '../../../src/proxy/index.ts';
import { dumpIptables } from '../../../src/proxy/iptables/format.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { nodeOf, type ProxyAnswer, type ProxyCase, readVectors, viewOf } from './form.ts';

const cases = readVectors<ProxyCase>('rules-cases');
const answers = readVectors<ProxyAnswer>('rules-v1.36');

describe('iptables rules', () => {
  it('exist for each of the 200 nodes', () => {
    expect(cases).toHaveLength(200);
    expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
  });

  it.each<IPFamily>(['IPv4', 'IPv6'])('match those of kube-proxy for all nodes, %s', (family) => {
    for (const [index, testCase] of cases.entries()) {
      const computed = dumpIptables(iptablesRules(viewOf(testCase, family, { version: '1.36' }), nodeOf(testCase), { version: '1.36' }));
      const { mangle, ...recorded } = answers[index]?.families[family].iptables ?? {};
      expect(mangle, 'kube-proxy writes nothing to the table mangle').toStrictEqual({});
      if (!isDeepStrictEqual(computed, recorded)) expect(computed, testCase.id).toStrictEqual(recorded);
    }
  });
});
