import { describe, expect, it } from 'vitest';
import { createServiceEntry } from '../../src/dns/entries.ts';
import { explainMissingEndpoint, explainMissingPort, formatList } from '../../src/dns/lookup.ts';
import { parseRequest } from '../../src/dns/request.ts';
import { parseConfig } from '../../src/dns/settings.ts';
import { makeService } from './cluster.ts';

const web = createServiceEntry(makeService('web'), parseConfig());

describe('reasons of failed lookups', () => {
  it('contain at most five names', () => {
    expect([formatList([]), formatList(['a', 'b']), formatList(['a', 'b', 'c', 'd', 'e', 'f'])]).toEqual([
      '',
      'a, b',
      'a, b, c, d, e and others',
    ]);
    expect(explainMissingEndpoint(web, 'x', Array(1000).fill('y')).values).toMatchObject({ endpoints: 'y, y, y, y, y and others' });
  });

  it('name each existing port once, including unnamed ones', () => {
    const request = parseRequest({ name: '', lower: '', zone: 'z.', base: '_a._b.web.shop.svc' });
    const ports = ['http', 'http', ''].map((name) => ({ name, protocol: 'tcp' }));
    if ('code' in request) throw new Error(request.code);
    expect(explainMissingPort(web, request, ports).values).toEqual({
      service: 'shop/web',
      port: 'a',
      protocol: 'b',
      ports: '_http._tcp, _unnamed._tcp',
    });
  });
});
