import type { BalancedService } from 'kube-endpoints/load-balancer';
import { describe, expect, it } from 'vitest';
import { createFinalizersPatch, createStatusPatch } from '../../../../src/load-balancer/patch.ts';
import { makeService } from '../../../../test/load-balancer/services.ts';
import { fc } from '../../../../test/support/property.ts';
import { applyStrategicMergePatch, builtInKind } from '../../../apiserver/src/patch/index.ts';
import type { TypeRef } from '../../../apiserver/src/patch/types/type.ts';

const apply = (service: BalancedService, patch: unknown): BalancedService =>
  applyStrategicMergePatch(service as Record<string, unknown>, patch, builtInKind('v1', 'Service')?.type as TypeRef);

describe('createFinalizersPatch', () => {
  it.each([
    [[], ['a'], { finalizers: ['a'] }],
    [['a'], [], { finalizers: null }],
    [['a'], ['a', 'b'], { '$setElementOrder/finalizers': ['a', 'b'], finalizers: ['b'] }],
    [['a', 'b'], ['b'], { '$deleteFromPrimitiveList/finalizers': ['a'], '$setElementOrder/finalizers': ['b'] }],
    [['a', 'b'], ['a', 'b'], {}],
    [['b', 'a'], ['b', 'a'], { '$setElementOrder/finalizers': ['b', 'a'] }],
    [['b', 'a', 'b'], ['b', 'a'], { '$deleteFromPrimitiveList/finalizers': ['b'], '$setElementOrder/finalizers': ['b', 'a'] }],
    [[], [], {}],
  ])('changes the finalizers from %j to %j', (before, after, metadata) => {
    expect(createFinalizersPatch(makeService({}, { finalizers: before }), after)).toEqual({ metadata });
  });

  const finalizerLists = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });

  it('turns one list of finalizers into the other when applied by an API server, apart from the order', () => {
    fc.assert(
      fc.property(finalizerLists, finalizerLists, (before, after) => {
        const service = makeService({}, { finalizers: before });
        expect([...(apply(service, createFinalizersPatch(service, after)).metadata?.finalizers ?? [])].sort()).toEqual([...after].sort());
      }),
    );
  });

  it('keeps finalizers that another client added meanwhile, unless it removes the only known finalizer', () => {
    const ours = { finalizers: ['ours'] };
    const patch = createFinalizersPatch(makeService({}, { finalizers: ['other', 'ours'] }), ['other']);
    expect(apply(makeService({}, { finalizers: ['other', 'ours', 'late'] }), patch).metadata?.finalizers).toEqual(['other', 'late']);
    const addingPatch = createFinalizersPatch(makeService(), ['ours']);
    expect(apply(makeService({}, { finalizers: ['late'] }), addingPatch).metadata?.finalizers).toEqual(['ours', 'late']);
    expect(createFinalizersPatch(makeService({}, ours), [])).toEqual({ metadata: { finalizers: null } });
  });
});

describe('createStatusPatch', () => {
  it('sets or removes the addresses and keeps the finalizers', () => {
    const ingress = [{ ip: '203.0.113.1' }];
    expect(createStatusPatch(makeService(), { ingress })).toEqual({ status: { loadBalancer: { ingress } } });
    for (const emptyStatus of [{}, { ingress: [] }])
      expect(createStatusPatch(makeService(), emptyStatus)).toEqual({ status: { loadBalancer: { ingress: null } } });
    const service = makeService({}, { finalizers: ['b', 'a'] }, { loadBalancer: { ingress: [{ ip: '203.0.113.9' }, { hostname: 'a' }] } });
    const patched = apply(service, createStatusPatch(service, { ingress }));
    expect([patched.metadata?.finalizers, patched.status?.loadBalancer]).toEqual([['b', 'a'], { ingress }]);
  });
});
