import { describe, expect, it } from 'vitest';
import { codesOf, labelsOf, leftOutOf, makeCluster, makePod, makeService, runTrace, shop, stepOf } from '../shop.ts';

const objects = makeCluster([makeService('web'), makeService('db')], [makePod('web-1', 1), makePod('db-1', 2)]);

describe('a trace to a name outside of the cluster', () => {
  it.each(['https://api.github.com', 'example.com:80', 'example.com.', 'quay.io', 'a.b.c.d.example.org'])(
    'leads outside for %s',
    (target) => {
      const trace = runTrace(target, objects);
      const name = /[\w.]+\w(?=\.?(?::80)?$)/.exec(target)?.[0];
      expect([trace.outcome, trace.verdict]).toEqual(['outside', `${target} leads outside the cluster, to ${name}.`]);
      expect([stepOf(trace, 'record').outcome, codesOf(trace, 'record'), labelsOf(trace, 'record')]).toEqual([
        'ok',
        ['NameForwarded'],
        [`${name}.`],
      ]);
      expect(JSON.stringify(trace)).not.toContain('"remedy"');
    },
  );

  it('reports the cluster names that were queried first', () => {
    expect(leftOutOf(runTrace('example.com', shop), 'record')).toEqual([
      'example.com.shop.svc.cluster.local.: ServiceNotFound',
      'example.com.svc.cluster.local.: NamespaceNotFound',
      'example.com.cluster.local.: NameNotOfCluster',
    ]);
  });

  it.each([
    ['web.shopp', 'There is no namespace shopp; there is a Service web in shop'],
    ['wep.shop', 'there is no shop/wep, but there is a Service shop/web'],
    ['cache.shop', 'There is no Service cache in namespace shop'],
    ['web.shop.', 'is in none of the zones'],
    ['cache', 'There is no Service cache in namespace shop'],
    ['web.x.svc', 'there is no'],
  ])('is unreachable for %s, because %s', (target, cause) => {
    const trace = runTrace(target, objects);
    expect(trace.outcome).toBe('unreachable');
    expect(trace.verdict.toLowerCase()).toContain(cause.toLowerCase());
  });

  it("leads outside through the node's DNS; it is unreachable if the cluster DNS has no endpoints", () => {
    const hostDnsClient = makePod('client-1', 3, { spec: { dnsPolicy: 'Default' } });
    const dns = makeService('kube-system/kube-dns', { clusterIP: '10.96.0.2' });
    const trace = runTrace('example.com', makeCluster([], [hostDnsClient]), { from: 'client-1' });
    expect([trace.outcome, codesOf(trace, 'name')]).toEqual(['outside', ['ResolverOfPod']]);
    expect(runTrace('web.shop', makeCluster([makeService('web')], [hostDnsClient]), { from: 'client-1' }).outcome).toBe('unreachable');
    expect(runTrace('example.com', makeCluster([dns], [makePod('client-1', 3)]), { from: 'client-1' }).outcome).toBe('unreachable');
  });
});
