import { describe, expect, it } from 'vitest';
import {
  createAddress,
  createCustomTargetRefBuilder,
  createPodTargetRefBuilder,
  familyOf,
  findIP,
  type IPFamily,
  type RankedIP,
  shouldSetHostname,
} from '../../src/spec/address.ts';
import type { Pod } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from './objects.ts';

describe('familyOf', () => {
  it.each([
    [{ ipFamilies: ['IPv6', 'IPv4'] }, { family: 'IPv6', path: 'spec.ipFamilies[0]' }],
    [
      { ipFamilies: ['IPv4', 'IPv6'], clusterIP: 'fd00::1' },
      { family: 'IPv4', path: 'spec.ipFamilies[0]' },
    ],
    [{ ipFamilies: ['ipv6'] }, { family: 'IPv4', path: 'spec.ipFamilies[0]' }],
    [
      { ipFamilies: [], clusterIP: 'fd00::1' },
      { family: 'IPv6', path: 'spec.clusterIP' },
    ],
    [
      { ipFamilies: null, clusterIP: '10.0.0.1' },
      { family: 'IPv4', path: 'spec.clusterIP' },
    ],
    [
      { ipFamilies: undefined, clusterIP: 'x' },
      { family: 'IPv4', path: 'spec.clusterIP' },
    ],
    [{ ipFamilies: [], clusterIP: 'None' }, undefined],
    [{ ipFamilies: [], clusterIP: '' }, undefined],
    [{ ipFamilies: [], clusterIP: null }, undefined],
  ])('for the spec %j, returns %j', (spec, expected) => {
    expect(familyOf(makeService(spec))).toEqual(expected);
  });

  it('returns undefined for a Service without spec', () => {
    expect(familyOf({})).toBeUndefined();
  });
});

/** Returns the result of findIP; undefined if no IP is found. findIP must overwrite the initial values, which belong to a different pod. */
function findIPOf(pod: Pod, family: IPFamily | undefined, version: string): RankedIP | undefined {
  const result: RankedIP = { ip: 'of another pod', rank: 7 };
  return findIP(pod, family, profileFor(version), result) ? result : undefined;
}

describe('findIP', () => {
  it.each(['1.20', '1.21', '1.33'])('finds nothing in a pod without status in %s', (version) => {
    expect(findIPOf({}, 'IPv4', version)).toBeUndefined();
    expect(findIPOf({ status: { podIPs: null } }, undefined, version)).toBeUndefined();
  });
});

describe('shouldSetHostname', () => {
  it.each([
    { name: 'host name and subdomain', spec: { hostname: 'h', subdomain: 'web' }, expected: true },
    { name: 'no host name', spec: { subdomain: 'web' }, expected: false },
    { name: 'an empty host name', spec: { hostname: '', subdomain: 'web' }, expected: false },
    { name: 'a different subdomain', spec: { hostname: 'h', subdomain: 'db' }, expected: false },
    { name: 'no subdomain', spec: { hostname: 'h' }, expected: false },
  ])('for a pod with $name, returns $expected', ({ spec, expected }) => {
    expect(shouldSetHostname(makePod('a', { spec }), makeService())).toBe(expected);
  });

  it('requires the same namespace', () => {
    const pod = makePod('a', { spec: { hostname: 'h', subdomain: 'web' }, metadata: { namespace: 'other' } });
    expect(shouldSetHostname(pod, makeService())).toBe(false);
  });

  it('treats absent names as empty ones', () => {
    expect(shouldSetHostname({ spec: { hostname: 'h' } }, {})).toBe(true);
    expect(
      shouldSetHostname({ spec: { hostname: 'h', subdomain: null }, metadata: null }, { metadata: { name: '', namespace: null } }),
    ).toBe(true);
    expect(shouldSetHostname({ spec: { hostname: 'h' } }, { metadata: { name: 'web' } })).toBe(false);
    expect(shouldSetHostname({ spec: { hostname: 'h' } }, { metadata: { namespace: 'shop' } })).toBe(false);
    expect(shouldSetHostname({}, {})).toBe(false);
  });
});

describe('createAddress', () => {
  const pod = makePod('a', { metadata: { resourceVersion: '7' }, spec: { hostname: 'h', subdomain: 'web' } });
  const target = { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-a' };

  it.each([
    ['1.23', { ip: 'x', hostname: 'h', nodeName: 'n1', targetRef: { ...target, resourceVersion: '7' } }],
    ['1.24', { ip: 'x', hostname: 'h', nodeName: 'n1', targetRef: target }],
  ])('in %s, returns %j', (version, expected) => {
    const address = createAddress(pod, 'x', makeService(), createPodTargetRefBuilder(profileFor(version)));
    expect(address).toEqual(expected);
    expect(JSON.stringify(address)).toBe(JSON.stringify(expected));
  });

  it('omits empty fields except nodeName', () => {
    const minimalAddress = { ip: 'x', nodeName: '', targetRef: { kind: 'Pod' } };
    const empty = { metadata: { namespace: '', name: '', uid: '', resourceVersion: '' }, spec: { nodeName: null } };
    for (const version of ['1.17', '1.37']) {
      expect(createAddress({}, 'x', makeService(), createPodTargetRefBuilder(profileFor(version)))).toEqual(minimalAddress);
      expect(createAddress(empty, 'x', makeService(), createPodTargetRefBuilder(profileFor(version)))).toEqual(minimalAddress);
    }
  });

  it.each([
    [{ namespace: 'ns' }, { kind: 'Pod', namespace: 'ns' }],
    [{ name: 'n' }, { kind: 'Pod', name: 'n' }],
    [{ uid: 'u' }, { kind: 'Pod', uid: 'u' }],
    [
      { namespace: 'ns', name: 'n' },
      { kind: 'Pod', namespace: 'ns', name: 'n' },
    ],
    [{ resourceVersion: '1' }, { kind: 'Pod' }],
    [
      { name: 'n', uid: 'u' },
      { kind: 'Pod', name: 'n', uid: 'u' },
    ],
    [
      { namespace: 'ns', uid: 'u' },
      { kind: 'Pod', namespace: 'ns', uid: 'u' },
    ],
  ])('for a pod with the metadata %j, sets targetRef to %j', (metadata, targetRef) => {
    expect(createAddress({ metadata }, 'x', {}, createPodTargetRefBuilder(profileFor())).targetRef).toStrictEqual(targetRef);
  });

  it('omits the resourceVersion of the target if the pod has none', () => {
    expect(createAddress(makePod(), 'x', makeService(), createPodTargetRefBuilder(profileFor('1.17'))).targetRef).toEqual(target);
  });

  it('copies a custom targetRef, without empty and unknown fields', () => {
    const customRef = { kind: 'Job', name: 'j', uid: '', apiVersion: 'batch/v1', extra: 1 };
    const { targetRef } = createAddress(
      makePod(),
      'x',
      makeService(),
      createCustomTargetRefBuilder(() => customRef),
    );
    expect(targetRef).toStrictEqual({ kind: 'Job', name: 'j', apiVersion: 'batch/v1' });
    expect(customRef).toEqual({ kind: 'Job', name: 'j', uid: '', apiVersion: 'batch/v1', extra: 1 });
  });
});
