import { describe, expect, it } from 'vitest';
import {
  eligibilityRules,
  parseBool,
  publishesNotReady,
  shouldPodBeInEndpoints,
  tolerateUnreadyAnnotation,
} from '../../src/spec/eligibility.ts';
import type { Pod } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod } from './objects.ts';

describe('shouldPodBeInEndpoints', () => {
  it.each<{ name: string; pod: Pod; old: boolean; now: boolean }>([
    { name: 'podIPs with an empty one', pod: makePod('a', { status: { podIP: '', podIPs: [{ ip: '' }] } }), old: false, now: true },
    { name: 'terminating since a Date', pod: makePod('a', { metadata: { deletionTimestamp: new Date(0) } }), old: false, now: false },
    { name: 'nothing known', pod: {}, old: false, now: false },
    { name: 'null all over', pod: { metadata: null, spec: null, status: null }, old: false, now: false },
    { name: 'only an IP known', pod: { status: { podIP: '10.0.0.1' } }, old: true, now: true },
  ])('$name: $old in 1.21, $now in 1.25', ({ pod, old, now }) => {
    expect(shouldPodBeInEndpoints(pod, { version: '1.21' })).toBe(old);
    expect(shouldPodBeInEndpoints(pod, { version: '1.25' })).toBe(now);
    expect(shouldPodBeInEndpoints(pod)).toBe(now);
  });

  it('needs no options', () => {
    expect(shouldPodBeInEndpoints(makePod())).toBe(true);
    expect(() => shouldPodBeInEndpoints(makePod(), { version: '1.38' })).toThrow(RangeError);
  });
});

describe('eligibilityRules', () => {
  it.each([
    ['1.22.10', ['PodHasNoIP', 'PodTerminating', 'PodFinished']],
    ['1.22.11', ['PodTerminal', 'PodHasNoIP', 'PodTerminating']],
  ])('%s asks %j, in this order', (version, codes) => {
    expect(eligibilityRules(profileFor(version)).map(({ code }) => code)).toEqual(codes);
  });
});

it.each(['1.21', '1.37'])('every rule of %s takes a pod of which nothing is known', (version) => {
  const left = eligibilityRules(profileFor(version)).filter((rule) => rule.leavesOut({}, false));
  expect(left.map(({ code }) => code)).toEqual(['PodHasNoIP']);
});

it('the annotation is that of the API', () => {
  expect(tolerateUnreadyAnnotation).toBe('service.alpha.kubernetes.io/tolerate-unready-endpoints');
});

describe('publishesNotReady', () => {
  it.each([
    { name: 'no metadata', service: { spec: { publishNotReadyAddresses: true } }, old: true, now: true },
    { name: 'nothing', service: {}, old: false, now: false },
  ])('$name: $old in 1.23, $now in 1.24', ({ service, old, now }) => {
    expect(publishesNotReady(service, profileFor('1.23'))).toBe(old);
    expect(publishesNotReady(service, profileFor('1.24'))).toBe(now);
  });
});

describe('parseBool', () => {
  it.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('%s is true', (text) => {
    expect(parseBool(text)).toBe(true);
  });
  it.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('%s is false', (text) => {
    expect(parseBool(text)).toBe(false);
  });
  it.each(['', 'yes', 'tRUE', ' true', 'true ', 'on', '2', 'constructor', '__proto__', 'toString', true, 1, null, undefined])(
    '%j is neither',
    (text) => {
      expect(parseBool(text)).toBeUndefined();
    },
  );
});
