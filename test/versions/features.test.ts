import { describe, expect, it, test } from 'vitest';
import { computeEndpoints } from '../../src/index.ts';
import { loadBalancerGates } from '../../src/load-balancer/gates.ts';
import { proxyGates } from '../../src/proxy/gates.ts';
import { readinessGates, readinessSettings } from '../../src/readiness/gates.ts';
import { changeableFeatures, isOnByDefault, reaches } from '../../src/versions/features.ts';
import { type FeatureGates, features, type Gate, gates, profileFor } from '../../src/versions/index.ts';
import { createGateLookup, isOpen } from '../../src/versions/profile.ts';
import { firstMinor, lastMinor, parseRelease } from '../../src/versions/releases.ts';
import { makePod, makeService } from '../spec/objects.ts';

type Row = Pick<Gate, 'since' | 'feature'>;
const rows = Object.entries<Row>({ ...gates, ...readinessGates, ...loadBalancerGates, ...proxyGates }).filter(([, { feature }]) => feature);
const minors = Array.from({ length: lastMinor - firstMinor + 1 }, (_, i) => `1.${firstMinor + i}.0`);

test.each(rows)('%s is on in exactly the releases in which its feature gate is on by default', (_, row) => {
  const { name, from = features[name].since, inverted = false } = row.feature as NonNullable<Row['feature']>;
  const { removed } = features[name];
  const decided = minors.map((version) => parseRelease(version)).filter((release) => reaches(release, from) && !reaches(release, removed));
  expect(decided.length).toBeGreaterThan(0);
  expect(decided.map((release) => isOpen(row, release))).toEqual(
    decided.map((release) => isOnByDefault(features[name], release) !== inverted),
  );
});

describe('profileFor', () => {
  it('sets the gates of a feature gate, and leaves the others', () => {
    const profile = profileFor('1.20.2', { IPv6DualStack: true });
    expect(profile).toEqual({ ...profileFor('1.20.2'), addressOfServiceFamily: true });
    expect(profileFor('1.22', { EndpointSliceTerminatingCondition: false }).terminatingPodsIncluded).toBe(false);
  });

  it('inverts gates that are on if the feature gate is off', () => {
    const kept = (value: boolean) =>
      readinessSettings({ version: '1.36', featureGates: { ChangeContainerStatusOnKubeletRestart: value } }).statusKeptOnKubeletRestart;
    expect([kept(false), kept(true)]).toEqual([true, false]);
  });

  it('lets another feature gate decide in the releases before', () => {
    const lookUp = createGateLookup({ row: { since: '1.19.0', feature: { name: 'EndpointSliceProxying', earlier: 'EndpointSlice' } } }, 17);
    const isOn = (version: string, featureGates: FeatureGates) => lookUp(version, featureGates).row;
    expect([isOn('1.17', {}), isOn('1.17', { EndpointSlice: true })]).toEqual([false, true]);
    expect([isOn('1.18', { EndpointSlice: true }), isOn('1.18', { EndpointSliceProxying: true })]).toEqual([false, true]);
    expect([isOn('1.20', { EndpointSlice: false }), isOn('1.20', { EndpointSliceProxying: false })]).toEqual([true, false]);
  });

  it('accepts the default of a locked feature gate', () => {
    expect(profileFor('1.23', { IPv6DualStack: true })).toEqual(profileFor('1.23'));
  });

  test.each<[string, string, unknown, string]>([
    [
      'a name that is not a feature gate',
      '1.37',
      { IPv6: true },
      'featureGates.IPv6: not known: give one of AllowServiceExternalIPs, ChangeContainerStatusOnKubeletRestart,',
    ],
    ['a name of an inherited property', '1.37', { constructor: true }, 'featureGates.constructor: not known'],
    ['a text', '1.20', { IPv6DualStack: 'true' }, 'featureGates.IPv6DualStack: "true" is not a boolean: give true or false'],
    [
      'a release before the feature gate',
      '1.15',
      { IPv6DualStack: true },
      'featureGates.IPv6DualStack: not specified for Kubernetes 1.15, only from 1.16 on: leave it out',
    ],
    [
      'a release after its removal',
      '1.25.3',
      { IPv6DualStack: true },
      'featureGates.IPv6DualStack: Kubernetes 1.25 has no such gate, because 1.25 removed it: leave it out',
    ],
    [
      'a feature gate without one that it needs',
      '1.36',
      { ContainerRestartRules: false },
      'featureGates.ContainerRestartRules: off, but RestartAllContainersOnContainerExits needs it: turn both on or off',
    ],
    ['a locked value', '1.23', { IPv6DualStack: false }, 'featureGates.IPv6DualStack: locked to true since 1.23: leave it out'],
  ])('rejects %s', (_, version, featureGates, message) => {
    expect(() => profileFor(version, featureGates as FeatureGates)).toThrow(RangeError);
    expect(() => profileFor(version, featureGates as FeatureGates)).toThrow(message);
  });
});

test('changeableFeatures lists the feature gates of a release that are not locked', () => {
  expect(changeableFeatures(parseRelease('1.9'))).toEqual(['ServiceNodeExclusion']);
  expect(changeableFeatures(parseRelease('1.24'))).toEqual([
    'EndpointSliceTerminatingCondition',
    'ProxyTerminatingEndpoints',
    'ServiceInternalTrafficPolicy',
    'TopologyAwareHints',
  ]);
});

test('computeEndpoints uses the address of the IP family of the Service with IPv6DualStack', () => {
  const service = makeService({ clusterIP: 'fd00::a', ipFamilies: undefined });
  const pod = makePod('a', { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } });
  const ipsWith = (featureGates?: FeatureGates) =>
    computeEndpoints(service, [pod], { version: '1.17', featureGates })?.subsets?.flatMap(({ addresses = [] }) =>
      addresses.map(({ ip }) => ip),
    );
  expect([ipsWith(), ipsWith({ IPv6DualStack: true })]).toEqual([['10.0.0.1'], ['fd00::1']]);
});
