import { describe, expect, it } from 'vitest';
import { createMirror } from '../../../src/incremental/mirror.ts';
import { planMirror } from '../../../src/spec/mirroring/plan.ts';
import { mirroredSlicesOf } from '../../../src/spec/mirroring/slice.ts';
import type { SlicePlan } from '../../../src/spec/slices/plan.ts';
import type { EndpointSliceInput, EndpointSubsetInput, EndpointsInput } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { ips, labelMaps, subsetLists } from '../../property/arbitraries.ts';
import { checkInEveryRelease, freezeDeeply } from '../../property/check.ts';
import { fc } from '../../support/property.ts';
import { makeEndpoints, makeMirrored, makeReadySubset, otherPort, port, summarizeSlice } from './objects.ts';

const planFor = (endpoints: EndpointsInput, current: readonly EndpointSliceInput[], version = '1.37', maxEndpointsPerSubset = 1000) =>
  planMirror(endpoints, mirroredSlicesOf('shop/db', current), { profile: profileFor(version), maxEndpointsPerSubset });

const writesOf = ({ create, update, delete: toDelete }: SlicePlan) => [
  ...create.map((slice) => `create ${summarizeSlice(slice)}`),
  ...update.map((slice) => `update ${summarizeSlice(slice)}`),
  ...toDelete.map(({ metadata }) => `delete ${metadata.name}`),
];

interface PlanRow {
  name: string;
  version?: string;
  max?: number;
  subsets: EndpointSubsetInput[];
  deleted?: boolean;
  current: EndpointSliceInput[];
  writes: string[];
  codes: string[];
  unchanged?: string[];
}

const oneAddress = makeReadySubset(['10.0.0.1']);
const ipv6Slice = makeMirrored('six', ['fd00::1'], { addressType: 'IPv6' });
const fqdnSlice = makeMirrored('fqdn', ['db.example'], { addressType: 'FQDN' });
const makeAdminSlice = (name: string, ...ips: string[]) => makeMirrored(name, ips, { ports: [otherPort] });
const makePortlessSlice = (ports: null | []) => makeMirrored('a', ['10.0.0.1'], { ports });

describe('planMirror', () => {
  const cases: PlanRow[] = [
    { name: 'no slices exist', subsets: [oneAddress], current: [], writes: ['create db-* IPv4 sql: 10.0.0.1'], codes: ['SliceMissing'] },
    { name: 'no addresses and no slices', subsets: [], current: [], writes: [], codes: ['SlicesEqual'] },
    {
      name: 'the slice is equal',
      subsets: [oneAddress],
      current: [makeMirrored('a', ['10.0.0.1'])],
      writes: [],
      codes: ['SlicesEqual'],
      unchanged: ['a'],
    },
    {
      name: 'a different address',
      subsets: [oneAddress],
      current: [makeMirrored('a', ['10.0.0.9'])],
      writes: ['update a IPv4 sql: 10.0.0.1'],
      codes: ['MirrorDiffers'],
    },
    {
      name: 'no addresses remain',
      subsets: [],
      current: [makeMirrored('a', ['10.0.0.1'])],
      writes: ['delete a'],
      codes: ['MirrorSuperfluous'],
    },
    {
      name: 'subsets without addresses',
      version: '1.21',
      subsets: [{ ports: [port] }],
      current: [makeMirrored('a', ['10.0.0.1'])],
      writes: ['delete a'],
      codes: ['MirrorSuperfluous'],
    },
    {
      name: 'several slices of one group, one of them equal',
      subsets: [oneAddress],
      current: [makeMirrored('b', ['10.0.0.1']), makeMirrored('a', ['10.0.0.9']), makeMirrored('c', ['10.0.0.1'])],
      writes: ['delete a', 'delete c'],
      codes: ['MirrorSuperfluous'],
      unchanged: ['b'],
    },
    {
      name: 'several slices of one group, none of them equal',
      subsets: [oneAddress],
      current: [makeMirrored('b', ['10.0.0.9']), makeMirrored('a', ['10.0.0.8'])],
      writes: ['update a IPv4 sql: 10.0.0.1', 'delete b'],
      codes: ['MirrorDiffers', 'MirrorSuperfluous'],
    },
    {
      name: 'the slice of different ports is reused',
      subsets: [oneAddress],
      current: [makeAdminSlice('a', '10.0.0.1')],
      writes: ['update a IPv4 sql: 10.0.0.1'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'the slice of a different address type is not reused',
      subsets: [oneAddress],
      current: [ipv6Slice],
      writes: ['create db-* IPv4 sql: 10.0.0.1', 'delete six'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a slice of an address type that is not mirrored',
      subsets: [oneAddress],
      current: [fqdnSlice, makeMirrored('a', ['10.0.0.1'])],
      writes: ['delete fqdn'],
      codes: ['MirrorSuperfluous'],
      unchanged: ['a'],
    },
    {
      name: 'a slice is reused only for its own address type (Kubernetes may confuse the types)',
      subsets: [makeReadySubset(['10.0.0.1', 'fd00::1'])],
      current: [makeMirrored('a', ['fd00::9'], { addressType: 'IPv6', ports: [otherPort] })],
      writes: ['create db-* IPv4 sql: 10.0.0.1', 'update a IPv6 sql: fd00::1'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'slices of both types are reused',
      subsets: [makeReadySubset(['10.0.0.1', 'fd00::1'])],
      current: [makeAdminSlice('four', '10.0.0.1'), makeAdminSlice('more', '10.0.0.2'), { ...ipv6Slice, ports: [otherPort] }],
      writes: ['update four IPv4 sql: 10.0.0.1', 'update six IPv6 sql: fd00::1', 'delete more'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a slice of the ports of another subset is reused first',
      subsets: [oneAddress, makeReadySubset(['fd00::1'], otherPort)],
      current: [makeMirrored('a', ['10.0.0.9'], { ports: [] }), makeAdminSlice('b', '10.0.0.9')],
      writes: ['create db-* IPv6 admin: fd00::1', 'update b IPv4 sql: 10.0.0.1', 'delete a'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a second slice of one group is reused for another group',
      subsets: [oneAddress, makeReadySubset(['10.0.0.2'], otherPort)],
      current: [makeMirrored('a', ['10.0.0.1']), makeMirrored('b', ['10.0.0.1'])],
      writes: ['update b IPv4 admin: 10.0.0.2'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
      unchanged: ['a'],
    },
    { name: 'Endpoints being deleted: no create', subsets: [oneAddress], deleted: true, current: [], writes: [], codes: ['SliceMissing'] },
    {
      name: 'Endpoints being deleted: updates and deletes',
      subsets: [makeReadySubset(['10.0.0.1', 'fd00::1']), makeReadySubset(['10.0.0.2'], otherPort)],
      deleted: true,
      current: [makeMirrored('a', ['10.0.0.9']), fqdnSlice],
      writes: ['update a IPv4 sql: 10.0.0.1', 'delete fqdn'],
      codes: ['MirrorDiffers', 'SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'Endpoints being deleted: slices are reused',
      subsets: [oneAddress],
      deleted: true,
      current: [makeAdminSlice('a', '10.0.0.1')],
      writes: ['update a IPv4 sql: 10.0.0.1'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a group above the limit of a slice',
      version: '1.26',
      max: 2,
      subsets: [makeReadySubset(['10.0.0.1', '10.0.0.2']), makeReadySubset(['10.0.0.3', '10.0.0.4'])],
      current: [],
      writes: ['create db-* IPv4 sql: 10.0.0.1 10.0.0.2'],
      codes: ['SliceMissing'],
    },
    {
      name: 'a slice above the limit with addresses that are no longer desired',
      max: 2,
      subsets: [makeReadySubset(['10.0.0.1', '10.0.0.2', '10.0.0.3'])],
      current: [makeMirrored('a', ['10.0.0.1', '10.0.0.2', '10.0.0.3'])],
      writes: ['update a IPv4 sql: 10.0.0.1 10.0.0.2'],
      codes: ['MirrorDiffers'],
    },
    {
      name: 'a slice above the limit with desired addresses only',
      version: '1.26',
      max: 2,
      subsets: [makeReadySubset(['10.0.0.1', '10.0.0.2']), makeReadySubset(['10.0.0.3'])],
      current: [makeMirrored('a', ['10.0.0.1', '10.0.0.2', '10.0.0.3'])],
      writes: [],
      codes: ['SlicesEqual'],
      unchanged: ['a'],
    },
    ...[
      { version: '1.35', ports: null, writes: ['update a IPv4 : 10.0.0.1'], codes: ['SliceMissing', 'MirrorSuperfluous'] },
      { version: '1.36.0', ports: null, writes: [], codes: ['SlicesEqual'], unchanged: ['a'] },
      { version: '1.35', ports: [] as [], writes: [], codes: ['SlicesEqual'], unchanged: ['a'] },
    ].map(({ ports, ...rest }) => ({
      name: `no ports, as ${JSON.stringify(ports)}`,
      subsets: [{ addresses: [{ ip: '10.0.0.1' }] }],
      current: [makePortlessSlice(ports)],
      ...rest,
    })),
  ];
  it.each(cases)('plans the writes: $name $version', ({ version, max, subsets, deleted, current, writes, codes, unchanged = [] }) => {
    const endpoints = makeEndpoints(subsets, deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {});
    const planned = planFor(endpoints, current, version, max);
    expect(writesOf(planned.plan)).toEqual(writes);
    expect(planned.plan.reasons.map(({ code }) => code)).toEqual(codes);
    expect(planned.unchanged.map(({ metadata }) => metadata?.name)).toEqual(unchanged);
    expect(planned.plan.retry).toBe(false);
  });

  it('keeps the generateName of a reused slice', () => {
    const [slice] = planFor(makeEndpoints([oneAddress]), [makeAdminSlice('a', '10.0.0.1')]).plan.update;
    expect([slice?.metadata.name, slice?.metadata.generateName]).toEqual(['a', 'db-']);
  });

  it('refers to a slice to delete by name, UID and resourceVersion', () => {
    const slice = makeMirrored('a', [], { metadata: { resourceVersion: '7' } });
    expect(planFor(makeEndpoints([]), [slice]).plan.delete).toEqual([
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'a', namespace: 'shop', uid: 'uid-a', resourceVersion: '7' },
      },
    ]);
  });

  it('reports skipped addresses even if nothing is written', () => {
    const { plan } = planFor(makeEndpoints([makeReadySubset(['10.0.0.1', 'x'])]), [makeMirrored('a', ['10.0.0.1'])]);
    expect([plan.events.map(({ reason }) => reason), plan.reasons.map(({ code }) => code)]).toEqual([
      ['InvalidIPAddress'],
      ['SlicesEqual'],
    ]);
  });
});

/** Applies a plan like an API server, and returns the slices afterwards. */
function applyPlan(plan: SlicePlan, current: readonly EndpointSliceInput[]): EndpointSliceInput[] {
  const slices = new Map(current.map((slice) => [slice.metadata?.name ?? '', slice]));
  for (const { metadata } of plan.delete) slices.delete(metadata.name);
  for (const slice of plan.update) {
    const previous = slices.get(slice.metadata.name ?? '');
    expect(previous?.addressType).toBe(slice.addressType);
    slices.set(slice.metadata.name ?? '', { ...slice, metadata: { ...slice.metadata, uid: previous?.metadata?.uid, generation: 2 } });
  }
  for (const [i, slice] of plan.create.entries()) {
    const name = `new${slices.size}-${i}`;
    slices.set(name, { ...slice, metadata: { ...slice.metadata, name, uid: name, generation: 1 } });
  }
  return JSON.parse(JSON.stringify([...slices.values()])) as EndpointSliceInput[];
}

const slices: fc.Arbitrary<EndpointSliceInput[]> = fc
  .array(
    fc.record({
      addressType: fc.constantFrom('IPv4', 'IPv4', 'IPv6', 'FQDN'),
      ips: fc.array(ips, { maxLength: 4 }),
      ports: fc.constantFrom([port], [otherPort], [], null, [{ port: 1 }]),
      labels: labelMaps,
    }),
    { maxLength: 4 },
  )
  .map((list) =>
    list.map(({ addressType, ips: addresses, ports, labels }, i) => {
      const slice = makeMirrored(`s${i}`, addresses, { addressType, ports });
      return { ...slice, metadata: { ...slice.metadata, labels: { ...labels, ...slice.metadata?.labels } } };
    }),
  );

it('createMirror writes nothing after its plan has been applied', () => {
  const inputs = fc.record({
    subsets: subsetLists,
    labels: labelMaps,
    annotations: labelMaps,
    current: slices,
    maxEndpointsPerSubset: fc.constantFrom(1, 2, 3, 1000),
  });
  checkInEveryRelease(inputs, ({ subsets, labels, annotations, current, maxEndpointsPerSubset }, version) => {
    if (!profileFor(version).slicesAreV1) return;
    const mirror = createMirror({ version, maxEndpointsPerSubset });
    const endpoints = freezeDeeply(makeEndpoints(subsets, { labels, annotations }));
    const input = { key: 'shop/db', service: {}, endpoints };
    const first = mirror.mirror({ ...input, current: freezeDeeply(current) });
    const storedSlices = applyPlan(first, current);
    for (const slice of storedSlices) mirror.observe(slice);
    const second = mirror.mirror({ ...input, current: storedSlices });
    expect({ writes: writesOf(second), retry: second.retry }, version).toEqual({ writes: [], retry: false });
    for (const { endpoints: list } of [...first.create, ...first.update]) {
      expect(list.length).toBeGreaterThan(0);
      expect(list.length).toBeLessThanOrEqual(maxEndpointsPerSubset);
    }
  });
});
