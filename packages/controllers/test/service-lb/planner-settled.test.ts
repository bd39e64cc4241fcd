import type { Effect, LoadBalancerIngress } from 'kube-endpoints/internal';
import {
  type BalancedService,
  CloudError,
  createLoadBalancerPlanner,
  type LoadBalancerPlanner,
  type LoadBalancerStatus,
  wantsLoadBalancer,
} from 'kube-endpoints/load-balancer';
import { expect, it } from 'vitest';
import { play } from '../../../../test/load-balancer/script.ts';
import { finalizer, makeExcludedNode, makeNode, makeService } from '../../../../test/load-balancer/services.ts';
import { fc } from '../../../../test/support/property.ts';
import { applyStrategicMergePatch, builtInKind } from '../../../apiserver/src/patch/index.ts';
import type { TypeRef } from '../../../apiserver/src/patch/types/type.ts';

const versions = ['1.17', '1.22', '1.25.0', '1.26.0', '1.28', '1.36'];
const key = 'shop/web';
const nodes = [makeNode('n1'), makeExcludedNode('n2'), makeNode('n3')];

const ingresses: fc.Arbitrary<readonly LoadBalancerIngress[]> = fc.array(
  fc.oneof(
    fc.record({ ip: fc.constantFrom('203.0.113.1', '203.0.113.2', '2001:db8::1'), ipMode: fc.constantFrom(undefined, 'VIP', 'Proxy') }),
    fc.record({ hostname: fc.constantFrom('a.example.com', 'b.example.com') }),
  ),
  { maxLength: 3 },
);

const services: fc.Arbitrary<BalancedService> = fc
  .record({
    type: fc.constantFrom('LoadBalancer', 'LoadBalancer', 'ClusterIP'),
    loadBalancerClass: fc.constantFrom(undefined, undefined, 'example.com/other'),
    finalizers: fc.constantFrom([], [finalizer], ['z', finalizer], [finalizer, 'a'], ['z', 'a']),
    deletionTimestamp: fc.constantFrom(undefined, undefined, '2026-01-01T00:00:00Z'),
    ingress: ingresses,
  })
  .map(({ type, loadBalancerClass, finalizers, deletionTimestamp, ingress }) =>
    makeService({ type, loadBalancerClass }, { finalizers, deletionTimestamp }, { loadBalancer: { ingress } }),
  );

/** Applies a patch as an API server does, which defaults ipMode and rejects new finalizers on an object that is being deleted. */
function applyPatch(service: BalancedService, patch: unknown): BalancedService {
  const written: BalancedService = applyStrategicMergePatch(
    service as Record<string, unknown>,
    patch,
    builtInKind('v1', 'Service')?.type as TypeRef,
  );
  if (cannotAddFinalizer(service) && written.metadata?.finalizers?.includes(finalizer)) throw new Error('no new finalizers');
  const ingress = (written.status?.loadBalancer?.ingress ?? []).map((each) => (each.ip ? { ipMode: 'VIP', ...omitUndefined(each) } : each));
  return { ...written, status: { loadBalancer: { ingress } } };
}

const hasFinalizer = ({ metadata }: BalancedService): boolean => !!metadata?.finalizers?.includes(finalizer);

/** True if the Service is being deleted without the finalizer, so the API server rejects adding it. */
const cannotAddFinalizer = (service: BalancedService): boolean => !!service.metadata?.deletionTimestamp && !hasFinalizer(service);

const omitUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** A cloud with at most one load balancer. */
interface Cloud {
  exists: boolean;
  readonly status: LoadBalancerStatus;
}

/** Runs a sync in which the effects with the given 0-based indexes fail. */
function sync(planner: LoadBalancerPlanner, before: BalancedService, cloud: Cloud, failingIndexes: ReadonlySet<number> = new Set()) {
  let [service, count] = [before, 0];
  const patches: unknown[] = [];
  const states: { readonly exists: boolean; readonly hasFinalizer: boolean }[] = [];
  const handlers: Record<Exclude<Effect['do'], 'event'>, (effect: Effect) => unknown> = {
    get: () => (cloud.exists ? cloud.status : undefined),
    ensure: () => {
      cloud.exists = true;
      return cloud.status;
    },
    update: () => undefined,
    delete: () => {
      cloud.exists = false;
    },
    updateStatus: () => undefined,
    patch(effect) {
      const { patch } = effect as Extract<Effect, { do: 'patch' }>;
      patches.push(patch);
      service = applyPatch(service, patch);
    },
  };
  const withFailures = (handle: (effect: Effect) => unknown) => (effect: Effect) => {
    if (failingIndexes.has(count++)) throw new CloudError('Failed', 'down');
    const answer = handle(effect);
    states.push({ exists: cloud.exists, hasFinalizer: hasFinalizer(service) });
    return answer;
  };
  const script = Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, withFailures(handle)]));
  const { error } = play(planner.sync(key, before, nodes), script);
  return { service, error, patches, states };
}

const syncInputs = fc.record({ service: services, answer: ingresses, exists: fc.boolean() });

it('a repeated sync after a successful one sends no patch', () => {
  fc.assert(
    fc.property(syncInputs, fc.constantFrom(...versions), ({ service, answer, exists }, version) => {
      const planner = createLoadBalancerPlanner({ version });
      const cloud = { exists, status: { ingress: answer } };
      const firstSync = sync(planner, service, cloud);
      if (cannotAddFinalizer(service) && firstSync.error) {
        expect(firstSync.states).toEqual([]);
        return;
      }
      expect(firstSync.error).toBeUndefined();
      for (const nextPlanner of [planner, createLoadBalancerPlanner({ version })]) {
        const { error, patches, states } = sync(nextPlanner, firstSync.service, cloud);
        // If only other finalizers remain, a sync tries to add the finalizer again, which the API server rejects.
        if (cannotAddFinalizer(firstSync.service) && wantsLoadBalancer(service, { version }))
          expect([error !== undefined, states]).toEqual([true, []]);
        else expect([error, patches]).toEqual([undefined, []]);
      }
    }),
    { numRuns: 500 },
  );
});

it('after a successful sync, the Service has the finalizer if and only if the load balancer exists', () => {
  fc.assert(
    fc.property(syncInputs, fc.constantFrom(...versions), ({ service, answer, exists }, version) => {
      const cloud = { exists, status: { ingress: answer } };
      const { service: serviceAfter, error } = sync(createLoadBalancerPlanner({ version }), service, cloud);
      if (error) {
        expect([cannotAddFinalizer(service), cloud.exists]).toEqual([true, exists]);
        return;
      }
      const isWanted = wantsLoadBalancer(service, { version }) && !service.metadata?.deletionTimestamp;
      expect([cloud.exists, hasFinalizer(serviceAfter)]).toEqual([isWanted, isWanted]);
      expect(serviceAfter.status?.loadBalancer?.ingress?.length).toBe(isWanted ? answer.length : 0);
    }),
    { numRuns: 500 },
  );
});

it('a failing sync keeps the finalizer while a load balancer may exist, and never changes other finalizers', () => {
  const failures = fc.array(fc.nat({ max: 5 }), { maxLength: 3 });
  fc.assert(
    fc.property(syncInputs, failures, fc.constantFrom(...versions), ({ service, answer, exists }, failingIndexes, version) => {
      const cloud = { exists: exists && hasFinalizer(service), status: { ingress: answer } };
      const { service: serviceAfter, states } = sync(createLoadBalancerPlanner({ version }), service, cloud, new Set(failingIndexes));
      expect(states.filter((state) => state.exists && !state.hasFinalizer)).toEqual([]);
      const otherFinalizers = (service: BalancedService) => (service.metadata?.finalizers ?? []).filter((each) => each !== finalizer);
      expect(otherFinalizers(serviceAfter).sort()).toEqual(otherFinalizers(service).sort());
    }),
    { numRuns: 500 },
  );
});

it('a malformed cloud answer causes no patch', () => {
  const malformedAnswers = fc.anything().filter((answer) => !isValidStatus(answer));
  fc.assert(
    fc.property(malformedAnswers, (answer) => {
      const service = makeService({}, { finalizers: [finalizer] }, { loadBalancer: { ingress: [{ ip: '203.0.113.1' }] } });
      const { log, error } = play(createLoadBalancerPlanner().sync(key, service, nodes), { ensure: () => answer });
      expect(error).toMatchObject({ name: 'SyncError' });
      expect(log.filter((each) => each.startsWith('patch'))).toEqual([]);
      expect(log.at(-1)).toMatch(/^Warning SyncLoadBalancerFailed: /);
    }),
    { numRuns: 500 },
  );
});

/** An object without `ingress` is a valid status without addresses. */
const isValidStatus = (answer: unknown): boolean => {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  const { ingress } = answer as { readonly ingress?: unknown };
  return ingress === undefined || ingress === null || Array.isArray(ingress);
};
