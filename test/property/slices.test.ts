import { describe, expect, it } from 'vitest';
import { computeEndpointSlices, createReconciler, type SlicePlan, type SlicesInput } from '../../src/index.ts';
import { allocate } from '../../src/spec/slices/hints/allocation.ts';
import { zoneSharesOf } from '../../src/spec/slices/hints/zones.ts';
import type { EndpointInput, EndpointSliceInput, Service } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { fc } from '../support/property.ts';
import { sampledRunCount } from '../support/sample.ts';
import { withSliceController } from '../support/slice-controller.ts';
import { sliceVersions } from './releases.ts';
import { type Change, foreignSlices, stepLists } from './slices-cluster.ts';
import { formatStableContent, key, type RunOptions, runSteps, type Step, withUnselectedPods } from './slices-run.ts';
import { createSliceStore, keyOf, toCanonicalJson } from './slices-store.ts';

/** Checks every step of generated clusters in one release of every kind. */
function checkSteps(steps: number, numRuns: number, check: (step: Step, options: RunOptions) => void): void {
  const runInputs: fc.Arbitrary<{ max: number; steps: Change[][] }> = fc.record({
    max: fc.integer({ min: 1, max: 5 }),
    steps: stepLists(sampledRunCount(steps, 0.15)),
  });
  fc.assert(
    fc.property(runInputs, ({ max, steps: list }) => {
      for (const version of sliceVersions) {
        const options = { version, maxEndpointsPerSlice: max };
        runSteps(list, options, (step) => check(step, options));
      }
    }),
    { numRuns },
  );
}

const foreignKeys = new Set(foreignSlices.map(keyOf));
const isOwn = (slice: EndpointSliceInput): boolean => !foreignKeys.has(keyOf(slice));
const sizeOf = ({ endpoints }: EndpointSliceInput): number => endpoints?.length ?? 0;
const isSyncFailed = (plan: SlicePlan, version: string): boolean => plan.retry && !profileFor(version).missingNodeSkipped;

it('reconcileSlices ignores the order of pods and pods of other Services', () => {
  checkSteps(60, 2, ({ input, freshPlan }, options) => {
    const pods = withUnselectedPods(input.pods.toReversed());
    expect(formatStableContent(createReconciler(options).reconcileSlices({ ...input, pods })), options.version).toBe(
      formatStableContent(freshPlan()),
    );
  });
});

it('observing its own writes never makes a reconciler stale', () => {
  checkSteps(100, 2, ({ plan, nextPlan }) => {
    for (const { reasons } of [plan, nextPlan]) expect(reasons.map(({ code }) => code)).not.toContain('SlicesStale');
  });
});

describe('after a plan is applied', () => {
  it('every endpoint is in exactly one slice', () => {
    checkSteps(200, 2, ({ input, plan, slicesAfter }, { version }) => {
      if (isSyncFailed(plan, version)) return;
      const { service, pods, nodes } = input;
      const expected = computeEndpointSlices(service as Service, pods, {
        ...withSliceController(version),
        nodes,
        maxEndpointsPerSlice: 1000,
      });
      expect(contentOf(slicesAfter.filter(isOwn), version), version).toEqual(contentOf(expected, version));
    });
  });

  it('no slice exceeds maxEndpointsPerSlice', () => {
    checkSteps(200, 2, ({ plan, slicesAfter }, { version, maxEndpointsPerSlice: max }) => {
      for (const slice of [...plan.create, ...plan.update, ...slicesAfter]) expect(sizeOf(slice), version).toBeLessThanOrEqual(max);
    });
  });

  it('a slice above a lowered maxEndpointsPerSlice does not grow', () => {
    checkSteps(60, 2, ({ input, slicesAfter }, { version }) => {
      const sizesBefore = new Map(slicesAfter.map((slice) => [keyOf(slice), sizeOf(slice)]));
      const reconciler = createReconciler({ version, maxEndpointsPerSlice: 1 });
      const { create, update } = reconciler.reconcileSlices({ ...input, pods: input.pods.slice(2), current: slicesAfter });
      for (const slice of create) expect(sizeOf(slice), version).toBeLessThanOrEqual(1);
      for (const slice of update) expect(sizeOf(slice), version).toBeLessThanOrEqual(Math.max(1, sizesBefore.get(keyOf(slice)) ?? 0));
    });
  });

  it('foreign slices are unchanged, and in no plan', () => {
    checkSteps(100, 1, ({ plan, slicesAfter }, { version }) => {
      for (const slice of [...plan.create, ...plan.update, ...plan.delete]) expect(foreignKeys.has(keyOf(slice)), version).toBe(false);
      expect(slicesAfter.filter((slice) => !isOwn(slice)).length, version).toBe(foreignSlices.length);
    });
  });

  it('the next plan is empty, except for the rewrites that Kubernetes makes at every sync', () => {
    checkSteps(200, 2, ({ input, slicesAfter, nextPlan }, { version }) => {
      const isUnexpected = (slice: EndpointSliceInput): boolean => !isRewrittenAlways(slice, { ...input, current: slicesAfter }, version);
      const writes = [...nextPlan.create, ...nextPlan.delete, ...nextPlan.update.filter(isUnexpected)];
      expect(writes, `${version}: ${JSON.stringify(nextPlan.reasons)}`).toEqual([]);
    });
  });
});

/** The sorted addresses and ports of slices, without the fields that the release does not compare. */
function contentOf(slices: readonly EndpointSliceInput[], version: string): string[] {
  const profile = profileFor(version);
  const entryOf = ({ conditions, hints: _, nodeName, zone, targetRef, ...rest }: EndpointInput): unknown => ({
    ...rest,
    ready: conditions?.ready,
    name: targetRef?.name,
    ...(!profile.targetResourceVersionNotCompared && { targetRef }),
    ...(profile.sliceConditionsCompared && { conditions }),
    ...(profile.sliceNodeAndZoneCompared && { nodeName, zone }),
  });
  return slices
    .flatMap(({ addressType, ports, endpoints }) =>
      (endpoints ?? []).map((endpoint) => toCanonicalJson([addressType, ports, entryOf(endpoint)])),
    )
    .sort();
}

/**
 * The slices that a controller rewrites at every sync, each with a test below:
 * - the placeholder, in releases that do not keep it;
 * - a slice without hints, if a ready endpoint without a zone prevents the hints that an annotation requests;
 * - a slice with a ready endpoint in a zone without CPU share, which never has a matching hint;
 * - a slice with hints for a zone above its maximum, but too little above its share to give any away.
 * The fifth rewrite, of a slice without ports, requires an API server that returns absent ports for empty ones.
 */
function isRewrittenAlways(slice: EndpointSliceInput, { service, nodes, current }: SlicesInput, version: string): boolean {
  const profile = profileFor(version);
  if (sizeOf(slice) === 0 && !slice.ports?.length) return !profile.placeholderKept;
  const requestsTopology = Object.values(service?.metadata?.annotations ?? {}).includes('Auto');
  if (!profile.topologyHints || !requestsTopology) return false;
  const endpoints = slice.endpoints ?? [];
  const { shares } = zoneSharesOf(nodes ?? []);
  const fullZones = findOverfullZones(
    current.filter((each) => isOwn(each) && each.addressType === slice.addressType),
    shares,
  );
  return (
    endpoints.every(({ hints }) => !hints) ||
    endpoints.some(({ conditions, zone }) => conditions?.ready && !shares?.has(zone ?? '')) ||
    endpoints.some(({ hints }) => fullZones.has(hints?.forZones?.[0]?.name ?? ''))
  );
}

/** The zones with more hinted endpoints than their maximum. */
function findOverfullZones(slices: readonly EndpointSliceInput[], shares: ReadonlyMap<string, number> | undefined): ReadonlySet<string> {
  const ready = slices.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready);
  const allocations = shares && allocate(shares, ready.length);
  if (!allocations || typeof allocations === 'string') return new Set();
  const hinted = Map.groupBy(ready, ({ hints }) => hints?.forZones?.[0]?.name ?? '');
  return new Set([...allocations].filter(([zone, { maximum }]) => (hinted.get(zone)?.length ?? 0) > maximum).map(([zone]) => zone));
}

describe('at every sync Kubernetes rewrites', () => {
  const nodes = ['a', 'b'].map((zone) => ({
    metadata: { name: `n-${zone}`, labels: { 'topology.kubernetes.io/zone': zone } },
    status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '1' } },
  }));
  const nodeWithoutZone = { metadata: { name: 'n-bare' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } };
  const nodeDown = { ...nodeWithoutZone, metadata: { name: 'n-down', labels: { 'topology.kubernetes.io/zone': 'c' } } };
  const podsOn = (...names: string[]) => names.map((nodeName, i) => makePod(`p${i}`, { ip: `10.0.0.${i + 1}`, spec: { nodeName } }));
  const topologyService = makeService({}, { annotations: { 'service.kubernetes.io/topology-aware-hints': 'Auto' } });

  /** Applies two syncs, and returns the numbers of writes and the reason codes of a third sync. */
  function summarizeThirdSync(
    version: string,
    service: Service,
    pods = podsOn('n-a'),
    asRead = (slice: EndpointSliceInput) => slice,
    zonedNodes = nodes,
  ): string[] {
    const store = createSliceStore();
    const sync = (): SlicePlan =>
      createReconciler({ version }).reconcileSlices({
        key,
        service,
        pods,
        nodes: [...zonedNodes, nodeWithoutZone, nodeDown],
        current: store.list().map(asRead),
      });
    for (let i = 0; i < 2; i++) store.apply(sync());
    const { create, update, delete: toDelete, reasons } = sync();
    return [...[create, update, toDelete].map(({ length }) => String(length)), ...reasons.map(({ code }) => code)];
  }
  const noWrites = ['0', '0', '0', 'SlicesEqual'];
  const releasesWith = (gate: 'placeholderKept' | 'topologyHints' | 'slicePortsNilAsEmpty') =>
    sliceVersions.map((version) => ({ version, isOpen: profileFor(version)[gate] }));

  it('the placeholder, in releases that do not keep it', () => {
    for (const { version, isOpen } of releasesWith('placeholderKept'))
      expect(summarizeThirdSync(version, makeService(), []), version).toEqual(
        isOpen ? noWrites : ['0', '1', '0', 'PortsNotWanted', 'Placeholder'],
      );
  });

  it('slices without hints, if a ready endpoint has no zone', () => {
    for (const { version, isOpen } of releasesWith('topologyHints')) {
      const codes = summarizeThirdSync(version, topologyService, podsOn('n-a', 'n-b', 'n-a', 'n-bare'));
      expect(codes, version).toEqual(
        isOpen ? ['0', '1', '0', 'EndpointWithoutZone', 'HintsDiffer'] : ['0', '0', '0', 'TopologyAnnotationIgnored', 'SlicesEqual'],
      );
      expect(summarizeThirdSync(version, topologyService, podsOn('n-a', 'n-b')).slice(0, 3), version).toEqual(['0', '0', '0']);
    }
  });

  it('a slice with a ready endpoint in a zone without ready nodes', () => {
    const pods = podsOn('n-a', 'n-b', 'n-a', 'n-b', 'n-a', 'n-down');
    for (const { version, isOpen } of releasesWith('topologyHints'))
      expect(summarizeThirdSync(version, topologyService, pods), version).toEqual(
        isOpen ? ['0', '1', '0', 'HintsEnabled', 'HintsDiffer'] : ['0', '0', '0', 'TopologyAnnotationIgnored', 'SlicesEqual'],
      );
  });

  it('hints of a zone above its maximum, but less than half an endpoint above its share', () => {
    const unevenNodes = ['4', '6'].map(
      (cpu, i) => ({ ...nodes[i], status: { ...nodes[i]?.status, allocatable: { cpu } } }) as (typeof nodes)[0],
    );
    const pods = podsOn('n-a', 'n-b', 'n-b', 'n-b', 'n-b', 'n-b');
    for (const { version, isOpen } of releasesWith('topologyHints')) {
      const codes = summarizeThirdSync(version, topologyService, pods, undefined, unevenNodes);
      expect(codes.slice(0, 3), version).toEqual(['0', isOpen ? '1' : '0', '0']);
      expect(codes.includes('HintsDiffer'), version).toBe(isOpen);
    }
  });

  it('slices without ports, if the API server returns absent ports, in releases that distinguish absent from empty ports', () => {
    const asRead = (slice: EndpointSliceInput) => (slice.ports?.length ? slice : { ...slice, ports: null });
    for (const { version, isOpen } of releasesWith('slicePortsNilAsEmpty')) {
      const codes = summarizeThirdSync(version, makeService({ ports: [] }), podsOn('n-a'), asRead);
      expect(codes, version).toEqual(isOpen ? noWrites : ['0', '1', '0', 'EndpointsAdded', 'PortsNotWanted']);
    }
  });
});
