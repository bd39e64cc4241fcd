import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import { createZone, isSrvName, queryNames } from '../../../src/trace/name/lookup.ts';
import { makeService, shop } from '../shop.ts';

const cluster = createCluster(shop, {});
const query = (...names: string[]) => queryNames(names, createZone(cluster, 'shop', {}), {});

describe('queryNames', () => {
  it('tries the names in order up to the first that resolves', () => {
    const { attempts, successfulAttempt } = query('web.default.svc.cluster.local.', 'web.shop.svc.cluster.local.', 'web.');
    expect(attempts.map(({ name, reason }) => `${name} ${reason.code}`)).toEqual([
      'web.default.svc.cluster.local. ServiceNotFound',
      'web.shop.svc.cluster.local. ServiceAddress',
    ]);
    expect(successfulAttempt).toBe(attempts[1]);
    expect(successfulAttempt).toMatchObject({ request: { namespace: 'shop', service: 'web' }, isForwarded: false });
  });

  it('finds nothing if no name resolves, and marks names that DNS forwards', () => {
    const { attempts, successfulAttempt } = query('web.', 'gone.shop.svc.cluster.local.');
    expect([successfulAttempt, attempts.map(({ isForwarded }) => isForwarded)]).toEqual([undefined, [true, false]]);
  });

  it('queries SRV records for a name that starts with port and protocol', () => {
    expect(query('_http._tcp.web.shop.svc.cluster.local.').successfulAttempt?.records.map(({ type }) => type)).toEqual(['SRV', 'A']);
    expect([isSrvName('_http._tcp.web'), isSrvName('_http.web'), isSrvName('web')]).toEqual([true, false, false]);
  });

  it('follows external names within the cluster, and reports those that lead outside', () => {
    const alias = (name: string, externalName: string) =>
      makeService(name, { type: 'ExternalName', externalName, clusterIP: '', clusterIPs: [], selector: null, ports: [] });
    const services = [...shop.services, alias('inside', 'web.shop.svc.cluster.local'), alias('outside', 'example.com')];
    const zone = createZone(createCluster({ ...shop, services }, {}), 'shop', {});
    expect(queryNames(['inside.shop.svc.cluster.local.'], zone, {}).successfulAttempt?.finalRequest).toMatchObject({ service: 'web' });
    expect(queryNames(['outside.shop.svc.cluster.local.'], zone, {}).successfulAttempt).toMatchObject({ outsideName: 'example.com.' });
  });
});

describe('createZone', () => {
  it('contains the given namespaces, or those of the objects and of the client', () => {
    const code = (namespaces: object, namespace: string, name: string) =>
      createZone(createCluster({ ...shop, ...namespaces }, {}), namespace, {}).answer({ name, type: 'A' }).reason.code;
    expect(code({}, 'shop', 'x.default.svc.cluster.local')).toBe('ServiceNotFound');
    expect(code({ namespaces: undefined }, 'shop', 'x.default.svc.cluster.local')).toBe('NamespaceNotFound');
    expect(code({ namespaces: [] }, 'default', 'x.default.svc.cluster.local')).toBe('ServiceNotFound');
    expect(code({ namespaces: [] }, 'default', 'web.shop.svc.cluster.local')).toBe('ServiceAddress');
  });
});
