import { describe, expect, it } from 'vitest';
import {
  createEligibilityCheck,
  eligibilityRules,
  isPodEligible,
  parseBool,
  publishesNotReady,
  tolerateUnreadyAnnotation,
} from '../../src/spec/eligibility.ts';
import type { Pod } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { versions } from '../property/releases.ts';
import { makePod, profileWith } from './objects.ts';

const terminatingMetadata = { deletionTimestamp: '2026-01-31T12:00:00Z' };

describe('isPodEligible', () => {
  it.each<{ name: string; pod: Pod; in121: boolean; in125: boolean }>([
    { name: 'an empty entry in podIPs', pod: makePod('a', { status: { podIP: '', podIPs: [{ ip: '' }] } }), in121: false, in125: true },
    {
      name: 'a deletionTimestamp that is a Date',
      pod: makePod('a', { metadata: { deletionTimestamp: new Date(0) } }),
      in121: false,
      in125: false,
    },
    { name: 'no fields', pod: {}, in121: false, in125: false },
    { name: 'null fields', pod: { metadata: null, spec: null, status: null }, in121: false, in125: false },
    { name: 'only podIP', pod: { status: { podIP: '10.0.0.1' } }, in121: true, in125: true },
  ])('for a pod with $name, returns $in121 in 1.21 and $in125 in 1.25', ({ pod, in121, in125 }) => {
    expect(isPodEligible(pod, { version: '1.21' })).toBe(in121);
    expect(isPodEligible(pod, { version: '1.25' })).toBe(in125);
    expect(isPodEligible(pod)).toBe(in125);
  });

  it('uses the newest release by default, and rejects an unknown release', () => {
    expect(isPodEligible(makePod())).toBe(true);
    expect(() => isPodEligible(makePod(), { version: '1.38' })).toThrow(RangeError);
  });
});

describe('eligibilityRules', () => {
  it.each([
    ['1.21', 'slices', ['PodHasNoIP', 'PodTerminating', 'PodFinished']],
    ['1.22.10', 'endpoints', ['PodHasNoIP', 'PodTerminating', 'PodFinished']],
    ['1.22.10', 'slices', ['PodHasNoIP', 'PodFinished']],
    ['1.22.11', 'endpoints', ['PodTerminal', 'PodHasNoIP', 'PodTerminating']],
    ['1.22.11', 'slices', ['PodTerminal', 'PodHasNoIP']],
  ] as const)('in %s for %s, returns the rules %j', (version, output, codes) => {
    expect(eligibilityRules(profileFor(version), output).map(({ code }) => code)).toEqual(codes);
  });

  it('has two or three rules per output and release; only PodHasNoIP excludes a pod without fields', () => {
    for (const version of versions) {
      for (const output of ['endpoints', 'slices'] as const) {
        const rules = eligibilityRules(profileFor(version), output);
        expect([2, 3], version).toContain(rules.length);
        expect(rules.filter((rule) => rule.applies({}, false)).map(({ code }) => code)).toEqual(['PodHasNoIP']);
      }
    }
  });
});

describe('the eligibility rules for slices', () => {
  const gatesBefore122 = { terminalPodsExcluded: false, terminatingPodsIncluded: false };
  const noIPs = { podIP: '', podIPs: [] };

  it.each<{ name: string; pod: Pod; publishNotReady?: boolean; gates?: Parameters<typeof profileWith>[0]; expected: string | undefined }>([
    { name: 'a running pod', pod: makePod(), expected: undefined },
    { name: 'a pod without fields', pod: {}, expected: 'PodHasNoIP' },
    { name: 'a pod without IPs', pod: makePod('a', { status: noIPs }), expected: 'PodHasNoIP' },
    { name: 'a pod with podIPs only', pod: makePod('a', { status: { podIP: null } }), expected: undefined },
    { name: 'a pod with podIP only', pod: makePod('a', { status: { podIPs: null } }), expected: undefined },
    { name: 'a succeeded pod', pod: makePod('a', { status: { phase: 'Succeeded' } }), expected: 'PodTerminal' },
    { name: 'a failed pod without IPs', pod: makePod('a', { status: { phase: 'Failed', ...noIPs } }), expected: 'PodTerminal' },
    { name: 'a failed pod, published', pod: makePod('a', { status: { phase: 'Failed' } }), publishNotReady: true, expected: 'PodTerminal' },
    { name: 'a terminating pod', pod: makePod('a', { metadata: terminatingMetadata }), expected: undefined },
    { name: 'a terminating pod', pod: makePod('a', { metadata: terminatingMetadata }), gates: gatesBefore122, expected: 'PodTerminating' },
    {
      name: 'a terminating pod, published',
      pod: makePod('a', { metadata: terminatingMetadata }),
      gates: gatesBefore122,
      publishNotReady: true,
      expected: undefined,
    },
    { name: 'a failed pod', pod: makePod('a', { status: { phase: 'Failed' } }), gates: gatesBefore122, expected: undefined },
    ...(['Never', 'OnFailure', 'Always'] as const).flatMap((restartPolicy) =>
      (['Succeeded', 'Failed', 'Running'] as const).map((phase) => ({
        name: `a ${phase} pod with restartPolicy ${restartPolicy}`,
        pod: makePod('a', { spec: { restartPolicy }, status: { phase } }),
        gates: gatesBefore122,
        expected:
          phase !== 'Running' && (restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && phase === 'Succeeded'))
            ? 'PodFinished'
            : undefined,
      })),
    ),
  ])('for $name and the gates $gates, return $expected', ({ pod, publishNotReady = false, gates = {}, expected }) => {
    expect(createEligibilityCheck(eligibilityRules(profileWith(gates), 'slices'))(pod, publishNotReady)).toBe(expected);
  });
});

it('tolerateUnreadyAnnotation is the annotation of the API', () => {
  expect(tolerateUnreadyAnnotation).toBe('service.alpha.kubernetes.io/tolerate-unready-endpoints');
});

describe('publishesNotReady', () => {
  it.each([
    { name: 'a Service without metadata', service: { spec: { publishNotReadyAddresses: true } }, expected: true },
    { name: 'an empty Service', service: {}, expected: false },
  ])('for $name, returns $expected', ({ service, expected }) => {
    expect(publishesNotReady(service, profileFor('1.23'))).toBe(expected);
    expect(publishesNotReady(service, profileFor('1.24'))).toBe(expected);
  });
});

describe('parseBool', () => {
  it.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('reads %s as true', (text) => {
    expect(parseBool(text)).toBe(true);
  });
  it.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('reads %s as false', (text) => {
    expect(parseBool(text)).toBe(false);
  });
  it.each(['', 'yes', 'tRUE', ' true', 'true ', 'on', '2', 'constructor', '__proto__', 'toString', true, 1, null, undefined])(
    'returns undefined for %j',
    (text) => {
      expect(parseBool(text)).toBeUndefined();
    },
  );
});
