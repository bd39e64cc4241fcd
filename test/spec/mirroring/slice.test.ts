import { describe, expect, it } from 'vitest';
import { desiredMirror, type MirrorGroup } from '../../../src/spec/mirroring/desired.ts';
import { isMirroredSlice, matchesMirrorGroup, mirroredSlicesOf, newMirrorSlice } from '../../../src/spec/mirroring/slice.ts';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta } from '../../../src/types/index.ts';
import { profileFor } from '../../../src/versions/index.ts';
import { makeEndpoints, makeMirrored, managedBy, mirrorLabels, port, serviceName, subsetOf } from './objects.ts';

const groupOf = (endpoints: EndpointsInput, version = '1.37'): MirrorGroup => {
  const [group] = desiredMirror(endpoints, 1000, profileFor(version)).groups.values();
  if (!group) throw new Error('no group');
  return group;
};
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

describe('newMirrorSlice', () => {
  const made = (metadata: ObjectMeta = {}, version = '1.37', name?: string) => {
    const endpoints = makeEndpoints([subsetOf(['10.0.0.1'])], metadata);
    return newMirrorSlice(endpoints, groupOf(endpoints, version), 1000, profileFor(version), name);
  };

  it('returns the complete slice', () => {
    const metadata = { labels: { app: 'db' }, annotations: { note: 'x' }, resourceVersion: '9', creationTimestamp: '2026-01-01T00:00:00Z' };
    expect(made(metadata)).toEqual({
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
    const { metadata } = made({}, '1.37', 'db-x');
    expect([metadata.name, metadata.generateName, metadata.resourceVersion]).toEqual(['db-x', undefined, undefined]);
  });

  it('overrides the labels of Service and controller, and copies all others', () => {
    expect(made({ labels: { [serviceName]: 'x', [managedBy]: 'me' } }).metadata.labels).toEqual(mirrorLabels);
    const odd = Object.fromEntries([['__proto__', 'p']]);
    expect(Object.entries(made({ labels: odd }).metadata.labels ?? {})).toContainEqual(['__proto__', 'p']);
  });

  it.each([
    ['1.21', [lastApplied, 'note']],
    ['1.22.0', ['note']],
    ['1.37', ['note']],
  ])('copies annotations, in %s %j', (version, expected) => {
    const annotations = { note: 'x', [triggerTime]: 't', [lastApplied]: '{}' };
    expect(Object.keys(made({ annotations }, version).metadata.annotations ?? {})).toEqual(expected);
    expect(made({ annotations: { [triggerTime]: 't' } }, version).metadata).not.toHaveProperty('annotations');
  });

  it('limits the number of endpoints', () => {
    const endpoints = makeEndpoints([subsetOf(['10.0.0.1', '10.0.0.2', '10.0.0.3'])]);
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
    const endpoints = makeEndpoints([subsetOf(ips)], metadata);
    return matchesMirrorGroup(slice, endpoints, groupOf(endpoints, version), max, profileFor(version));
  };
  const ips = ['10.0.0.2', '10.0.0.1'];
  const owned = (owner: object) => makeMirrored('a', ips, { metadata: { ownerReferences: [owner] } });
  const labelled = (labels: Record<string, string>) => makeMirrored('a', ips, { metadata: { labels: { ...mirrorLabels, ...labels } } });
  const annotated = (annotations: Record<string, string>) => makeMirrored('a', ips, { metadata: { annotations } });
  const namesake = { kind: 'Endpoints', name: 'db', uid: 'e0' };

  it.each<[string, boolean, EndpointSliceInput, ObjectMeta?, string?]>([
    ['in another order', true, makeMirrored('a', ips)],
    ['one too few', false, makeMirrored('a', ['10.0.0.1'])],
    ['one too many', false, makeMirrored('a', [...ips, '10.0.0.3'])],
    ['another one', false, makeMirrored('a', ['10.0.0.1', '10.0.0.3'])],
    ['no list at all', false, makeMirrored('a', [], { endpoints: null })],
    ['one twice instead of the other, which upstream overlooks', true, makeMirrored('a', ['10.0.0.1', '10.0.0.1'])],
    ['one twice beside the other', false, makeMirrored('a', [...ips, '10.0.0.1'])],
    ['not ready', false, makeMirrored('a', [], { endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: false } })) })],
    ['readiness unknown', false, makeMirrored('a', [], { endpoints: ips.map((ip) => ({ addresses: [ip], conditions: null })) })],
    [
      'hints are not looked at',
      true,
      makeMirrored('a', [], { endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true }, hints: {} })) }),
    ],
    ['a label more', false, labelled({ app: 'db' })],
    ['a label less', false, makeMirrored('a', ips), { labels: { app: 'db' } }],
    ['the label', true, labelled({ app: 'db' }), { labels: { app: 'db' } }],
    [
      'a reserved label on the Endpoints, over which upstream never rests',
      false,
      makeMirrored('a', ips),
      { labels: { [serviceName]: 'x' } },
    ],
    ['an annotation more', false, annotated({ note: 'x' })],
    ['the annotation', true, annotated({ note: 'x' }), { annotations: { note: 'x' } }],
    ['a trigger time on the Endpoints', true, makeMirrored('a', ips), { annotations: { [triggerTime]: 't' } }],
    ['a trigger time on the slice', false, annotated({ [triggerTime]: 't' }), { annotations: { [triggerTime]: 't' } }],
    ['last applied, 1.21', false, makeMirrored('a', ips), { annotations: { [lastApplied]: '{}' } }, '1.21'],
    ['last applied, 1.22', true, makeMirrored('a', ips), { annotations: { [lastApplied]: '{}' } }, '1.22.0'],
    ['former owner, 1.30', true, owned(namesake), {}, '1.30'],
    ['former owner, 1.31', false, owned(namesake), {}, '1.31.0'],
    ['owner of another name', true, owned({ ...namesake, name: 'web' })],
    ['owner of another kind', true, owned({ ...namesake, kind: 'Service' })],
    ['no owner', true, makeMirrored('a', ips, { metadata: { ownerReferences: null } })],
  ])('%s: %s', (_, right, slice, metadata, version) => {
    expect(evaluate(slice, metadata, version)).toBe(right);
  });

  it.each<[string, string[], boolean]>([
    ['any that fill it', ['10.0.0.2', '10.0.0.3'], true],
    ['fewer', ['10.0.0.2'], false],
    ['one twice', ['10.0.0.2', '10.0.0.2'], false],
    ['as many, but another', ['10.0.0.2', '10.0.0.4'], false],
    ['all, though more than the maximum', ['10.0.0.1', '10.0.0.2', '10.0.0.3'], true],
  ])('for more endpoints than the limit: %s', (_, there, right) => {
    expect(evaluate(makeMirrored('a', there), {}, '1.37', ['10.0.0.1', '10.0.0.2', '10.0.0.3'], 2)).toBe(right);
  });
});

describe('slices mirrored for a Service', () => {
  it('are sorted by name, each name once', () => {
    const slices = [makeMirrored('b', []), makeMirrored('a', ['10.0.0.1']), makeMirrored('b', [])];
    expect(mirroredSlicesOf('shop/db', slices).map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
  });

  it('are found for a key without a namespace', () => {
    const bare = makeMirrored('a', [], { metadata: { namespace: undefined } });
    expect(mirroredSlicesOf('db', [bare, makeMirrored('b', [])])).toEqual([bare]);
  });

  it('are identified by their label', () => {
    expect([isMirroredSlice(makeMirrored('a', [])), isMirroredSlice({}), isMirroredSlice({ metadata: { labels: null } })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
