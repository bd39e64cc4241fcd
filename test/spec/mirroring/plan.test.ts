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
import { brief, makeEndpoints, makeMirrored, otherPort, port, subsetOf } from './objects.ts';

const planFor = (endpoints: EndpointsInput, current: readonly EndpointSliceInput[], version = '1.37', maxEndpointsPerSubset = 1000) =>
  planMirror(endpoints, mirroredSlicesOf('shop/db', current), { profile: profileFor(version), maxEndpointsPerSubset });

const writesOf = ({ create, update, delete: gone }: SlicePlan) => [
  ...create.map((slice) => `create ${brief(slice)}`),
  ...update.map((slice) => `update ${brief(slice)}`),
  ...gone.map(({ metadata }) => `delete ${metadata.name}`),
];

interface Case {
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

const one = subsetOf(['10.0.0.1']);
const six = makeMirrored('six', ['fd00::1'], { addressType: 'IPv6' });
const fqdn = makeMirrored('fqdn', ['db.example'], { addressType: 'FQDN' });
const onAdmin = (name: string, ...ips: string[]) => makeMirrored(name, ips, { ports: [otherPort] });
const noPorts = (ports: null | []) => makeMirrored('a', ['10.0.0.1'], { ports });

describe('what is written', () => {
  const cases: Case[] = [
    { name: 'nothing there', subsets: [one], current: [], writes: ['create db-* IPv4 sql: 10.0.0.1'], codes: ['SliceMissing'] },
    { name: 'nothing wanted', subsets: [], current: [], writes: [], codes: ['SlicesEqual'] },
    {
      name: 'all is right',
      subsets: [one],
      current: [makeMirrored('a', ['10.0.0.1'])],
      writes: [],
      codes: ['SlicesEqual'],
      unchanged: ['a'],
    },
    {
      name: 'another address',
      subsets: [one],
      current: [makeMirrored('a', ['10.0.0.9'])],
      writes: ['update a IPv4 sql: 10.0.0.1'],
      codes: ['MirrorDiffers'],
    },
    {
      name: 'no address any more',
      subsets: [],
      current: [makeMirrored('a', ['10.0.0.1'])],
      writes: ['delete a'],
      codes: ['MirrorSuperfluous'],
    },
    {
      name: 'subsets without addresses, in whatever release',
      version: '1.21',
      subsets: [{ ports: [port] }],
      current: [makeMirrored('a', ['10.0.0.1'])],
      writes: ['delete a'],
      codes: ['MirrorSuperfluous'],
    },
    {
      name: 'the right one of several is kept',
      subsets: [one],
      current: [makeMirrored('b', ['10.0.0.1']), makeMirrored('a', ['10.0.0.9']), makeMirrored('c', ['10.0.0.1'])],
      writes: ['delete a', 'delete c'],
      codes: ['MirrorSuperfluous'],
      unchanged: ['b'],
    },
    {
      name: 'where none is right, the first is',
      subsets: [one],
      current: [makeMirrored('b', ['10.0.0.9']), makeMirrored('a', ['10.0.0.8'])],
      writes: ['update a IPv4 sql: 10.0.0.1', 'delete b'],
      codes: ['MirrorDiffers', 'MirrorSuperfluous'],
    },
    {
      name: 'other ports take over the slice',
      subsets: [one],
      current: [onAdmin('a', '10.0.0.1')],
      writes: ['update a IPv4 sql: 10.0.0.1'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'another address type does not',
      subsets: [one],
      current: [six],
      writes: ['create db-* IPv4 sql: 10.0.0.1', 'delete six'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a type that is not mirrored',
      subsets: [one],
      current: [fqdn, makeMirrored('a', ['10.0.0.1'])],
      writes: ['delete fqdn'],
      codes: ['MirrorSuperfluous'],
      unchanged: ['a'],
    },
    {
      name: 'the place of one type where both are to be created, which upstream may confuse',
      subsets: [subsetOf(['10.0.0.1', 'fd00::1'])],
      current: [makeMirrored('a', ['fd00::9'], { addressType: 'IPv6', ports: [otherPort] })],
      writes: ['create db-* IPv4 sql: 10.0.0.1', 'update a IPv6 sql: fd00::1'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'places of both types',
      subsets: [subsetOf(['10.0.0.1', 'fd00::1'])],
      current: [onAdmin('four', '10.0.0.1'), onAdmin('more', '10.0.0.2'), { ...six, ports: [otherPort] }],
      writes: ['update four IPv4 sql: 10.0.0.1', 'update six IPv6 sql: fd00::1', 'delete more'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a place under ports that some subset has before one under others',
      subsets: [one, subsetOf(['fd00::1'], otherPort)],
      current: [makeMirrored('a', ['10.0.0.9'], { ports: [] }), onAdmin('b', '10.0.0.9')],
      writes: ['create db-* IPv6 admin: fd00::1', 'update b IPv4 sql: 10.0.0.1', 'delete a'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a second slice of one group serves another group',
      subsets: [one, subsetOf(['10.0.0.2'], otherPort)],
      current: [makeMirrored('a', ['10.0.0.1']), makeMirrored('b', ['10.0.0.1'])],
      writes: ['update b IPv4 admin: 10.0.0.2'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
      unchanged: ['a'],
    },
    { name: 'Endpoints being deleted: no create', subsets: [one], deleted: true, current: [], writes: [], codes: ['SliceMissing'] },
    {
      name: 'Endpoints being deleted: updates and deletes',
      subsets: [subsetOf(['10.0.0.1', 'fd00::1']), subsetOf(['10.0.0.2'], otherPort)],
      deleted: true,
      current: [makeMirrored('a', ['10.0.0.9']), fqdn],
      writes: ['update a IPv4 sql: 10.0.0.1', 'delete fqdn'],
      codes: ['MirrorDiffers', 'SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'Endpoints being deleted: places are taken',
      subsets: [one],
      deleted: true,
      current: [onAdmin('a', '10.0.0.1')],
      writes: ['update a IPv4 sql: 10.0.0.1'],
      codes: ['SliceMissing', 'MirrorSuperfluous'],
    },
    {
      name: 'a group of more than one slice may hold',
      version: '1.26',
      max: 2,
      subsets: [subsetOf(['10.0.0.1', '10.0.0.2']), subsetOf(['10.0.0.3', '10.0.0.4'])],
      current: [],
      writes: ['create db-* IPv4 sql: 10.0.0.1 10.0.0.2'],
      codes: ['SliceMissing'],
    },
    {
      name: 'a slice of more than the maximum that are wanted no longer',
      max: 2,
      subsets: [subsetOf(['10.0.0.1', '10.0.0.2', '10.0.0.3'])],
      current: [makeMirrored('a', ['10.0.0.1', '10.0.0.2', '10.0.0.3'])],
      writes: ['update a IPv4 sql: 10.0.0.1 10.0.0.2'],
      codes: ['MirrorDiffers'],
    },
    {
      name: 'a slice of more than the maximum that are all wanted',
      version: '1.26',
      max: 2,
      subsets: [subsetOf(['10.0.0.1', '10.0.0.2']), subsetOf(['10.0.0.3'])],
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
      current: [noPorts(ports)],
      ...rest,
    })),
  ];
  it.each(cases)('$name $version', ({ version, max, subsets, deleted, current, writes, codes, unchanged = [] }) => {
    const endpoints = makeEndpoints(subsets, deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {});
    const found = planFor(endpoints, current, version, max);
    expect(writesOf(found.plan)).toEqual(writes);
    expect(found.plan.reasons.map(({ code }) => code)).toEqual(codes);
    expect(found.unchanged.map(({ metadata }) => metadata?.name)).toEqual(unchanged);
    expect(found.plan.retry).toBe(false);
  });

  it('a slice that takes a place keeps the prefix of its name', () => {
    const [slice] = planFor(makeEndpoints([one]), [onAdmin('a', '10.0.0.1')]).plan.update;
    expect([slice?.metadata.name, slice?.metadata.generateName]).toEqual(['a', 'db-']);
  });

  it('a slice to delete is told by name, UID and version', () => {
    const slice = makeMirrored('a', [], { metadata: { resourceVersion: '7' } });
    expect(planFor(makeEndpoints([]), [slice]).plan.delete).toEqual([
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'a', namespace: 'shop', uid: 'uid-a', resourceVersion: '7' },
      },
    ]);
  });

  it('tells what it leaves out even if nothing is written', () => {
    const { plan } = planFor(makeEndpoints([subsetOf(['10.0.0.1', 'x'])]), [makeMirrored('a', ['10.0.0.1'])]);
    expect([plan.events.map(({ reason }) => reason), plan.reasons.map(({ code }) => code)]).toEqual([
      ['InvalidIPAddress'],
      ['SlicesEqual'],
    ]);
  });
});

/** What the API server and the cache make of a plan. */
function apply(plan: SlicePlan, current: readonly EndpointSliceInput[]): EndpointSliceInput[] {
  const slices = new Map(current.map((slice) => [slice.metadata?.name ?? '', slice]));
  for (const { metadata } of plan.delete) slices.delete(metadata.name);
  for (const slice of plan.update) {
    const before = slices.get(slice.metadata.name ?? '');
    expect(before?.addressType).toBe(slice.addressType);
    slices.set(slice.metadata.name ?? '', { ...slice, metadata: { ...slice.metadata, uid: before?.metadata?.uid, generation: 2 } });
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
    list.map(({ addressType, ips: there, ports, labels }, i) => {
      const slice = makeMirrored(`s${i}`, there, { addressType, ports });
      return { ...slice, metadata: { ...slice.metadata, labels: { ...labels, ...slice.metadata?.labels } } };
    }),
  );

it('after a plan is carried out, the next one is empty', () => {
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
    const stored = apply(first, current);
    for (const slice of stored) mirror.observe(slice);
    const second = mirror.mirror({ ...input, current: stored });
    expect({ writes: writesOf(second), retry: second.retry }, version).toEqual({ writes: [], retry: false });
    for (const { endpoints: list } of [...first.create, ...first.update]) {
      expect(list.length).toBeGreaterThan(0);
      expect(list.length).toBeLessThanOrEqual(maxEndpointsPerSubset);
    }
  });
});
