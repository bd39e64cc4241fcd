import { describe, expect, it } from 'vitest';
import { computeDesiredMirror, type MirrorGroup } from '../../../src/spec/mirroring/desired.ts';
import { isMirroredSlice, matchesMirrorGroup, mirroredSlicesOf, newMirrorSlice } from '../../../src/spec/mirroring/slice.ts';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { makeEndpoints, makeMirrored, makeReadySubset, managedByLabel, mirrorLabels, port, serviceNameLabel } from './objects.ts';

const groupOf = (endpoints: EndpointsInput, version = '1.37'): MirrorGroup => {
  const [group] = computeDesiredMirror(endpoints, 1000, profileFor(version)).groups.values();
  if (!group) throw new Error('no group');
  return group;
};
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

describe('newMirrorSlice', () => {
  const createSlice = (metadata: ObjectMeta = {}, version = '1.37', name?: string) => {
    const endpoints = makeEndpoints([makeReadySubset(['10.0.0.1'])], metadata);
    return newMirrorSlice(endpoints, groupOf(endpoints, version), 1000, profileFor(version), name);
  };

  it('returns the complete slice', () => {
    const metadata = { labels: { app: 'db' }, annotations: { note: 'x' }, resourceVersion: '9', creationTimestamp: '2026-01-01T00:00:00Z' };
    expect(createSlice(metadata)).toEqual({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        generateName: 'db-',
        namespace: 'shop',
        labels: { app: 'db', ...mirrorLabels },
        annotations: { note: 'x' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name: 'db', uid: 'e1', controller: true, blockOwnerDeletion: true }],
      },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
      ports: [port],
    });
  });

  it('sets the name and no generateName for an existing slice', () => {
    const { metadata } = createSlice({}, '1.37', 'db-x');
    expect([metadata.name, metadata.generateName, metadata.resourceVersion]).toEqual(['db-x', undefined, undefined]);
  });

  it('overrides the labels of Service and controller, and copies all others', () => {
    expect(createSlice({ labels: { [serviceNameLabel]: 'x', [managedByLabel]: 'me' } }).metadata.labels).toEqual(mirrorLabels);
    const protoLabels = Object.fromEntries([['__proto__', 'p']]);
    expect(Object.entries(createSlice({ labels: protoLabels }).metadata.labels ?? {})).toContainEqual(['__proto__', 'p']);
  });

  it.each([
    ['1.21', [lastApplied, 'note']],
    ['1.22.0', ['note']],
    ['1.37', ['note']],
  ])('copies annotations except the trigger time, and last-applied only before 1.22: %s %j', (version, expected) => {
    const annotations = { note: 'x', [triggerTime]: 't', [lastApplied]: '{}' };
    expect(Object.keys(createSlice({ annotations }, version).metadata.annotations ?? {})).toEqual(expected);
    expect(createSlice({ annotations: { [triggerTime]: 't' } }, version).metadata).not.toHaveProperty('annotations');
  });

  it('limits the number of endpoints', () => {
    const endpoints = makeEndpoints([makeReadySubset(['10.0.0.1', '10.0.0.2', '10.0.0.3'])]);
    expect(newMirrorSlice(endpoints, groupOf(endpoints), 2, profileFor()).endpoints.map(({ addresses }) => addresses[0])).toEqual([
      '10.0.0.1',
      '10.0.0.2',
    ]);
  });

  it('shares no objects with the Endpoints', () => {
    const targetRef = { kind: 'Pod', name: 'a', namespace: 'shop', uid: 'u' };
    const endpoints = makeEndpoints([{ addresses: [{ ip: '10.0.0.1', targetRef }], ports: [port] }]);
    const slice = newMirrorSlice(endpoints, groupOf(endpoints), 1000, profileFor());
    expect(slice.endpoints[0]?.targetRef).toEqual(targetRef);
    expect(slice.endpoints[0]?.targetRef).not.toBe(targetRef);
    expect(slice.ports[0]).not.toBe(port);
  });
});

describe('matchesMirrorGroup', () => {
  const evaluate = (slice: EndpointSliceInput, metadata: ObjectMeta = {}, version = '1.37', ips = ['10.0.0.1', '10.0.0.2'], max = 1000) => {
    const endpoints = makeEndpoints([makeReadySubset(ips)], metadata);
    return matchesMirrorGroup(slice, endpoints, groupOf(endpoints, version), max, profileFor(version));
  };
  const ips = ['10.0.0.2', '10.0.0.1'];
  const sliceWithOwner = (owner: object) => makeMirrored('a', ips, { metadata: { ownerReferences: [owner] } });
  const sliceWithLabels = (labels: Record<string, string>) =>
    makeMirrored('a', ips, { metadata: { labels: { ...mirrorLabels, ...labels } } });
  const sliceWithAnnotations = (annotations: Record<string, string>) => makeMirrored('a', ips, { metadata: { annotations } });
  const earlierOwner = { kind: 'Endpoints', name: 'db', uid: 'e0' };

  it.each<[string, boolean, EndpointSliceInput, ObjectMeta?, string?]>([
    ['the addresses in a different order', true, makeMirrored('a', ips)],
    ['too few addresses', false, makeMirrored('a', ['10.0.0.1'])],
    ['too many addresses', false, makeMirrored('a', [...ips, '10.0.0.3'])],
    ['a different address', false, makeMirrored('a', ['10.0.0.1', '10.0.0.3'])],
    ['no list of endpoints', false, makeMirrored('a', [], { endpoints: null })],
    ['one address twice instead of the other, which the mirroring controller ignores', true, makeMirrored('a', ['10.0.0.1', '10.0.0.1'])],
    ['one address twice in addition to the other', false, makeMirrored('a', [...ips, '10.0.0.1'])],
    [
      'endpoints that are not ready',
      false,
      makeMirrored('a', [], { endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: false } })) }),
    ],
    [
      'endpoints of unknown readiness',
      false,
      makeMirrored('a', [], { endpoints: ips.map((ip) => ({ addresses: [ip], conditions: null })) }),
    ],
    [
      'additional hints',
      true,
      makeMirrored('a', [], { endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true }, hints: {} })) }),
    ],
    ['an additional label', false, sliceWithLabels({ app: 'db' })],
    ['a missing label', false, makeMirrored('a', ips), { labels: { app: 'db' } }],
    ['the label of the Endpoints', true, sliceWithLabels({ app: 'db' }), { labels: { app: 'db' } }],
    [
      'a reserved label on the Endpoints, which the mirroring controller rewrites at every sync',
      false,
      makeMirrored('a', ips),
      { labels: { [serviceNameLabel]: 'x' } },
    ],
    ['an additional annotation', false, sliceWithAnnotations({ note: 'x' })],
    ['the annotation of the Endpoints', true, sliceWithAnnotations({ note: 'x' }), { annotations: { note: 'x' } }],
    ['a trigger time on the Endpoints', true, makeMirrored('a', ips), { annotations: { [triggerTime]: 't' } }],
    ['a trigger time on the slice', false, sliceWithAnnotations({ [triggerTime]: 't' }), { annotations: { [triggerTime]: 't' } }],
    ['no copy of the last-applied annotation, 1.21', false, makeMirrored('a', ips), { annotations: { [lastApplied]: '{}' } }, '1.21'],
    ['no copy of the last-applied annotation, 1.22', true, makeMirrored('a', ips), { annotations: { [lastApplied]: '{}' } }, '1.22.0'],
    ['an earlier owner, 1.30', true, sliceWithOwner(earlierOwner), {}, '1.30'],
    ['an earlier owner, 1.31', false, sliceWithOwner(earlierOwner), {}, '1.31.0'],
    ['an owner of a different name', true, sliceWithOwner({ ...earlierOwner, name: 'web' })],
    ['an owner of a different kind', true, sliceWithOwner({ ...earlierOwner, kind: 'Service' })],
    ['no owner', true, makeMirrored('a', ips, { metadata: { ownerReferences: null } })],
  ])('for a slice with %s, returns %s', (_, expected, slice, metadata, version) => {
    expect(evaluate(slice, metadata, version)).toBe(expected);
  });

  it.each<[string, boolean, string[]]>([
    ['any desired addresses that fill the slice', true, ['10.0.0.2', '10.0.0.3']],
    ['fewer addresses', false, ['10.0.0.2']],
    ['one address twice', false, ['10.0.0.2', '10.0.0.2']],
    ['an address that is not desired', false, ['10.0.0.2', '10.0.0.4']],
    ['all addresses, more than the limit', true, ['10.0.0.1', '10.0.0.2', '10.0.0.3']],
  ])('for a full slice of a group above the limit, with %s, returns %s', (_, expected, addresses) => {
    expect(evaluate(makeMirrored('a', addresses), {}, '1.37', ['10.0.0.1', '10.0.0.2', '10.0.0.3'], 2)).toBe(expected);
  });
});

describe('slices mirrored for a Service', () => {
  it('are sorted by name, each name once', () => {
    const slices = [makeMirrored('b', []), makeMirrored('a', ['10.0.0.1']), makeMirrored('b', [])];
    expect(mirroredSlicesOf('shop/db', slices).map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
  });

  it('are found for a key without a namespace', () => {
    const sliceWithoutNamespace = makeMirrored('a', [], { metadata: { namespace: undefined } });
    expect(mirroredSlicesOf('db', [sliceWithoutNamespace, makeMirrored('b', [])])).toEqual([sliceWithoutNamespace]);
  });

  it('are identified by their label', () => {
    expect([isMirroredSlice(makeMirrored('a', [])), isMirroredSlice({}), isMirroredSlice({ metadata: { labels: null } })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
