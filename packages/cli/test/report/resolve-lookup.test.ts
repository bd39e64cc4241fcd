import type { DnsAnswer, DnsQuestion } from 'kube-endpoints/dns';
import { describe, expect, test } from 'vitest';
import { lookUpAll } from '../../src/report/resolve.ts';

const record = (name: string) => ({ name, ttl: 5, type: 'A', address: '10.0.0.1' }) as const;

/** Has an A record for one name, and nothing to say of "outside.". */
const zone = {
  answer({ name, type }: DnsQuestion): DnsAnswer {
    const isThere = name === 'b.' && type === 'A';
    const reason = {
      code: isThere ? 'ServiceAddress' : 'ServiceNotFound',
      values: { service: name, addresses: '10.0.0.1', namespace: 'n' },
    } as const;
    if (name === 'outside.') return { reason: { code: 'NotInZone', values: { name, zones: 'x.' } } };
    const rcode = isThere ? 'NOERROR' : 'NXDOMAIN';
    return { reply: { rcode, authoritative: true, answer: isThere ? [record(name)] : [], authority: [], additional: [] }, reason };
  },
};

const asked = (names: string[], types: string[]) =>
  lookUpAll(zone, names, types).map(({ question, rcode }) => `${question.name} ${question.type} ${rcode}`);

describe('names are asked for', () => {
  test('until there are records, each for all types', () => {
    expect(asked(['a.', 'b.', 'c.'], ['A', 'AAAA'])).toEqual(['a. A NXDOMAIN', 'a. AAAA NXDOMAIN', 'b. A NOERROR', 'b. AAAA NXDOMAIN']);
  });

  test('to the end where there are none; what is of no zone is refused', () => {
    expect(asked(['b.', 'outside.'], ['MX'])).toEqual(['b. MX NXDOMAIN', 'outside. MX REFUSED']);
  });

  test('with all names outside that the answer leads to', () => {
    const [outside, ...alsoOutside] = ['x.example.', 'y.example.'].map((name) => ({ name, type: 'A' }));
    const leading = {
      answer: (question: DnsQuestion): DnsAnswer => ({ ...zone.answer(question), ...(outside && { outside }), alsoOutside }),
    };
    expect(lookUpAll(leading, ['b.'], ['A'])).toMatchObject([{ outside: ['x.example.', 'y.example.'] }]);
  });

  test('with the reason, and what would mend it', () => {
    const [tried] = lookUpAll(zone, ['a.'], ['A']);
    expect(tried).toMatchObject({ code: 'ServiceNotFound', reason: 'There is no Service a. in namespace n.', mend: expect.any(String) });
    const [found] = lookUpAll(zone, ['b.'], ['A']);
    expect(found).toMatchObject({ code: 'ServiceAddress', answer: [record('b.')] });
    expect(found).not.toHaveProperty('mend');
  });
});
