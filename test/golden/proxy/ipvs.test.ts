import { describe, expect, it } from 'vitest';
import { ipvsRules } from '../../../src/proxy/index.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { listIpvs, nodeOf, type ProxyAnswer, type ProxyCase, readVectors, viewOf } from './form.ts';

const answers = new Map(readVectors<ProxyAnswer>('ipvs-v1.36').map(({ id, families }) => [id, families]));
const cases = readVectors<ProxyCase>('rules-cases').filter(({ id }) => answers.has(id));

describe('the ipvs rules', () => {
  it('are recorded for 60 nodes, with each kind of line', () => {
    expect(cases).toHaveLength(60);
    const lines = [...answers.values()].flatMap(({ IPv4, IPv6 }) => [...(IPv4.ipvs ?? []), ...(IPv6.ipvs ?? [])]);
    for (const pattern of [
      /^server .* flags 1/,
      /real .* weight 1$/,
      /^address /,
      /^set \S*SCTP-HASH entry/,
      /^filter KUBE-IPVS-OUT-FILTER /,
    ])
      expect(lines.some((line) => pattern.test(line))).toBe(true);
  });

  it.each<IPFamily>(['IPv4', 'IPv6'])('match those of kube-proxy, %s', (family) => {
    for (const testCase of cases) {
      const computed = listIpvs(ipvsRules(viewOf(testCase, family, { version: '1.36' }), nodeOf(testCase), { version: '1.36' }));
      expect(computed, testCase.id).toStrictEqual(answers.get(testCase.id)?.[family].ipvs);
    }
  });
});
