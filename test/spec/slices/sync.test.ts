import { describe, expect, it } from 'vitest';
import { sliceSettingsFor } from '../../../src/spec/settings.ts';
import type { HintsState } from '../../../src/spec/slices/hints/hints.ts';
import { zoneSharesOf } from '../../../src/spec/slices/hints/zones.ts';
import { type SyncInput, syncSlices } from '../../../src/spec/slices/sync.ts';
import type { AddressType, EndpointSliceInput, Node, Service } from '../../../src/types/index.ts';
import { makePod, makeService } from '../objects.ts';
import { desiredOf, makeEndpoint, makeNode, makeSlice, outline, readerOf, triggerTime } from './objects.ts';

interface Parts {
  readonly service?: Service;
  readonly names?: readonly string[];
  readonly types?: readonly AddressType[];
  readonly nodes?: readonly Node[];
  readonly there?: readonly EndpointSliceInput[];
  readonly time?: string;
  readonly version?: string;
}

function syncWithHints(
  { service = makeService(), names = ['a'], types = ['IPv4'], nodes = [makeNode('n1')], there = [], time, version = '1.37' }: Parts,
  hints?: HintsState,
) {
  const settings = sliceSettingsFor({ version, maxEndpointsPerSlice: 3 });
  const pods = names.map((name) => makePod(name));
  const byNode = new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
  const desired = types.length === 0 ? [] : desiredOf(service, pods, byNode, types, settings.profile);
  const input: SyncInput = {
    service,
    zoneShares: () => zoneSharesOf(nodes),
    existing: there,
    read: readerOf(service, settings.profile),
    desired,
    triggerTime: time,
    hints,
  };
  return syncSlices(input, settings);
}

const sync = (parts: Parts) => syncWithHints(parts).plan;

const right = makeSlice('s', [makeEndpoint()]);
const six = makeSlice('six', [], { addressType: 'IPv6', ports: [] });
const crowd = Array.from({ length: 12 }, (_, i) => `p${String(i).padStart(2, '0')}`);

describe('syncSlices', () => {
  it.each<{ name: string; parts: Parts; expected: string }>([
    { name: 'equal slices', parts: { there: [right] }, expected: '0 0 0 SlicesEqual' },
    { name: 'no slices exist', parts: {}, expected: '1 0 0 EndpointsAdded' },
    { name: 'no slices exist, two address types', parts: { types: ['IPv4', 'IPv6'] }, expected: '2 0 0 EndpointsAdded Placeholder' },
    { name: 'a slice of another address type', parts: { there: [right, six] }, expected: '0 0 1 AddressTypeNotWanted' },
    {
      name: 'a slice of an unsupported address type',
      parts: { there: [right, { ...six, addressType: 'FQDN' }] },
      expected: '0 0 1 AddressTypeNotWanted',
    },
    {
      name: 'a slice without an address type',
      parts: { there: [right, { metadata: six.metadata }] },
      expected: '0 0 1 AddressTypeNotWanted',
    },
    {
      name: 'two slices of other address types',
      parts: { there: [six, { ...six, addressType: undefined }, right] },
      expected: '0 0 2 AddressTypeNotWanted',
    },
    { name: 'a slice with different ports', parts: { there: [{ ...right, ports: [] }] }, expected: '0 1 0 EndpointsAdded PortsNotWanted' },
    {
      name: 'a terminating Service without slices',
      parts: { service: makeService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
      expected: '0 0 0 ServiceTerminating',
    },
    {
      name: 'a terminating Service with equal slices',
      parts: { there: [right], service: makeService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
      expected: '0 0 0 SlicesEqual',
    },
    {
      name: 'a terminating Service with a slice to update',
      parts: { names: [], there: [right], service: makeService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
      expected: '0 1 0 PortsNotWanted Placeholder',
    },
  ])('$name: $expected', ({ parts, expected }) => {
    const plan = sync(parts);
    expect(outline(plan)).toBe(expected);
    expect([plan.retry, plan.events]).toEqual([false, []]);
    for (const { message } of plan.reasons) expect(message).toMatch(/\.$/);
  });

  it('refers to a slice of another address type by name, UID and resourceVersion', () => {
    expect(sync({ there: [right, six] }).delete).toEqual([
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'six', namespace: 'shop', uid: 'uid-six', resourceVersion: '5' },
      },
    ]);
  });

  it('forgets the hints of a removed address type', () => {
    const zones = new Map([['a', 1]]);
    const hinted = new Map([
      ['IPv6', zones],
      ['IPv4', zones],
    ] as const);
    expect(syncWithHints({ there: [six] }, { announced: true, hinted }).hints).toBeUndefined();
  });

  it.each([
    ['2026-01-01T00:00:00Z', { kept: 'x', [triggerTime]: '2026-01-01T00:00:00Z' }],
    [undefined, { kept: 'x' }],
  ])('writes the trigger time %s', (time, expected) => {
    const annotations = { kept: 'x', [triggerTime]: 'old' };
    const there = [makeSlice('s', [makeEndpoint('gone'), makeEndpoint()], { metadata: { annotations } })];
    const plan = sync({ there, types: ['IPv4', 'IPv6'], ...(time && { time }) });
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
    expect(outline(plan)).toBe('2 0 0 NodeMissing NodeMissing Placeholder');
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
    const plan = sync({ names: ['b', 'a'], nodes: [], there: [six, right], version: '1.24.2' });
    expect(outline(plan)).toBe('0 0 1 NodeMissing NodeMissing AddressTypeNotWanted');
    expect(plan.retry).toBe(true);
    expect(plan.events).toEqual([event('node "n1" not found')]);
    expect(outline(sync({ nodes: [], there: [right], version: '1.24.2' }))).toBe('0 0 0 NodeMissing');
  });

  it('are listed up to ten', () => {
    const { reasons } = sync({ names: crowd, nodes: [], there: [makeSlice('s', [], { ports: [] })] });
    expect(reasons.map(({ code }) => code)).toEqual(Array(10).fill('NodeMissing'));
    expect(reasons.at(-1)?.message).toContain('p09');
  });
});
