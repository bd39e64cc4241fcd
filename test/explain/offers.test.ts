import { describe, expect, it } from 'vitest';
import { createNotReadyReason, createOfferReasons, createPublishedNotReadyReason } from '../../src/explain/pod-reasons.ts';
import { createPodEvaluator, type Offer } from '../../src/spec/index.ts';
import type { Pod, Service } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const codes = (service: Service, pod: Pod, version = '1.37') => {
  const evaluator = createPodEvaluator(service, profileFor(version));
  return createOfferReasons(evaluator, pod, evaluator.evaluate(pod) as Offer).map(({ code }) => code);
};

describe('createOfferReasons', () => {
  it.each<[string, Service, Pod, string, string[]]>([
    ['a pod without findings', makeService(), makePod(), '1.37', []],
    ['a port 0', makeService({ ports: [{ port: 80 }, { port: 81, targetPort: 9 }] }), makePod(), '1.37', ['PortHasNoNumber']],
    ['a bad IP', makeService(), makePod('a', { ip: 'x' }), '1.37', ['PodIPInvalid']],
    ['a bad IP in a release that writes it unchanged', makeService(), makePod('a', { ip: 'x' }), '1.32', []],
    [
      'a host name with its subdomain',
      makeService({ clusterIP: 'None' }),
      makePod('a', { spec: { hostname: 'h', subdomain: 'web' } }),
      '1.37',
      [],
    ],
    [
      'a host name without subdomain',
      makeService({ clusterIP: 'None' }),
      makePod('a', { spec: { hostname: 'h' } }),
      '1.37',
      ['HostnameLeftOut'],
    ],
    ['a host name of a Service that is not headless', makeService(), makePod('a', { spec: { hostname: 'h' } }), '1.37', []],
  ])('returns the reasons for %s', (_, service, pod, version, expected) => {
    expect(codes(service, pod, version)).toEqual(expected);
  });
});

describe('createPublishedNotReadyReason', () => {
  const terminatingMetadata = { deletionTimestamp: '2026-01-31T12:00:00Z' };
  it.each([
    ['ready', makePod(), undefined],
    ['not ready', makePod('a', { ready: false }), 'PodPublishedNotReady'],
    ['ready, but terminating', makePod('a', { metadata: terminatingMetadata }), 'PodPublishedNotReady'],
  ])('considers the pod and publishNotReadyAddresses, for a pod that is %s', (_, pod, code) => {
    expect(
      createPublishedNotReadyReason(createPodEvaluator(makeService({ publishNotReadyAddresses: true }), profileFor()), pod)?.code,
    ).toBe(code);
    expect(createPublishedNotReadyReason(createPodEvaluator(makeService(), profileFor()), pod)).toBeUndefined();
  });
});

describe('createNotReadyReason', () => {
  it.each([
    [[], 'it has no Ready condition'],
    [[{ type: 'Ready', status: 'False', message: 'm' }], 'its Ready condition is "False" (m)'],
    [[{ type: 'Ready', status: 'True' }], 'another pod with its IP and UID is not ready'],
  ])('explains the conditions %j: %s', (conditions, why) => {
    expect(createNotReadyReason(makePod('a', { status: { conditions } }), profileFor()).message).toBe(`The pod is not ready: ${why}.`);
  });
});
