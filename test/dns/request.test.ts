import { describe, expect, it } from 'vitest';
import { dnsProfile } from '../../src/dns/gates.ts';
import { isWildcard, matchesName, matchesPortAndProtocol, parseRequest } from '../../src/dns/request.ts';

const [profile18, profile114] = [dnsProfile('1.8'), dnsProfile('1.14')];
const parse = (base: string) => parseRequest({ name: `${base}.z.`, lower: `${base}.z.`, zone: 'z.', base });

describe('parseRequest', () => {
  it('parses two labels before the Service as port and protocol, with or without underscores', () => {
    for (const base of ['_p._q.web.shop.svc', 'p.q.web.shop.svc'])
      expect(parse(base)).toMatchObject({ ports: { port: 'p', protocol: 'q' }, endpoint: '' });
    expect(parse('__p._q.web.shop.svc')).toMatchObject({ ports: { port: '_p' } });
  });

  it('treats an escaped dot as part of its label', () => {
    expect(parse('a\\.b.web.shop.svc')).toMatchObject({ endpoint: 'a\\.b', service: 'web' });
  });

  it('accepts Services named "svc" and namespaces named "pod"', () => {
    expect(parse('svc.pod.svc')).toMatchObject({ tree: 'svc', namespace: 'pod', service: 'svc' });
  });
});

describe('wildcard labels', () => {
  it('"*" and "any" are wildcards up to CoreDNS 1.8', () => {
    expect(['*', 'any', 'web'].map((label) => [isWildcard(label, profile18), isWildcard(label, profile114)])).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
    expect([
      matchesName('any', 'x', profile18),
      matchesName('x', 'any', profile18),
      matchesName('any', 'x', profile114),
      matchesName('x', 'x', profile114),
    ]).toEqual([true, true, false, true]);
  });

  it('an empty port label matches any port from CoreDNS 1.9 on', () => {
    const empty = { port: '', protocol: '' };
    expect([
      matchesPortAndProtocol(empty, 'http', 'tcp', profile18),
      matchesPortAndProtocol(empty, '', '', profile18),
      matchesPortAndProtocol(empty, 'http', 'tcp', profile114),
    ]).toEqual([false, true, true]);
  });
});
