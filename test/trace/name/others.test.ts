import { describe, expect, it } from 'vitest';
import { ask, codesOf, labelsOf, leftOutOf, makeCluster, makePod, makeService, shop, stepOf } from '../shop.ts';

const objects = makeCluster([makeService('web'), makeService('db')], [makePod('web-1', 1), makePod('db-1', 2)]);

describe('a name outside of the cluster', () => {
  it.each(['https://api.github.com', 'example.com:80', 'example.com.', 'quay.io', 'a.b.c.d.example.org'])('%s leads outside', (target) => {
    const trace = ask(target, objects);
    const name = /[\w.]+\w(?=\.?(?::80)?$)/.exec(target)?.[0];
    expect([trace.outcome, trace.verdict]).toEqual(['outside', `${target} leads outside the cluster, to ${name}.`]);
    expect([stepOf(trace, 'record').outcome, codesOf(trace, 'record'), labelsOf(trace, 'record')]).toEqual([
      'ok',
      ['NameOfOthers'],
      [`${name}.`],
    ]);
    expect(JSON.stringify(trace)).not.toContain('"remedy"');
  });

  it('is reported after the cluster names that were tried first', () => {
    expect(leftOutOf(ask('example.com', shop), 'record')).toEqual([
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
  ])('is not %s', (target, why) => {
    const trace = ask(target, objects);
    expect(trace.outcome).toBe('unreachable');
    expect(trace.verdict.toLowerCase()).toContain(why.toLowerCase());
  });

  it("resolves through the node's DNS, but not if the cluster DNS has no endpoints", () => {
    const dnsless = makePod('client-1', 3, { spec: { dnsPolicy: 'Default' } });
    const dns = makeService('kube-system/kube-dns', { clusterIP: '10.96.0.2' });
    const trace = ask('example.com', makeCluster([], [dnsless]), { from: 'client-1' });
    expect([trace.outcome, codesOf(trace, 'name')]).toEqual(['outside', ['AskedByPod']]);
    expect(ask('web.shop', makeCluster([makeService('web')], [dnsless]), { from: 'client-1' }).outcome).toBe('unreachable');
    expect(ask('example.com', makeCluster([dns], [makePod('client-1', 3)]), { from: 'client-1' }).outcome).toBe('unreachable');
  });
});
