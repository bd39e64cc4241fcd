import { describe, expect, it } from 'vitest';
import { needsCleanup, wantsLoadBalancer } from '../../src/load-balancer/index.ts';
import { hasCleanupFinalizer } from '../../src/load-balancer/wants.ts';
import { finalizer, makeService } from './services.ts';

describe('wantsLoadBalancer', () => {
  it('is true for the type LoadBalancer only', () => {
    expect(wantsLoadBalancer(makeService())).toBe(true);
    for (const type of ['ClusterIP', 'NodePort', 'ExternalName', '', null]) expect(wantsLoadBalancer(makeService({ type }))).toBe(false);
    expect(wantsLoadBalancer({})).toBe(false);
  });

  it('is false for a Service with a class from 1.21 on, even an empty one', () => {
    const service = makeService({ loadBalancerClass: 'example.com/other' });
    expect([wantsLoadBalancer(service, { version: '1.20' }), wantsLoadBalancer(service, { version: '1.21.0' })]).toEqual([true, false]);
    expect(wantsLoadBalancer(makeService({ loadBalancerClass: '' }))).toBe(false);
    expect(wantsLoadBalancer(makeService({ loadBalancerClass: null }))).toBe(true);
  });
});

describe('needsCleanup', () => {
  const metadataWithFinalizer = { finalizers: ['example.com/mine', finalizer] };

  it('is true for a Service with the finalizer that is being deleted or has another type', () => {
    expect(needsCleanup(makeService({}, metadataWithFinalizer))).toBe(false);
    expect(needsCleanup(makeService({}, { ...metadataWithFinalizer, deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe(true);
    expect(needsCleanup(makeService({ type: 'NodePort' }, metadataWithFinalizer))).toBe(true);
  });

  it('is false without the finalizer', () => {
    const metaWithoutFinalizer = { finalizers: ['example.com/mine'], deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(needsCleanup(makeService({ type: 'NodePort' }, metaWithoutFinalizer))).toBe(false);
    expect([
      hasCleanupFinalizer(makeService({}, metadataWithFinalizer)),
      hasCleanupFinalizer(makeService({}, metaWithoutFinalizer)),
      hasCleanupFinalizer({}),
    ]).toEqual([true, false, false]);
  });

  it('considers only the deletion in 1.15, and is never true before', () => {
    const deletedService = makeService({}, { ...metadataWithFinalizer, deletionTimestamp: '2026-01-01T00:00:00Z' });
    const answersIn = (version: string): boolean[] =>
      [deletedService, makeService({ type: 'NodePort' }, metadataWithFinalizer)].map((service) => needsCleanup(service, { version }));
    expect(['1.14', '1.15', '1.16'].map(answersIn)).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
  });

  it('is false for a Service with a class, as in Kubernetes; the change of class triggers the clean-up', () => {
    expect(needsCleanup(makeService({ loadBalancerClass: 'example.com/other' }, metadataWithFinalizer))).toBe(false);
  });
});
