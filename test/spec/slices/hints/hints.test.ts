import { describe, expect, it } from 'vitest';
import { applyHints, areHintsOverloaded, type HintsState, withoutHints } from '../../../../src/spec/slices/hints/hints.ts';
import { zoneSharesOf } from '../../../../src/spec/slices/hints/zones.ts';
import type { SliceChanges } from '../../../../src/spec/slices/pack.ts';
import type { EndpointSlice, EndpointSliceInput, Node, Service } from '../../../../src/types/index.ts';
import { freezeDeeply } from '../../../property/check.ts';
import { makeService, profileWith } from '../../objects.ts';
import { makeEndpoint, makeNode, makeSlice, readerOf } from '../objects.ts';

const nodes = [makeNode('n1', 'a'), makeNode('n2', 'b')];
const auto = makeService({}, { annotations: { 'service.kubernetes.io/topology-aware-hints': 'Auto' } });
const close = makeService({ trafficDistribution: 'PreferClose' });
const endpoints = ['a', 'b'].map((zone) => makeEndpoint(zone, '10.0.0.1', { zone }));
const hinted = endpoints.map((endpoint) => ({ ...endpoint, hints: { forZones: [{ name: endpoint.zone as string }] } }));

interface Parts {
  readonly service?: Service;
  readonly nodes?: readonly Node[];
  readonly there?: readonly EndpointSliceInput[];
  readonly changes?: Partial<SliceChanges>;
  readonly gates?: Parameters<typeof profileWith>[0];
}
function apply(
  { service = auto, nodes: given = nodes, there = [makeSlice('s', endpoints)], changes: some = {}, gates }: Parts,
  memory: { state?: HintsState | undefined } = {},
) {
  const changes: SliceChanges = { create: [], update: [], delete: [], codes: new Set(), ...some };
  const { events, reasons, state } = applyHints(
    {
      service,
      addressType: 'IPv4',
      zoneShares: () => zoneSharesOf(given),
      changes,
      existing: freezeDeeply(there),
      read: readerOf(service, profileWith(gates)),
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

const enabled = 'TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4';
const disabled = 'TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, addressType: IPv4';
const noInfo =
  'TopologyAwareHintsDisabled: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4';

describe('applyHints', () => {
  it.each<{ name: string; parts: Parts; expected: Partial<ReturnType<typeof apply>> }>([
    { name: 'no hints requested', parts: { service: makeService() }, expected: {} },
    {
      name: 'existing hints, none requested',
      parts: { service: makeService(), there: [makeSlice('s', hinted)] },
      expected: { hints: [undefined, undefined], codes: ['HintsDiffer'] },
    },
    {
      name: 'hints by annotation',
      parts: {},
      expected: {
        hints: ['a', 'b'],
        codes: ['HintsDiffer'],
        events: [enabled],
        reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'],
      },
    },
    {
      name: 'hints by annotation, without Events',
      parts: { gates: { hintEvents: false } },
      expected: { hints: ['a', 'b'], codes: ['HintsDiffer'], reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'] },
    },
    {
      name: 'equal hints by annotation',
      parts: { there: [makeSlice('s', hinted)] },
      expected: { events: [enabled], reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'] },
    },
    { name: 'hints by traffic distribution', parts: { service: close }, expected: { hints: ['a', 'b'], codes: ['HintsDiffer'] } },
    { name: 'equal hints by traffic distribution', parts: { service: close, there: [makeSlice('s', hinted)] }, expected: {} },
    {
      name: 'no nodes',
      parts: { nodes: [] },
      expected: { events: [noInfo], reasons: ['NodesReadyInFewZones: IPv4: Fewer than two zones have ready nodes.'] },
    },
    {
      name: 'a node without a zone',
      parts: { nodes: [...nodes, makeNode('n3')] },
      expected: { events: [noInfo], reasons: ['NodeWithoutZone: IPv4: A ready node has no label topology.kubernetes.io/zone. (node n3)'] },
    },
    {
      name: 'too few endpoints',
      parts: { there: [] },
      expected: {
        events: ['TopologyAwareHintsDisabled: Insufficient number of endpoints (0 endpoints, 2 zones), addressType: IPv4'],
        reasons: ['InsufficientNumberOfEndpoints: IPv4: The Service has fewer ready endpoints than the cluster has zones.'],
      },
    },
    {
      name: 'a release that ignores the annotation',
      parts: { gates: { topologyHints: false } },
      expected: { reasons: ['TopologyAnnotationNotObeyed: IPv4: The release ignores the topology annotation.'] },
    },
    {
      name: 'a slice to create, none existing',
      parts: { there: [], changes: { create: [structuredClone(makeSlice('c', endpoints)) as EndpointSlice] } },
      expected: { hints: ['a', 'b'], events: [enabled], reasons: ['HintsEnabled: IPv4: Endpoints are allocated to the zones.'] },
    },
    {
      name: 'slices to update or delete anyway',
      parts: {
        service: makeService(),
        there: [makeSlice('u', hinted), makeSlice('d', hinted)],
        changes: { update: [structuredClone(makeSlice('u', endpoints)) as EndpointSlice], delete: [makeSlice('d', hinted)] },
      },
      expected: { hints: [undefined, undefined] },
    },
  ])('$name', ({ parts, expected }) => {
    expect(apply(parts)).toEqual({ hints: [], codes: [], events: [], reasons: [], ...expected });
  });

  it('emits an Event when hints are enabled and when they are removed, not in between', () => {
    const memory: Parameters<typeof apply>[1] = {};
    const there = [makeSlice('s', hinted)];
    expect(apply({ there }, memory).events).toEqual([enabled]);
    expect(apply({ there }, memory).events).toEqual([]);
    expect(apply({ there, service: close }, memory)).toMatchObject({
      events: [disabled],
      reasons: ['HintsDisabled: IPv4: The annotation that requested hints was removed.'],
    });
    expect(apply({ there, service: close }, memory).events).toEqual([]);
    apply({ there }, memory);
    expect(apply({ there, nodes: [] }, memory).events).toEqual([noInfo]);
    expect(memory.state).toBeUndefined();
  });
});

describe('the state of hints', () => {
  const zonesOf = (...counts: [string, number][]) => new Map(counts);
  const [fair, unfair] = [zonesOf(['a', 1], ['b', 1]), zonesOf(['a', 2])];
  const shares = zonesOf(['a', 0.5], ['b', 0.5]);
  const both: HintsState = {
    announced: true,
    hinted: new Map([
      ['IPv4', fair],
      ['IPv6', unfair],
    ]),
  };

  it('is no longer announced once the hints of either address type are removed', () => {
    expect(withoutHints(both, 'IPv4')).toEqual({ announced: false, hinted: new Map([['IPv6', unfair]]) });
    expect(withoutHints(withoutHints(both, 'IPv4'), 'IPv6')).toBeUndefined();
    expect(withoutHints(undefined, 'IPv4')).toBeUndefined();
  });

  it.each<[string, HintsState | undefined, ReadonlyMap<string, number> | undefined, boolean]>([
    ['no hints', undefined, undefined, false],
    ['no shares', both, undefined, true],
    ['one address type of two', both, shares, true],
    ['neither address type', withoutHints(both, 'IPv6'), shares, false],
    ['hints for no zone', { announced: true, hinted: new Map([['IPv4', new Map()]]) }, undefined, false],
  ])('overload with %s: %s', (_, state, given, expected) => {
    expect(areHintsOverloaded(state, given)).toBe(expected);
  });
});
