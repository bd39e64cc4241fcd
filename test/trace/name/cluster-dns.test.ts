import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import type { TraceObjects } from '../../../src/trace/index.ts';
import { checkDns } from '../../../src/trace/name/resolve.ts';
import { resolverOf } from '../../../src/trace/name/resolver.ts';
import type { TracePod } from '../../../src/trace/objects.ts';
import { crashingStatus, makeCluster, makePod, makeService } from '../shop.ts';

const dns = makeService('kube-system/kube-dns', { clusterIP: '10.96.0.2', clusterIPs: ['10.96.0.2'] });
const dnsPod = (more: Partial<TracePod> = {}) => makePod('kube-system/kube-dns-1', 1, more);
const workingDns = makeCluster([dns], [dnsPod()]);
const check = (spec: object, objects: TraceObjects = workingDns) => {
  const pod = makePod('frontend-1', 9, { spec });
  return checkDns(resolverOf(pod, 'shop', 'cluster.local'), { namespace: 'shop', pod }, createCluster(objects, {}));
};
const codes = (...args: Parameters<typeof check>) => check(...args).notes.map(({ code }) => code);

describe('checkDns', () => {
  it('reports nothing if the cluster DNS works or is unknown', () => {
    expect(check({})).toEqual({ notes: [] });
    expect(check({}, makeCluster([], []))).toEqual({ notes: [] });
    expect(check({}, { services: [dns], pods: [] })).toEqual({ notes: [] });
    const serviceInOtherNamespace = makeService('shop/kube-dns');
    expect(check({}, makeCluster([serviceInOtherNamespace], []))).toEqual({ notes: [] });
  });

  it('reports a cluster DNS without ready endpoints', () => {
    expect(check({}, makeCluster([dns], [dnsPod({ status: crashingStatus })]))).toEqual({
      notes: [expect.objectContaining({ code: 'ClusterDnsNotReady', remedy: 'Find the cause: trace kube-dns.kube-system.' })],
      cause: 'Service kube-system/kube-dns has no ready endpoint, so cluster DNS names cannot be resolved',
    });
    expect(codes({}, { ...makeCluster([dns], [dnsPod({ status: crashingStatus })]), slices: undefined })).toEqual(['ClusterDnsNotReady']);
  });

  it('accepts a terminating endpoint that serves', () => {
    expect(codes({}, makeCluster([dns], [dnsPod({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })]))).toEqual([]);
  });

  it("reports a pod that uses its node's DNS", () => {
    expect(check({ dnsPolicy: 'Default' }).cause).toBe(
      'Pod shop/frontend-1 uses the DNS of its node (dnsPolicy Default), which does not resolve cluster DNS names',
    );
    expect(check({ hostNetwork: true }).notes[0]?.message).toContain('dnsPolicy ClusterFirst acts as Default with hostNetwork');
  });

  it('reports a pod with its own nameservers', () => {
    const policyNone = (...nameservers: string[]) => ({ dnsPolicy: 'None', dnsConfig: { nameservers } });
    expect([codes(policyNone('10.96.0.2')), check(policyNone('10.96.0.2')).cause]).toEqual([['OwnNameserversUsed'], undefined]);
    expect(codes(policyNone('8.8.8.8'), makeCluster([], []))).toEqual(['OwnNameserversUsed']);
    expect(check(policyNone('8.8.8.8')).notes[0]).toMatchObject({
      code: 'ClusterDnsNotInNameservers',
      remedy: 'Add 10.96.0.2 to dnsConfig.nameservers, or set dnsPolicy to ClusterFirst.',
    });
    expect(codes({ dnsPolicy: 'None' }, makeCluster([], []))).toEqual(['ClusterDnsNotInNameservers']);
    expect(codes(policyNone('10.96.0.2'), makeCluster([dns], []))).toEqual(['OwnNameserversUsed', 'ClusterDnsNotReady']);
  });
});
