import { describe, expect, it } from 'vitest';
import { applyHints, areHintsOverloaded, type HintsState, removeHintsState } from '../../../../src/spec/slices/hints/hints.ts';
import { zoneSharesOf } from '../../../../src/spec/slices/hints/zones.ts';
import type { SliceChanges } from '../../../../src/spec/slices/pack.ts';
import type { EndpointSlice, EndpointSliceInput, Node, Service } from '../../../../src/types/index.ts';
import { freezeDeeply } from '../../../property/check.ts';
import { makeService, profileWith } from '../../objects.ts';
import { createReader, makeEndpoint, makeNode, makeSlice } from '../objects.ts';

const nodes = [makeNode('n1', 'a'), makeNode('n2', 'b')];
const annotatedService = makeService({}, { annotations: { 'service.kubernetes.io/topology-aware-hints': 'Auto' } });
const preferCloseService = makeService({ trafficDistribution: 'PreferClose' });
const endpoints = ['a', 'b'].map((zone) => makeEndpoint(zone, '10.0.0.1', { zone }));
const hintedEndpoints = endpoints.map((endpoint) => ({ ...endpoint, hints: { forZones: [{ name: endpoint.zone as string }] } }));

interface HintsFixture {
  readonly service?: Service;
  readonly nodes?: readonly Node[];
  readonly existing?: readonly EndpointSliceInput[];
  readonly changes?: Partial<SliceChanges>;
  readonly gates?: Parameters<typeof profileWith>[0];
}
function applyFixture(
  {
    service = annotatedService,
    nodes: clusterNodes = nodes,
    existing = [makeSlice('s', endpoints)],
    changes: overrides = {},
    gates,
  }: HintsFixture,
  memory: { state?: HintsState | undefined } = {},
) {
  const changes: SliceChanges = { create: [], update: [], delete: [], codes: new Set(), ...overrides };
  const { events, reasons, state } = applyHints(
    {
      service,
      addressType: 'IPv4',
      zoneShares: () => zoneSharesOf(clusterNodes),
      changes,
      existing: freezeDeeply(existing),
      read: createReader(service, profileWith(gates)),
    },
    memory.state && freezeDeeply(memory.state),
    profileWith(gates),
  );
  memory.state = state;
  const hints = [...changes.create, ...changes.update].flatMap((slice) =>
    slice.endpoints.map((endpoint) => endpoint.hints?.forZones?.[0]?.name),
  );
  return {
    hints,
    codes: [...changes.codes],
    events: events.map(({ reason, message }) => `${reason}: ${message}`),
    reasons: reasons.map(({ code, message }) => `${code}: ${message}`),
  };
}

const enabledEvent = 'TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4';
const disabledEvent = 'TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, addressType: IPv4';
const insufficientNodeEvent =
  'TopologyAwareHintsDisabled: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4';

describe('applyHints', () => {
  it.each<{ name: string; fixture: HintsFixture; expected: Partial<ReturnType<typeof applyFixture>> }>([
    { name: 'no hints requested', fixture: { service: makeService() }, expected: {} },
    {
      name: 'existing hints, none requested',
      fixture: { service: makeService(), existing: [makeSlice('s', hintedEndpoints)] },
      expected: { hints: [undefined, undefined], codes: ['HintsDiffer'] },
    },
    {
      name: 'hints by annotation',
      fixture: {},
      expected: {
        hints: ['a', 'b'],
        codes: ['HintsDiffer'],
        events: [enabledEvent],
        reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'],
      },
    },
    {
      name: 'hints by annotation, without Events',
      fixture: { gates: { hintEvents: false } },
      expected: { hints: ['a', 'b'], codes: ['HintsDiffer'], reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'] },
    },
    {
      name: 'equal hints by annotation',
      fixture: { existing: [makeSlice('s', hintedEndpoints)] },
      expected: { events: [enabledEvent], reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'] },
    },
    {
      name: 'hints by traffic distribution',
      fixture: { service: preferCloseService },
      expected: { hints: ['a', 'b'], codes: ['HintsDiffer'] },
    },
    {
      name: 'equal hints by traffic distribution',
      fixture: { service: preferCloseService, existing: [makeSlice('s', hintedEndpoints)] },
      expected: {},
    },
    {
      name: 'no nodes',
      fixture: { nodes: [] },
      expected: { events: [insufficientNodeEvent], reasons: ['NodesReadyInFewZones: IPv4: Fewer than two zones have ready nodes.'] },
    },
    {
      name: 'a node without a zone',
      fixture: { nodes: [...nodes, makeNode('n3')] },
      expected: {
        events: [insufficientNodeEvent],
        reasons: ['NodeWithoutZone: IPv4: A ready node has no label topology.kubernetes.io/zone. (node n3)'],
      },
    },
    {
      name: 'too few endpoints',
      fixture: { existing: [] },
      expected: {
        events: ['TopologyAwareHintsDisabled: Insufficient number of endpoints (0 endpoints, 2 zones), addressType: IPv4'],
        reasons: ['InsufficientNumberOfEndpoints: IPv4: The Service has fewer ready endpoints than the cluster has zones.'],
      },
    },
    {
      name: 'a release that ignores the annotation',
      fixture: { gates: { topologyHints: false } },
      expected: { reasons: ['TopologyAnnotationIgnored: IPv4: The release ignores the topology annotation.'] },
    },
    {
      name: 'a slice to create, none existing',
      fixture: { existing: [], changes: { create: [structuredClone(makeSlice('c', endpoints)) as EndpointSlice] } },
      expected: { hints: ['a', 'b'], events: [enabledEvent], reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'] },
    },
    {
      name: 'slices to update or delete anyway',
      fixture: {
        service: makeService(),
        existing: [makeSlice('u', hintedEndpoints), makeSlice('d', hintedEndpoints)],
        changes: { update: [structuredClone(makeSlice('u', endpoints)) as EndpointSlice], delete: [makeSlice('d', hintedEndpoints)] },
      },
      expected: { hints: [undefined, undefined] },
    },
  ])('computes hints, codes, Events and reasons for $name', ({ fixture, expected }) => {
    expect(applyFixture(fixture)).toEqual({ hints: [], codes: [], events: [], reasons: [], ...expected });
  });

  it('emits an Event when hints are enabled and when they are removed, not in between', () => {
    const memory: Parameters<typeof applyFixture>[1] = {};
    const existing = [makeSlice('s', hintedEndpoints)];
    expect(applyFixture({ existing }, memory).events).toEqual([enabledEvent]);
    expect(applyFixture({ existing }, memory).events).toEqual([]);
    expect(applyFixture({ existing, service: preferCloseService }, memory)).toMatchObject({
      events: [disabledEvent],
      reasons: ['HintsDisabled: IPv4: The annotation that requested hints was removed.'],
    });
    expect(applyFixture({ existing, service: preferCloseService }, memory).events).toEqual([]);
    applyFixture({ existing }, memory);
    expect(applyFixture({ existing, nodes: [] }, memory).events).toEqual([insufficientNodeEvent]);
    expect(memory.state).toBeUndefined();
  });
});

describe('the state of hints', () => {
  const zonesOf = (...counts: [string, number][]) => new Map(counts);
  const [balancedCounts, unbalancedCounts] = [zonesOf(['a', 1], ['b', 1]), zonesOf(['a', 2])];
  const shares = zonesOf(['a', 0.5], ['b', 0.5]);
  const bothAddressTypes: HintsState = {
    announced: true,
    hintsByZone: new Map([
      ['IPv4', balancedCounts],
      ['IPv6', unbalancedCounts],
    ]),
  };

  it('is no longer announced once the hints of either address type are removed', () => {
    expect(removeHintsState(bothAddressTypes, 'IPv4')).toEqual({ announced: false, hintsByZone: new Map([['IPv6', unbalancedCounts]]) });
    expect(removeHintsState(removeHintsState(bothAddressTypes, 'IPv4'), 'IPv6')).toBeUndefined();
    expect(removeHintsState(undefined, 'IPv4')).toBeUndefined();
  });

  it.each<[string, HintsState | undefined, ReadonlyMap<string, number> | undefined, boolean]>([
    ['no hints', undefined, undefined, false],
    ['no shares', bothAddressTypes, undefined, true],
    ['one address type of two', bothAddressTypes, shares, true],
    ['neither address type', removeHintsState(bothAddressTypes, 'IPv6'), shares, false],
    ['hints for no zone', { announced: true, hintsByZone: new Map([['IPv4', new Map()]]) }, undefined, false],
  ])('detects whether hints are overloaded with %s', (_, state, currentShares, expected) => {
    expect(areHintsOverloaded(state, currentShares)).toBe(expected);
  });
});
