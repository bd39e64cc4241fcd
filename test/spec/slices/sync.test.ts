import { describe, expect, it } from 'vitest';
import { sliceSettingsFor } from '../../../src/spec/settings.ts';
import type { HintsState } from '../../../src/spec/slices/hints/hints.ts';
import { zoneSharesOf } from '../../../src/spec/slices/hints/zones.ts';
import { type SyncInput, syncSlices } from '../../../src/spec/slices/sync.ts';
import type { AddressType, EndpointSliceInput, Node, Service } from '../../../src/types/index.ts';
import { makePod, makeService } from '../objects.ts';
import { computeDesired, createReader, makeEndpoint, makeNode, makeSlice, summarizePlan, triggerTime } from './objects.ts';

interface SyncFixture {
  readonly service?: Service;
  readonly names?: readonly string[];
  readonly types?: readonly AddressType[];
  readonly nodes?: readonly Node[];
  readonly existing?: readonly EndpointSliceInput[];
  readonly time?: string;
  readonly version?: string;
}

function syncWithHints(
  {
    service = makeService(),
    names = ['a'],
    types = ['IPv4'],
    nodes = [makeNode('n1')],
    existing = [],
    time,
    version = '1.37',
  }: SyncFixture,
  hints?: HintsState,
) {
  const settings = sliceSettingsFor({ version, maxEndpointsPerSlice: 3 });
  const pods = names.map((name) => makePod(name));
  const byNode = new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
  const desired = types.length === 0 ? [] : computeDesired(service, pods, byNode, types, settings.profile);
  const input: SyncInput = {
    service,
    zoneShares: () => zoneSharesOf(nodes),
    existing,
    read: createReader(service, settings.profile),
    desired,
    triggerTime: time,
    hints,
  };
  return syncSlices(input, settings);
}

const sync = (fixture: SyncFixture) => syncWithHints(fixture).plan;

const matchingSlice = makeSlice('s', [makeEndpoint()]);
const ipv6Slice = makeSlice('six', [], { addressType: 'IPv6', ports: [] });
const podNames = Array.from({ length: 12 }, (_, i) => `p${String(i).padStart(2, '0')}`);

describe('syncSlices', () => {
  it.each<{ name: string; fixture: SyncFixture; expected: string }>([
    { name: 'equal slices', fixture: { existing: [matchingSlice] }, expected: '0 0 0 SlicesEqual' },
    { name: 'no slices exist', fixture: {}, expected: '1 0 0 EndpointsAdded' },
    { name: 'no slices exist, two address types', fixture: { types: ['IPv4', 'IPv6'] }, expected: '2 0 0 EndpointsAdded Placeholder' },
    {
      name: 'a slice of a different address type',
      fixture: { existing: [matchingSlice, ipv6Slice] },
      expected: '0 0 1 AddressTypeNotWanted',
    },
    {
      name: 'a slice of an unsupported address type',
      fixture: { existing: [matchingSlice, { ...ipv6Slice, addressType: 'FQDN' }] },
      expected: '0 0 1 AddressTypeNotWanted',
    },
    {
      name: 'a slice without an address type',
      fixture: { existing: [matchingSlice, { metadata: ipv6Slice.metadata }] },
      expected: '0 0 1 AddressTypeNotWanted',
    },
    {
      name: 'two slices of different address types',
      fixture: { existing: [ipv6Slice, { ...ipv6Slice, addressType: undefined }, matchingSlice] },
      expected: '0 0 2 AddressTypeNotWanted',
    },
    {
      name: 'a slice with different ports',
      fixture: { existing: [{ ...matchingSlice, ports: [] }] },
      expected: '0 1 0 EndpointsAdded PortsNotWanted',
    },
    {
      name: 'a terminating Service without slices',
      fixture: { service: makeService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
      expected: '0 0 0 ServiceTerminating',
    },
    {
      name: 'a terminating Service with equal slices',
      fixture: { existing: [matchingSlice], service: makeService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
      expected: '0 0 0 SlicesEqual',
    },
    {
      name: 'a terminating Service with a slice to update',
      fixture: { names: [], existing: [matchingSlice], service: makeService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
      expected: '0 1 0 PortsNotWanted Placeholder',
    },
  ])('plans for $name: $expected', ({ fixture, expected }) => {
    const plan = sync(fixture);
    expect(summarizePlan(plan)).toBe(expected);
    expect([plan.retry, plan.events]).toEqual([false, []]);
    for (const { message } of plan.reasons) expect(message).toMatch(/\.$/);
  });

  it('refers to a slice of an unwanted address type by name, UID and resourceVersion', () => {
    expect(sync({ existing: [matchingSlice, ipv6Slice] }).delete).toEqual([
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'six', namespace: 'shop', uid: 'uid-six', resourceVersion: '5' },
      },
    ]);
  });

  it('forgets the hints of a removed address type', () => {
    const zones = new Map([['a', 1]]);
    const hintsByZone = new Map([
      ['IPv6', zones],
      ['IPv4', zones],
    ] as const);
    expect(syncWithHints({ existing: [ipv6Slice] }, { announced: true, hintsByZone }).hints).toBeUndefined();
  });

  it.each([
    ['2026-01-01T00:00:00Z', { kept: 'x', [triggerTime]: '2026-01-01T00:00:00Z' }],
    [undefined, { kept: 'x' }],
  ])('writes the trigger time %s', (time, expected) => {
    const annotations = { kept: 'x', [triggerTime]: 'old' };
    const existing = [makeSlice('s', [makeEndpoint('gone'), makeEndpoint()], { metadata: { annotations } })];
    const plan = sync({ existing, types: ['IPv4', 'IPv6'], ...(time && { time }) });
    expect(plan.update[0]?.metadata.annotations).toEqual(expected);
    expect(plan.create[0]?.metadata.annotations).toEqual(time && { [triggerTime]: time });
  });
});

describe('syncSlices: pods with a missing node', () => {
  const event = (text: string) => ({
    type: 'Warning',
    reason: 'FailedToUpdateEndpointSlices',
    message: `Error updating Endpoint Slices for Service shop/web: ${text}`,
  });

  it('are left out with one Event, and the sync is retried', () => {
    const plan = sync({ names: ['b', 'a'], nodes: [], types: ['IPv4', 'IPv6'] });
    expect(summarizePlan(plan)).toBe('2 0 0 NodeMissing NodeMissing Placeholder');
    expect(plan.retry).toBe(true);
    expect(plan.events).toEqual([
      event('[skipping Pod a for Service shop/web: Node n1 Not Found, skipping Pod b for Service shop/web: Node n1 Not Found]'),
    ]);
    expect(plan.reasons.slice(0, 2).map(({ message }) => message)).toEqual([
      'Pod a names node "n1", which does not exist.',
      'Pod b names node "n1", which does not exist.',
    ]);
  });

  it('fail the whole address type before 1.24.3', () => {
    const plan = sync({ names: ['b', 'a'], nodes: [], existing: [ipv6Slice, matchingSlice], version: '1.24.2' });
    expect(summarizePlan(plan)).toBe('0 0 1 NodeMissing NodeMissing AddressTypeNotWanted');
    expect(plan.retry).toBe(true);
    expect(plan.events).toEqual([event('node "n1" not found')]);
    expect(summarizePlan(sync({ nodes: [], existing: [matchingSlice], version: '1.24.2' }))).toBe('0 0 0 NodeMissing');
  });

  it('are listed up to ten', () => {
    const { reasons } = sync({ names: podNames, nodes: [], existing: [makeSlice('s', [], { ports: [] })] });
    expect(reasons.map(({ code }) => code)).toEqual(Array(10).fill('NodeMissing'));
    expect(reasons.at(-1)?.message).toContain('p09');
  });
});
