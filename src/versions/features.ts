import type { Release } from './releases.ts';

/** A feature gate of Kubernetes, by minor releases: 21 is Kubernetes 1.21. */
export interface Feature {
  /** The first release whose gate is specified here. */
  readonly since: number;
  /** The first release in which it is on by default; absent if it is off in all. */
  readonly on?: number;
  /** The first release in which it is off again by default. */
  readonly off?: number;
  /** The first release in which it cannot be changed. */
  readonly locked?: number;
  /** The first release that no longer has the gate. */
  readonly removed?: number;
  /** The gate that must be on, too. */
  readonly needs?: FeatureName;
}

/** The name of a feature gate, as in `--feature-gates`. */
export type FeatureName =
  | 'AllowServiceExternalIPs'
  | 'ChangeContainerStatusOnKubeletRestart'
  | 'ContainerRestartRules'
  | 'EndpointSlice'
  | 'EndpointSliceNodeName'
  | 'EndpointSliceProxying'
  | 'EndpointSliceTerminatingCondition'
  | 'ExternalPolicyForExternalIP'
  | 'IPv6DualStack'
  | 'LegacyNodeRoleBehavior'
  | 'LoadBalancerIPMode'
  | 'PodDisruptionConditions'
  | 'PodHostIPs'
  | 'PodObservedGenerationTracking'
  | 'PodReadyToStartContainersCondition'
  | 'PreferSameTrafficDistribution'
  | 'ProxyTerminatingEndpoints'
  | 'RestartAllContainersOnContainerExits'
  | 'ServiceAppProtocol'
  | 'ServiceInternalTrafficPolicy'
  | 'ServiceLoadBalancerFinalizer'
  | 'ServiceNodeExclusion'
  | 'ServiceTopology'
  | 'ServiceTrafficDistribution'
  | 'SidecarContainers'
  | 'StableLoadBalancerNodeSet'
  | 'StartupProbe'
  | 'TopologyAwareHints';

/**
 * The feature gates that change endpoints, slices, readiness, load balancers or the rules of nodes.
 * Mirrors defaultKubernetesFeatureGates (1.9 to 1.32) and defaultVersionedKubernetesFeatureGates (1.33 to 1.37),
 * pkg/features/kube_features.go.
 */
export const features: Readonly<Record<FeatureName, Feature>> = {
  AllowServiceExternalIPs: { since: 36, on: 36 },
  ChangeContainerStatusOnKubeletRestart: { since: 35 },
  ContainerRestartRules: { since: 35, on: 35 },
  EndpointSlice: { since: 16, on: 18, locked: 21, removed: 25 },
  EndpointSliceNodeName: { since: 20, on: 21, locked: 21, removed: 25 },
  EndpointSliceProxying: { since: 18, on: 19, locked: 22, removed: 25 },
  EndpointSliceTerminatingCondition: { since: 20, on: 22, locked: 26, removed: 28 },
  ExternalPolicyForExternalIP: { since: 18, on: 19, locked: 20, removed: 22 },
  IPv6DualStack: { since: 16, on: 21, locked: 23, removed: 25 },
  LegacyNodeRoleBehavior: { since: 16, on: 16, off: 21, locked: 21, removed: 22 },
  LoadBalancerIPMode: { since: 29, on: 30, locked: 32, removed: 35 },
  PodDisruptionConditions: { since: 25, on: 26, locked: 31, removed: 34 },
  PodHostIPs: { since: 28, on: 29, locked: 30, removed: 32 },
  PodObservedGenerationTracking: { since: 33, on: 34, locked: 35 },
  PodReadyToStartContainersCondition: { since: 28, on: 29, locked: 37 },
  PreferSameTrafficDistribution: { since: 33, on: 34, locked: 35 },
  ProxyTerminatingEndpoints: { since: 22, on: 26, locked: 28, removed: 30 },
  RestartAllContainersOnContainerExits: { since: 35, on: 36, needs: 'ContainerRestartRules' },
  ServiceAppProtocol: { since: 18, on: 19, locked: 20, removed: 22 },
  ServiceInternalTrafficPolicy: { since: 21, on: 22, locked: 26, removed: 28 },
  ServiceLoadBalancerFinalizer: { since: 15, on: 16, locked: 17, removed: 20 },
  ServiceNodeExclusion: { since: 9, on: 19, locked: 21, removed: 22 },
  ServiceTopology: { since: 17, removed: 22 },
  ServiceTrafficDistribution: { since: 30, on: 31, locked: 33, removed: 36 },
  SidecarContainers: { since: 28, on: 29, locked: 33, removed: 37 },
  StableLoadBalancerNodeSet: { since: 27, on: 27, locked: 30, removed: 32 },
  StartupProbe: { since: 16, on: 18, locked: 20, removed: 23 },
  TopologyAwareHints: { since: 21, on: 24, locked: 33, removed: 36 },
};

/** Values of feature gates, as in `--feature-gates`; a gate that is absent has the default of the release. */
export type FeatureGates = Readonly<Partial<Record<FeatureName, boolean>>>;

/** A release of Kubernetes and its feature gates. */
export interface ReleaseOptions {
  /** "1.9" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string | undefined;
  /** Feature gates that differ from their defaults: `{ IPv6DualStack: true }`. */
  readonly featureGates?: FeatureGates | undefined;
}

/** Whether a feature gate is on by default in a release. */
export const isOnByDefault = ({ on, off }: Feature, release: Release): boolean => reaches(release, on) && !reaches(release, off);

/**
 * Checks values of feature gates as the components of Kubernetes do when they start.
 * @throws RangeError naming the gate, if a gate is unknown or locked in the release, or needs another one
 */
export function checkFeatureGates(featureGates: FeatureGates, release: Release): void {
  for (const [name, value] of Object.entries(featureGates)) {
    const problem = findProblem(name, value, release);
    if (problem !== undefined) throw new RangeError(`featureGates.${name}: ${problem}`);
  }
  const isOn = (name: FeatureName): boolean => featureGates[name] ?? isOnByDefault(features[name], release);
  for (const [name, { needs }] of Object.entries(features) as [FeatureName, Feature][]) {
    if (needs && isOn(name) && !isOn(needs)) throw new RangeError(`featureGates.${needs}: off, but ${name} needs it: turn both on or off`);
  }
}

function findProblem(name: string, value: unknown, release: Release): string | undefined {
  const feature = Object.hasOwn(features, name) ? features[name as FeatureName] : undefined;
  if (!feature) return `not known: give one of ${listFeatures(release)}`;
  if (typeof value !== 'boolean') return `${JSON.stringify(value) ?? String(value)} is not a boolean: give true or false`;
  if (!reaches(release, feature.since))
    return `not specified for Kubernetes 1.${release.minor}, only from 1.${feature.since} on: leave it out`;
  if (reaches(release, feature.removed))
    return `Kubernetes 1.${release.minor} has no such gate, because 1.${feature.removed} removed it: leave it out`;
  const isDefault = value === isOnByDefault(feature, release);
  return reaches(release, feature.locked) && !isDefault ? `locked to ${!value} since 1.${feature.locked}: leave it out` : undefined;
}

/** The names of the gates that a release has and that are not locked. */
export const changeableFeatures = (release: Release): readonly FeatureName[] =>
  (Object.keys(features) as FeatureName[]).filter((name) => {
    const { since, locked, removed } = features[name];
    return reaches(release, since) && !reaches(release, locked) && !reaches(release, removed);
  });

const listFeatures = (release: Release): string => changeableFeatures(release).join(', ') || 'none';

/** Whether a release is of this minor release or later; false if that is undefined. */
export const reaches = ({ minor }: Release, first: number | undefined): boolean => first !== undefined && minor >= first;
