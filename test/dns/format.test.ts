import { describe, expect, it } from 'vitest';
import { type DnsRecord, formatRecord } from '../../src/dns/index.ts';

const owner = { name: 'a.', ttl: 5 };
const soa = { mname: 'm.', rname: 'r.', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 };

describe('formatRecord', () => {
  it.each<[DnsRecord, string]>([
    [{ ...owner, type: 'A', address: '10.0.0.1' }, 'a. 5 IN A 10.0.0.1'],
    [{ ...owner, type: 'AAAA', address: 'fd00::1' }, 'a. 5 IN AAAA fd00::1'],
    [{ ...owner, type: 'SRV', priority: 1, weight: 2, port: 3, target: 'b.' }, 'a. 5 IN SRV 1 2 3 b.'],
    [{ ...owner, type: 'CNAME', target: 'b.' }, 'a. 5 IN CNAME b.'],
    [{ ...owner, type: 'TXT', texts: ['one', 'a "b" \\'] }, 'a. 5 IN TXT "one" "a \\"b\\" \\\\"'],
    [{ ...owner, type: 'SOA', ...soa }, 'a. 5 IN SOA m. r. 1 2 3 4 5'],
  ])('formats %j', (record, text) => {
    expect(formatRecord(record)).toBe(text);
  });

  it('escapes characters that are invalid in a zone file', () => {
    expect(formatRecord({ name: 'a b;\u0000é.', ttl: 0, type: 'PTR', target: '(x)\\000.' })).toBe(
      'a\\ b\\;\\000\\195\\169. 0 IN PTR \\(x\\)\\000.',
    );
  });
});
