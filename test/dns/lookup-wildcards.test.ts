import { describe, expect, it } from 'vitest';
import { ask, svc } from './ask.ts';
import { endpoint, headless, namespace, service, shop, slice } from './cluster.ts';

const old = { release: '1.8' };
const last = ({ answer }: { answer: string[] }): (string | undefined)[] => answer.map((text) => text.split(' ').at(-1));

describe('wildcards in CoreDNS 1.8', () => {
  it('stand for any Service, namespace, port, protocol and endpoint', () => {
    for (const wild of ['*', 'any']) {
      expect(last(ask(svc(`${wild}.shop`), old)), wild).toEqual(
        ['10.0.0.9', '10.1.0.2', '10.1.0.3', 'docs.example.com.', '10.0.0.1'].sort(byKind),
      );
      expect(last(ask(svc(`web.${wild}`), old))).toEqual(['10.0.0.1']);
      expect(last(ask(`${wild}.${svc('db.shop')}`, old))).toEqual(['10.1.0.2', '10.1.0.3']);
      expect(last(ask(`_${wild}._tcp.${svc('web.shop')}`, old))).toEqual(['10.0.0.1']);
      expect(last(ask(`_sql._${wild}.${svc('db.shop SRV')}`, old))).toHaveLength(2);
    }
  });

  it('are ordinary labels from 1.9 on', () => {
    for (const name of ['*.shop', 'any.shop', 'web.*']) expect(ask(svc(name), { release: '1.9.0' }).rcode, name).toBe('NXDOMAIN');
    const objects = { ...shop, services: [service('any')] };
    expect(ask(svc('any.shop'), { objects }).answer).toHaveLength(1);
  });

  it('return NODATA if nothing matches in an existing namespace, and NXDOMAIN otherwise', () => {
    expect(ask(svc('*.back'), old).rcode).toBe('NOERROR');
    expect(ask(svc('none.*'), old).rcode).toBe('NXDOMAIN');
    expect(ask(svc('*.none'), old).rcode).toBe('NXDOMAIN');
  });

  it('skip namespaces that are not visible', () => {
    expect(ask(svc('web.*'), { ...old, namespaces: ['back'] }).rcode).toBe('NXDOMAIN');
  });

  it('make "ignore empty_service" count the endpoints of all Services, so that a Service without endpoints is found', () => {
    expect(last(ask(svc('bare.*'), { ...old, ignoreEmptyService: true }))).toEqual(['10.0.0.9']);
    expect(ask(svc('bare.shop'), { ...old, ignoreEmptyService: true }).rcode).toBe('NXDOMAIN');
  });

  it('used as the name of an endpoint or port match every queried name', () => {
    const objects = {
      namespaces: [namespace('shop')],
      services: [headless('db')],
      endpointSlices: [slice('db', [endpoint('10.1.0.1', { hostname: 'any' })], { ports: [{ name: 'any', port: 1 }] })],
    };
    expect(ask(`whatever.${svc('db.shop')}`, { objects, ...old }).answer).toHaveLength(1);
    expect(ask(`_whatever._tcp.${svc('db.shop')}`, { objects, ...old }).answer).toHaveLength(1);
    expect(ask(`whatever.${svc('db.shop')}`, { objects }).rcode).toBe('NXDOMAIN');
  });

  it('used as names in objects are wildcards only in lower case (1.8.6)', () => {
    const objects = {
      namespaces: [namespace('shop')],
      services: [headless('db')],
      endpointSlices: [
        slice('db', [endpoint('10.1.0.1', { hostname: 'ANY' }), endpoint('10.1.0.2', { hostname: 'db-1' })], {
          ports: [{ name: 'Any', protocol: 'ANY', port: 1 }],
        }),
      ],
    };
    const config = { objects, release: '1.8.6' };
    expect(ask(`whatever.${svc('db.shop')}`, config).rcode).toBe('NXDOMAIN');
    expect(last(ask(`db-1.${svc('db.shop')}`, config))).toEqual(['10.1.0.2']);
    expect(ask(`_whatever._tcp.${svc('db.shop')}`, config).rcode).toBe('NXDOMAIN');
    expect(last(ask(`any.${svc('db.shop')}`, config))).toHaveLength(2);
  });

  it('find Services with upper-case names, which a query without wildcards does not find (1.8.6)', () => {
    const objects = { namespaces: [namespace('shop')], services: [service('Web')] };
    const config = { objects, release: '1.8.6' };
    expect(last(ask(svc('web.*'), config))).toEqual(['10.0.0.1']);
    expect(ask(svc('web.shop'), config).rcode).toBe('NXDOMAIN');
  });

  it('do not include the empty port label', () => {
    expect(ask(`_._tcp.${svc('web.shop')}`, old).rcode).toBe('NXDOMAIN');
  });
});

/** Sorts CNAME targets before addresses, as the answer does. */
const byKind = (a: string, b: string): number => Number(/^\d/.test(a)) - Number(/^\d/.test(b)) || 0;
