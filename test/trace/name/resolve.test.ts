import { describe, expect, it } from 'vitest';
import {
  codesOf,
  crashingStatus,
  labelsOf,
  leftOutOf,
  makeCluster,
  makePod,
  makeService,
  outcomesOf,
  runTrace,
  shop,
  stepOf,
} from '../shop.ts';

describe('the name step', () => {
  it('resolves a name through the search path of the client', () => {
    const trace = runTrace('web', shop);
    expect(outcomesOf(trace)).toBe('name ok, record ok, service ok, policy ok, endpoints ok, pod ok, readiness ok');
    expect(stepOf(trace, 'name').notes).toMatchObject([{ code: 'ResolverOfNamespace', message: expect.stringContaining('ndots 5') }]);
    expect(labelsOf(trace, 'name')[0]).toBe('web.shop.svc.cluster.local.');
    expect(labelsOf(trace, 'record')).toEqual(['web.shop.svc.cluster.local. 5 IN A 10.96.0.10']);
    expect(trace.verdict).toBe('web reaches 3 endpoints of Service shop/web.');
  });

  it('lists the names without records that were queried first', () => {
    const trace = runTrace('web.shop', shop, { namespace: 'default' });
    expect(leftOutOf(trace, 'record')).toEqual(['web.shop.default.svc.cluster.local.: ServiceNotFound']);
    expect(labelsOf(trace, 'record')).toEqual(['web.shop.svc.cluster.local. 5 IN A 10.96.0.10']);
  });

  it('queries a name unchanged first if it ends with a dot or has enough dots', () => {
    expect(codesOf(runTrace('web.shop.svc.cluster.local.', shop), 'name')).toEqual(['ResolverOfNamespace', 'NameIsAbsolute']);
    const pod = makePod('frontend-1', 9, { spec: { dnsConfig: { options: [{ name: 'ndots', value: '1' }] } } });
    const trace = runTrace('web.shop.svc.cluster.local', { ...shop, pods: [pod] }, { from: 'frontend-1' });
    expect(codesOf(trace, 'name')).toEqual(['ResolverOfPod', 'NameHasEnoughDots']);
    expect([labelsOf(trace, 'name')[0], leftOutOf(trace, 'record')]).toEqual(['web.shop.svc.cluster.local.', []]);
  });

  it('resolves a name in the configured zone', () => {
    const dns = { zones: ['k8s.example', 'in-addr.arpa', 'ip6.arpa'] };
    expect(labelsOf(runTrace('web', shop, {}, { dns }), 'record')).toEqual(['web.shop.svc.k8s.example. 5 IN A 10.96.0.10']);
  });

  it('uses the port of SRV records', () => {
    const trace = runTrace('_http._tcp.web.shop.svc.cluster.local', shop);
    expect(labelsOf(trace, 'service')).toEqual(['http 80/TCP']);
    expect([trace.outcome, codesOf(trace, 'service')]).toEqual(['reached', ['ServiceOfName', 'PortOfNumber']]);
    expect(runTrace('_grpc._tcp.web.shop.svc.cluster.local', shop).outcome).toBe('unreachable');
  });

  it("does not query DNS for a name in the pod's hosts file", () => {
    const pod = makePod('frontend-1', 9, { spec: { hostAliases: [{ ip: '10.96.0.10', hostnames: ['Shop'] }] } });
    const trace = runTrace('shop:80', { ...shop, pods: [...shop.pods.slice(0, 3), pod] }, { from: 'frontend-1' });
    expect([trace.outcome, codesOf(trace, 'name'), stepOf(trace, 'record').outcome]).toEqual(['reached', ['HostAliasUsed'], 'skipped']);
  });

  it('fails for a pod that does not use the cluster DNS; later steps still trace the Service', () => {
    const pod = makePod('frontend-1', 9, { spec: { dnsPolicy: 'Default' } });
    const trace = runTrace('web', { ...shop, pods: [...shop.pods.slice(0, 3), pod] }, { from: 'frontend-1' });
    expect(outcomesOf(trace)).toBe('name error, record skipped, service ok, policy ok, endpoints ok, pod ok, readiness ok');
    expect(trace.verdict).toBe(
      'web reaches nothing from frontend-1: pod shop/frontend-1 uses the DNS of its node (dnsPolicy Default), which does not resolve cluster DNS names.',
    );
  });
});

describe('a trace to a name that does not resolve', () => {
  it('suggests a Service with the same or a similar name', () => {
    const trace = runTrace('web:http', shop, { namespace: 'default' });
    expect(outcomesOf(trace)).toBe(
      'name ok, record error, service skipped, policy skipped, endpoints skipped, pod skipped, readiness skipped',
    );
    expect(codesOf(trace, 'record')).toEqual(['ServiceNotFound', 'NameNotFound', 'NameForwarded', 'ServiceInOtherNamespace']);
    expect(trace.verdict).toContain('reaches nothing: there is no Service web in namespace default; there is a Service web in shop.');
    expect(runTrace('web.shpo', shop).verdict).toContain('there is a Service web in shop');
  });

  it('continues to the pods if the Service has no ready endpoint', () => {
    const service = makeService('db', { clusterIP: 'None', clusterIPs: ['None'] });
    const trace = runTrace('db', makeCluster([service], [makePod('db-1', 1, { status: crashingStatus })]));
    expect(outcomesOf(trace)).toBe('name ok, record error, service ok, policy skipped, endpoints error, pod error, readiness error');
    expect([codesOf(trace, 'record')[0], leftOutOf(trace, 'endpoints')]).toEqual(['NoReadyEndpoints', ['db-1 10.1.0.1: NotReady']]);
    expect(trace.verdict).toContain('headless and has no ready endpoint: the container app is not running: waiting: CrashLoopBackOff.');
  });

  it('reports an external name that is an address', () => {
    const service = makeService('old', {
      type: 'ExternalName',
      externalName: '10.0.0.1',
      clusterIP: '',
      clusterIPs: [],
      selector: null,
      ports: [],
    });
    const trace = runTrace('old', makeCluster([service], []));
    expect([trace.outcome, codesOf(trace, 'record')[0]]).toEqual(['unreachable', 'ExternalNameIsAddress']);
  });
});

describe('a trace to an ExternalName Service', () => {
  const alias = (externalName: string) =>
    makeService('alias', { type: 'ExternalName', externalName, clusterIP: '', clusterIPs: [], selector: null, ports: [] });

  it('follows the external name within the cluster', () => {
    const trace = runTrace('alias', { ...shop, services: [...shop.services, alias('web.shop.svc.cluster.local')] });
    expect([trace.outcome, stepOf(trace, 'service').title]).toEqual(['reached', 'Service shop/web']);
    expect(labelsOf(trace, 'record')).toEqual([
      'alias.shop.svc.cluster.local. 5 IN CNAME web.shop.svc.cluster.local.',
      'web.shop.svc.cluster.local. 5 IN A 10.96.0.10',
    ]);
  });

  it('leads outside if the external name is outside of the cluster', () => {
    const trace = runTrace('alias', { ...shop, services: [alias('db.example.com')] });
    expect([trace.outcome, trace.verdict]).toEqual(['outside', 'alias leads outside the cluster, to db.example.com.']);
    expect(codesOf(trace, 'record')).toEqual(['ExternalName', 'NameLeadsOutside']);
  });

  it('is unreachable if the external name is a missing Service', () => {
    const trace = runTrace('alias', { ...shop, services: [alias('gone.shop.svc.cluster.local')] });
    expect(outcomesOf(trace)).toBe('name ok, record error, service ok, policy skipped, endpoints skipped, pod skipped, readiness skipped');
    expect([codesOf(trace, 'record')[0], codesOf(trace, 'service')]).toEqual(['AliasTargetNotFound', ['ServiceIsAlias']]);
  });
});

describe('a trace to a dual-stack Service', () => {
  it('follows the address of its first family, and reports the family', () => {
    const clusterIPs = ['10.96.0.10', 'fd00::10'];
    const service = makeService('web', { clusterIPs, ipFamilies: ['IPv4', 'IPv6'] });
    const trace = runTrace('web', makeCluster([service], [makePod('web-1', 1)]));
    expect(codesOf(trace, 'record')).toEqual(['ServiceAddress', 'FamilyTraced']);
    expect([trace.outcome, stepOf(trace, 'service').notes[0]?.message]).toEqual([
      'reached',
      'Service shop/web of type ClusterIP has the address 10.96.0.10.',
    ]);
  });
});

it('a trace to the DNS name of a pod reaches the pod', () => {
  const trace = runTrace('10-1-0-2.shop.pod.cluster.local', shop, {}, { dns: { pods: 'verified' } });
  expect([trace.outcome, labelsOf(trace, 'pod')]).toEqual(['reached', ['web-2 10.1.0.2']]);
  expect(runTrace('10-1-0-2.shop.pod.cluster.local', shop).outcome).toBe('unreachable');
});
