import { describe, expect, test } from 'vitest';
import { reportLookups, type NameLookup } from '../../src/report/resolve.ts';
import { marked, plain } from '../objects.ts';

const search = {
  from: 'namespace shop',
  searches: ['shop.svc.x', 'svc.x'],
  ndots: 5,
  names: ['web.shop.svc.x.', 'web.svc.x.', 'web.'],
  hints: [],
};
const query = { name: 'web', types: ['A'] };
const tried = (name: string, rest: Partial<NameLookup> = {}): NameLookup => ({
  question: { name, type: 'A' },
  rcode: 'NXDOMAIN',
  answer: [],
  additional: [],
  code: 'ServiceNotFound',
  reason: `no ${name}`,
  ...rest,
});
const verdict = (...all: readonly NameLookup[]) => reportLookups(all, { query, search }).text(plain)[0];

describe('if no name resolves, the verdict is about', () => {
  const others = tried('web.', { rcode: 'REFUSED', code: 'NotInZone' });
  test.each<[string, string | undefined, string]>([
    [
      'one that is there',
      verdict(tried('web.shop.svc.x.'), tried('web.svc.x.', { rcode: 'NOERROR', code: 'NoRecordOfType' }), others),
      'No such record (NODATA): no web.svc.x.',
    ],
    [
      'one of which a Service is',
      verdict(tried('web.shop.svc.x.'), tried('web.svc.x.', { code: 'EndpointNotFound' })),
      'Not found (NXDOMAIN): no web.svc.x.',
    ],
    [
      'the name that is most likely meant',
      verdict(tried('web.shop.svc.x.', { code: 'NamespaceNotFound' }), tried('web.svc.x.')),
      'Not found (NXDOMAIN): no web.shop.svc.x.',
    ],
    ['the only name', verdict(others), 'Outside of the cluster: no web.'],
  ])('%s', (_, is, expected) => {
    expect(is).toBe(expected);
  });
});

test('problems are red and results green', () => {
  const answer = [{ name: 'web.svc.x.', ttl: 5, type: 'A', address: '10.0.0.1' }] as const;
  const found = reportLookups([tried('web.shop.svc.x.', { remedy: 'look' }), tried('web.svc.x.', { rcode: 'NOERROR', answer })], {
    query,
    search,
  });
  const missing = reportLookups([tried('web.shop.svc.x.', { remedy: 'look' })], { query, search });
  expect([found.found, missing.found]).toEqual([false, true]);
  expect(found.text(marked).join('\n')).toContain('green(web.svc.x.)');
  expect(missing.text(marked).slice(0, 2)).toEqual(['red(Not found (NXDOMAIN): no web.shop.svc.x.)', 'look']);
});

test('a record that answers several questions is listed once', () => {
  const alias = { name: 'web.svc.x.', ttl: 5, type: 'CNAME', target: 'example.com.' } as const;
  const twice = ['A', 'AAAA'].map((type) =>
    tried('web.svc.x.', { question: { name: 'web.svc.x.', type }, rcode: 'NOERROR', answer: [alias], outside: ['example.com.'] }),
  );
  const report = reportLookups(twice, { query, search });
  expect(report.data()).toMatchObject({ found: true, records: [alias], search: { from: 'namespace shop', ndots: 5 } });
  expect(report.hints).toEqual(['example.com. is outside of the cluster, and is not looked up here.']);
});
