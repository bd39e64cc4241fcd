import { describe, expect, it } from 'vitest';
import { makeEndpoint, makeHeadlessService, makeNamespace, makeService, makeSlice, shopObjects } from './cluster.ts';
import { queryDns, svc } from './query.ts';

const coreDns18 = { release: '1.8' };
const lastFields = ({ answer }: { answer: string[] }): (string | undefined)[] => answer.map((text) => text.split(' ').at(-1));

describe('wildcards in CoreDNS 1.8', () => {
  it('match any Service, namespace, port, protocol and endpoint', () => {
    for (const wildcard of ['*', 'any']) {
      expect(lastFields(queryDns(svc(`${wildcard}.shop`), coreDns18)), wildcard).toEqual(
        ['10.0.0.9', '10.1.0.2', '10.1.0.3', 'docs.example.com.', '10.0.0.1'].sort(byKind),
      );
      expect(lastFields(queryDns(svc(`web.${wildcard}`), coreDns18))).toEqual(['10.0.0.1']);
      expect(lastFields(queryDns(`${wildcard}.${svc('db.shop')}`, coreDns18))).toEqual(['10.1.0.2', '10.1.0.3']);
      expect(lastFields(queryDns(`_${wildcard}._tcp.${svc('web.shop')}`, coreDns18))).toEqual(['10.0.0.1']);
      expect(lastFields(queryDns(`_sql._${wildcard}.${svc('db.shop SRV')}`, coreDns18))).toHaveLength(2);
    }
  });

  it('are ordinary labels from CoreDNS 1.9 on', () => {
    for (const name of ['*.shop', 'any.shop', 'web.*']) expect(queryDns(svc(name), { release: '1.9.0' }).rcode, name).toBe('NXDOMAIN');
    const objects = { ...shopObjects, services: [makeService('any')] };
    expect(queryDns(svc('any.shop'), { objects }).answer).toHaveLength(1);
  });

  it('return NODATA if nothing matches in an existing namespace, and NXDOMAIN otherwise', () => {
    expect(queryDns(svc('*.back'), coreDns18).rcode).toBe('NOERROR');
    expect(queryDns(svc('none.*'), coreDns18).rcode).toBe('NXDOMAIN');
    expect(queryDns(svc('*.none'), coreDns18).rcode).toBe('NXDOMAIN');
  });

  it('skip namespaces that are not visible', () => {
    expect(queryDns(svc('web.*'), { ...coreDns18, namespaces: ['back'] }).rcode).toBe('NXDOMAIN');
  });

  it('find a Service without endpoints despite "ignore empty_service", which then counts the endpoints of all Services', () => {
    expect(lastFields(queryDns(svc('bare.*'), { ...coreDns18, ignoreEmptyService: true }))).toEqual(['10.0.0.9']);
    expect(queryDns(svc('bare.shop'), { ...coreDns18, ignoreEmptyService: true }).rcode).toBe('NXDOMAIN');
  });

  it('match every queried name if they are the name of an endpoint or port', () => {
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: [makeHeadlessService('db')],
      endpointSlices: [makeSlice('db', [makeEndpoint('10.1.0.1', { hostname: 'any' })], { ports: [{ name: 'any', port: 1 }] })],
    };
    expect(queryDns(`whatever.${svc('db.shop')}`, { objects, ...coreDns18 }).answer).toHaveLength(1);
    expect(queryDns(`_whatever._tcp.${svc('db.shop')}`, { objects, ...coreDns18 }).answer).toHaveLength(1);
    expect(queryDns(`whatever.${svc('db.shop')}`, { objects }).rcode).toBe('NXDOMAIN');
  });

  it('are recognized in names of objects only in lower case', () => {
    const objects = {
      namespaces: [makeNamespace('shop')],
      services: [makeHeadlessService('db')],
      endpointSlices: [
        makeSlice('db', [makeEndpoint('10.1.0.1', { hostname: 'ANY' }), makeEndpoint('10.1.0.2', { hostname: 'db-1' })], {
          ports: [{ name: 'Any', protocol: 'ANY', port: 1 }],
        }),
      ],
    };
    const config = { objects, release: '1.8.6' };
    expect(queryDns(`whatever.${svc('db.shop')}`, config).rcode).toBe('NXDOMAIN');
    expect(lastFields(queryDns(`db-1.${svc('db.shop')}`, config))).toEqual(['10.1.0.2']);
    expect(queryDns(`_whatever._tcp.${svc('db.shop')}`, config).rcode).toBe('NXDOMAIN');
    expect(lastFields(queryDns(`any.${svc('db.shop')}`, config))).toHaveLength(2);
  });

  it('find Services with upper-case names, which other queries do not find', () => {
    const objects = { namespaces: [makeNamespace('shop')], services: [makeService('Web')] };
    const config = { objects, release: '1.8.6' };
    expect(lastFields(queryDns(svc('web.*'), config))).toEqual(['10.0.0.1']);
    expect(queryDns(svc('web.shop'), config).rcode).toBe('NXDOMAIN');
  });

  it('do not include an empty port label, which matches no port', () => {
    expect(queryDns(`_._tcp.${svc('web.shop')}`, coreDns18).rcode).toBe('NXDOMAIN');
  });
});

/** Sorts CNAME targets before addresses, as the answer does. */
const byKind = (a: string, b: string): number => Number(/^\d/.test(a)) - Number(/^\d/.test(b)) || 0;
