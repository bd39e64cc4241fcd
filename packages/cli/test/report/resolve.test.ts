import { describe, expect, test } from 'vitest';
import { type NameLookup, reportLookups } from '../../src/report/resolve.ts';
import { markedStyle, plainStyle } from '../objects.ts';

const search = {
  client: 'namespace shop',
  searches: ['shop.svc.x', 'svc.x'],
  ndots: 5,
  names: ['web.shop.svc.x.', 'web.svc.x.', 'web.'],
  hints: [],
};
const query = { name: 'web', types: ['A'] };
const lookup = (name: string, rest: Partial<NameLookup> = {}): NameLookup => ({
  question: { name, type: 'A' },
  rcode: 'NXDOMAIN',
  answer: [],
  additional: [],
  code: 'ServiceNotFound',
  reason: `no ${name}`,
  ...rest,
});
const firstLineOf = (...lookups: readonly NameLookup[]) => reportLookups(lookups, { query, search }).text(plainStyle)[0];

describe('the verdict if no name resolves', () => {
  const outsideLookup = lookup('web.', { rcode: 'REFUSED', code: 'NotInZone' });
  test.each<[string, string | undefined, string]>([
    [
      'prefers a name that exists without a record of this type',
      firstLineOf(lookup('web.shop.svc.x.'), lookup('web.svc.x.', { rcode: 'NOERROR', code: 'NoRecordOfType' }), outsideLookup),
      'No such record (NODATA): no web.svc.x.',
    ],
    [
      'prefers a name of an existing Service',
      firstLineOf(lookup('web.shop.svc.x.'), lookup('web.svc.x.', { code: 'EndpointNotFound' })),
      'Not found (NXDOMAIN): no web.svc.x.',
    ],
    [
      'prefers the expansion that a name with this number of dots usually means',
      firstLineOf(lookup('web.shop.svc.x.', { code: 'NamespaceNotFound' }), lookup('web.svc.x.')),
      'Not found (NXDOMAIN): no web.shop.svc.x.',
    ],
    ['is about the name outside the cluster if no other was looked up', firstLineOf(outsideLookup), 'Outside of the cluster: no web.'],
  ])('%s', (_, text, expected) => {
    expect(text).toBe(expected);
  });
});

test('problems are red and results green', () => {
  const answer = [{ name: 'web.svc.x.', ttl: 5, type: 'A', address: '10.0.0.1' }] as const;
  const reportWithAnswer = reportLookups(
    [lookup('web.shop.svc.x.', { remedy: 'look' }), lookup('web.svc.x.', { rcode: 'NOERROR', answer })],
    {
      query,
      search,
    },
  );
  const reportWithoutAnswer = reportLookups([lookup('web.shop.svc.x.', { remedy: 'look' })], { query, search });
  expect([reportWithAnswer.hasFindings, reportWithoutAnswer.hasFindings]).toEqual([false, true]);
  expect(reportWithAnswer.text(markedStyle).join('\n')).toContain('green(web.svc.x.)');
  expect(reportWithoutAnswer.text(markedStyle).slice(0, 2)).toEqual(['red(Not found (NXDOMAIN): no web.shop.svc.x.)', 'look']);
});

test('a record that answers several questions is listed once', () => {
  const alias = { name: 'web.svc.x.', ttl: 5, type: 'CNAME', target: 'example.com.' } as const;
  const lookups = ['A', 'AAAA'].map((type) =>
    lookup('web.svc.x.', { question: { name: 'web.svc.x.', type }, rcode: 'NOERROR', answer: [alias], outside: ['example.com.'] }),
  );
  const report = reportLookups(lookups, { query, search });
  expect(report.data()).toMatchObject({ found: true, records: [alias], search: { from: 'namespace shop', ndots: 5 } });
  expect(report.hints).toEqual(['example.com. is outside of the cluster, and is not looked up here.']);
});
