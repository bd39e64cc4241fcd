import type { Optional, Service } from '../../../types/index.ts';
import type { Profile } from '../../../versions/index.ts';
import type { AllocationCode } from './allocation.ts';
import type { ZonesCode } from './zones.ts';

/** The hints mode of a Service. */
export type HintsMode = 'Topology' | 'SameZone' | 'SameNode';

/** Why a Service that requests hints gets none, or why its hints changed. */
export type HintsCode =
  | 'TopologyAnnotationIgnored'
  | 'TopologyAnnotationUnknown'
  | 'TrafficDistributionIgnored'
  | 'TrafficDistributionUnknown'
  | 'TrafficDistributionOverridden'
  | 'EndpointWithoutZone'
  | 'HintsEnabled'
  | 'HintsDisabled'
  | AllocationCode
  | ZonesCode;

/** The hints that a Service requests and the release supports. */
export interface HintsIntent {
  readonly mode: HintsMode | undefined;
  /** Why parts of the request are ignored. */
  readonly ignored: readonly HintsCode[];
}

/**
 * Determines the hints mode that a Service requests by annotation (which takes precedence) or by trafficDistribution, and the parts of
 * the request that are ignored.
 *
 * Mirrors hintsEnabled and validTrafficDistribution (1.36, staging/src/k8s.io/endpointslice/utils.go, reconciler.go) and the
 * feature gates TopologyAwareHints, ServiceTrafficDistribution and PreferSameTrafficDistribution with their defaults.
 */
export function hintsIntent({ metadata, spec }: Service, profile: Profile): HintsIntent {
  const annotation = findTopologyAnnotation(metadata?.annotations, profile);
  const distribution = spec?.trafficDistribution ?? undefined;
  const isAuto = annotation === 'Auto' || annotation === 'auto';
  const ignored: HintsCode[] = [];
  if (isAuto && !profile.topologyHints) ignored.push('TopologyAnnotationIgnored');
  if (annotation !== undefined && !isAuto && annotation !== 'Disabled' && annotation !== 'disabled')
    ignored.push('TopologyAnnotationUnknown');
  if (distribution !== undefined && isAuto && profile.trafficDistribution) ignored.push('TrafficDistributionOverridden');
  if (isAuto && (profile.topologyHints || profile.trafficDistribution))
    return { mode: profile.topologyHints ? 'Topology' : undefined, ignored };
  if (distribution === undefined) return { mode: undefined, ignored };
  const mode = findDistributionMode(distribution, profile);
  if (!mode) ignored.push(isKnownDistribution(distribution) ? 'TrafficDistributionIgnored' : 'TrafficDistributionUnknown');
  return { mode, ignored };
}

function findTopologyAnnotation(annotations: Optional<Readonly<Record<string, string>>>, profile: Profile): string | undefined {
  return annotations?.[topologyHintsAnnotation] ?? (profile.topologyModeAnnotation ? annotations?.[topologyModeAnnotation] : undefined);
}

/** The annotations that request topology-aware routing; the older one takes precedence. */
export const topologyHintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
export const topologyModeAnnotation = 'service.kubernetes.io/topology-mode';

const findDistributionMode = (value: string, profile: Profile): HintsMode | undefined =>
  distributions.find((row) => row.value === value && profile[row.gate])?.mode;

const isKnownDistribution = (value: string): boolean => distributions.some((row) => row.value === value);

const distributions = [
  { value: 'PreferClose', gate: 'trafficDistribution', mode: 'SameZone' },
  { value: 'PreferSameZone', gate: 'preferSameTrafficDistribution', mode: 'SameZone' },
  { value: 'PreferSameNode', gate: 'preferSameTrafficDistribution', mode: 'SameNode' },
] as const;
