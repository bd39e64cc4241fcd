import { describe, expect, it } from 'vitest';
import { dnsProfile } from '../../src/dns/gates.ts';
import { isWildcard, matchesName, matchesPortAndProtocol, parseRequest } from '../../src/dns/request.ts';

const [old, current] = [dnsProfile('1.8'), dnsProfile('1.14')];
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

  it('accepts Services named like the trees', () => {
    expect(parse('svc.pod.svc')).toMatchObject({ tree: 'svc', namespace: 'pod', service: 'svc' });
  });
});

describe('wildcards', () => {
  it('are recognized up to 1.8', () => {
    expect(['*', 'any', 'web'].map((label) => [isWildcard(label, old), isWildcard(label, current)])).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
    expect([
      matchesName('any', 'x', old),
      matchesName('x', 'any', old),
      matchesName('any', 'x', current),
      matchesName('x', 'x', current),
    ]).toEqual([true, true, false, true]);
  });

  it('are empty port labels from 1.9 on', () => {
    const empty = { port: '', protocol: '' };
    expect([
      matchesPortAndProtocol(empty, 'http', 'tcp', old),
      matchesPortAndProtocol(empty, '', '', old),
      matchesPortAndProtocol(empty, 'http', 'tcp', current),
    ]).toEqual([false, true, true]);
  });
});
