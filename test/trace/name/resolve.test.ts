import { describe, expect, it } from 'vitest';
import { ask, codesOf, crashing, labelsOf, leftOutOf, makeCluster, makePod, makeService, outcomesOf, shop, stepOf } from '../shop.ts';

describe('a name', () => {
  it('is resolved through the search path of its client', () => {
    const trace = ask('web', shop);
    expect(outcomesOf(trace)).toBe('name ok, record ok, service ok, policy ok, endpoints ok, pod ok, readiness ok');
    expect(stepOf(trace, 'name').notes).toMatchObject([{ code: 'AskedInNamespace', message: expect.stringContaining('ndots 5') }]);
    expect(labelsOf(trace, 'name')[0]).toBe('web.shop.svc.cluster.local.');
    expect(labelsOf(trace, 'record')).toEqual(['web.shop.svc.cluster.local. 5 IN A 10.96.0.10']);
    expect(trace.verdict).toBe('web reaches 3 endpoints of Service shop/web.');
  });

  it('lists the failed names that were tried first', () => {
    const trace = ask('web.shop', shop, { namespace: 'default' });
    expect(leftOutOf(trace, 'record')).toEqual(['web.shop.default.svc.cluster.local.: ServiceNotFound']);
    expect(labelsOf(trace, 'record')).toEqual(['web.shop.svc.cluster.local. 5 IN A 10.96.0.10']);
  });

  it('is tried unchanged first if it ends with a dot or has enough dots', () => {
    expect(codesOf(ask('web.shop.svc.cluster.local.', shop), 'name')).toEqual(['AskedInNamespace', 'AskedAsItIs']);
    const pod = makePod('frontend-1', 9, { spec: { dnsConfig: { options: [{ name: 'ndots', value: '1' }] } } });
    const trace = ask('web.shop.svc.cluster.local', { ...shop, pods: [pod] }, { from: 'frontend-1' });
    expect(codesOf(trace, 'name')).toEqual(['AskedByPod', 'AskedAsItIsFirst']);
    expect([labelsOf(trace, 'name')[0], leftOutOf(trace, 'record')]).toEqual(['web.shop.svc.cluster.local.', []]);
  });

  it('is resolved in the configured zone', () => {
    const dns = { zones: ['k8s.example', 'in-addr.arpa', 'ip6.arpa'] };
    expect(labelsOf(ask('web', shop, {}, { dns }), 'record')).toEqual(['web.shop.svc.k8s.example. 5 IN A 10.96.0.10']);
  });

  it('with SRV records uses their port', () => {
    const trace = ask('_http._tcp.web.shop.svc.cluster.local', shop);
    expect(labelsOf(trace, 'service')).toEqual(['http 80/TCP']);
    expect([trace.outcome, codesOf(trace, 'service')]).toEqual(['reached', ['ServiceOfName', 'PortOfNumber']]);
    expect(ask('_grpc._tcp.web.shop.svc.cluster.local', shop).outcome).toBe('unreachable');
  });

  it("in the pod's hosts file is not looked up", () => {
    const pod = makePod('frontend-1', 9, { spec: { hostAliases: [{ ip: '10.96.0.10', hostnames: ['Shop'] }] } });
    const trace = ask('shop:80', { ...shop, pods: [...shop.pods.slice(0, 3), pod] }, { from: 'frontend-1' });
    expect([trace.outcome, codesOf(trace, 'name'), stepOf(trace, 'record').outcome]).toEqual(['reached', ['HostAliasTakes'], 'skipped']);
  });

  it('does not resolve for a pod that uses another DNS, but the Service is still examined', () => {
    const pod = makePod('frontend-1', 9, { spec: { dnsPolicy: 'Default' } });
    const trace = ask('web', { ...shop, pods: [...shop.pods.slice(0, 3), pod] }, { from: 'frontend-1' });
    expect(outcomesOf(trace)).toBe('name error, record skipped, service ok, policy ok, endpoints ok, pod ok, readiness ok');
    expect(trace.verdict).toBe(
      'web reaches nothing from frontend-1: pod shop/frontend-1 uses the DNS of its node (dnsPolicy Default), which does not resolve names of the cluster.',
    );
  });
});

describe('a name that does not resolve', () => {
  it('is reported with similar names that exist', () => {
    const trace = ask('web:http', shop, { namespace: 'default' });
    expect(outcomesOf(trace)).toBe(
      'name ok, record error, service skipped, policy skipped, endpoints skipped, pod skipped, readiness skipped',
    );
    expect(codesOf(trace, 'record')).toEqual(['ServiceNotFound', 'NameNotFound', 'NameOfOthers', 'ServiceElsewhere']);
    expect(trace.verdict).toContain('reaches nothing: there is no Service web in namespace default; there is a Service web in shop.');
    expect(ask('web.shpo', shop).verdict).toContain('there is a Service web in shop');
  });

  it('for lack of ready endpoints leads on to the pods', () => {
    const service = makeService('db', { clusterIP: 'None', clusterIPs: ['None'] });
    const trace = ask('db', makeCluster([service], [makePod('db-1', 1, { status: crashing })]));
    expect(outcomesOf(trace)).toBe('name ok, record error, service ok, policy skipped, endpoints error, pod error, readiness error');
    expect([codesOf(trace, 'record')[0], leftOutOf(trace, 'endpoints')]).toEqual(['NoReadyEndpoints', ['db-1 10.1.0.1: NotReady']]);
    expect(trace.verdict).toContain('headless and has no ready endpoint: the container app is not running: waiting: CrashLoopBackOff.');
  });

  it('is explained if the external name is an address', () => {
    const service = makeService('old', {
      type: 'ExternalName',
      externalName: '10.0.0.1',
      clusterIP: '',
      clusterIPs: [],
      selector: null,
      ports: [],
    });
    const trace = ask('old', makeCluster([service], []));
    expect([trace.outcome, codesOf(trace, 'record')[0]]).toEqual(['unreachable', 'ExternalNameIsAddress']);
  });
});

describe('an external name', () => {
  const alias = (externalName: string) =>
    makeService('alias', { type: 'ExternalName', externalName, clusterIP: '', clusterIPs: [], selector: null, ports: [] });

  it('is followed within the cluster', () => {
    const trace = ask('alias', { ...shop, services: [...shop.services, alias('web.shop.svc.cluster.local')] });
    expect([trace.outcome, stepOf(trace, 'service').title]).toEqual(['reached', 'Service shop/web']);
    expect(labelsOf(trace, 'record')).toEqual([
      'alias.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.cluster.local.',
      'web.shop.svc.cluster.local. 5 IN A 10.96.0.10',
    ]);
  });

  it('leads out of the cluster', () => {
    const trace = ask('alias', { ...shop, services: [alias('db.example.com')] });
    expect([trace.outcome, trace.verdict]).toEqual(['outside', 'alias leads outside the cluster, to db.example.com.']);
    expect(codesOf(trace, 'record')).toEqual(['ExternalName', 'LeadsOut']);
  });

  it('may lead to a missing Service', () => {
    const trace = ask('alias', { ...shop, services: [alias('gone.shop.svc.cluster.local')] });
    expect(outcomesOf(trace)).toBe('name ok, record error, service ok, policy skipped, endpoints skipped, pod skipped, readiness skipped');
    expect([codesOf(trace, 'record')[0], codesOf(trace, 'service')]).toEqual(['ExternalNameHasNoRecord', ['ServiceIsAlias']]);
  });
});

describe('a dual-stack Service', () => {
  it('is followed by the address of its first family, which is reported', () => {
    const clusterIPs = ['10.96.0.10', 'fd00::10'];
    const service = makeService('web', { clusterIPs, ipFamilies: ['IPv4', 'IPv6'] });
    const trace = ask('web', makeCluster([service], [makePod('web-1', 1)]));
    expect(codesOf(trace, 'record')).toEqual(['ServiceAddress', 'FamilyFollowed']);
    expect([trace.outcome, stepOf(trace, 'service').notes[0]?.message]).toEqual([
      'reached',
      'Service shop/web of type ClusterIP has the address 10.96.0.10.',
    ]);
  });
});

it('the names of pods lead to pods', () => {
  const trace = ask('10-1-0-2.shop.pod.cluster.local', shop, {}, { dns: { pods: 'verified' } });
  expect([trace.outcome, labelsOf(trace, 'pod')]).toEqual(['reached', ['web-2 10.1.0.2']]);
  expect(ask('10-1-0-2.shop.pod.cluster.local', shop).outcome).toBe('unreachable');
});
