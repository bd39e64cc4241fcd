import type { DnsAnswer, DnsQuestion } from 'kube-endpoints/dns';
import { describe, expect, test } from 'vitest';
import { lookUpAll } from '../../src/report/resolve.ts';

const record = (name: string) => ({ name, ttl: 5, type: 'A', address: '10.0.0.1' }) as const;

/** Fakes a zone whose only record is an A record of "b."; the name "outside." is outside of the zone. */
const zone = {
  answer({ name, type }: DnsQuestion): DnsAnswer {
    const exists = name === 'b.' && type === 'A';
    const reason = {
      code: exists ? 'ServiceAddress' : 'ServiceNotFound',
      values: { service: name, addresses: '10.0.0.1', namespace: 'n' },
    } as const;
    if (name === 'outside.') return { reason: { code: 'NotInZone', values: { name, zones: 'x.' } } };
    const rcode = exists ? 'NOERROR' : 'NXDOMAIN';
    return { reply: { rcode, authoritative: true, answer: exists ? [record(name)] : [], authority: [], additional: [] }, reason };
  },
};

const lookUp = (names: string[], types: string[]) =>
  lookUpAll(zone, names, types).map(({ question, rcode }) => `${question.name} ${question.type} ${rcode}`);

describe('the lookup of candidate names', () => {
  test('stops at the first name with records, after trying all types', () => {
    expect(lookUp(['a.', 'b.', 'c.'], ['A', 'AAAA'])).toEqual(['a. A NXDOMAIN', 'a. AAAA NXDOMAIN', 'b. A NOERROR', 'b. AAAA NXDOMAIN']);
  });

  test('tries every name if none has records, and refuses names outside the zones', () => {
    expect(lookUp(['b.', 'outside.'], ['MX'])).toEqual(['b. MX NXDOMAIN', 'outside. MX REFUSED']);
  });

  test('lists all names outside the cluster that an answer refers to', () => {
    const [outside, ...alsoOutside] = ['x.example.', 'y.example.'].map((name) => ({ name, type: 'A' }));
    const zoneWithAlias = {
      answer: (question: DnsQuestion): DnsAnswer => ({ ...zone.answer(question), ...(outside && { outside }), alsoOutside }),
    };
    expect(lookUpAll(zoneWithAlias, ['b.'], ['A'])).toMatchObject([{ outside: ['x.example.', 'y.example.'] }]);
  });

  test('reports the reason, and a fix for a failure', () => {
    const [failed] = lookUpAll(zone, ['a.'], ['A']);
    expect(failed).toMatchObject({ code: 'ServiceNotFound', reason: 'There is no Service a. in namespace n.', remedy: expect.any(String) });
    const [answered] = lookUpAll(zone, ['b.'], ['A']);
    expect(answered).toMatchObject({ code: 'ServiceAddress', answer: [record('b.')] });
    expect(answered).not.toHaveProperty('remedy');
  });
});
