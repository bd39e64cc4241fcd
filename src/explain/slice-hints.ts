import {
  type HintsIntent,
  type HintsMode,
  hintsIntent,
  type SlicePlan,
  type SliceReason,
  topologyHintsAnnotation,
  topologyModeAnnotation,
} from '../spec/index.ts';
import type { AddressType, Endpoint, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import type { HintsExplanation, Reason } from './explanation.ts';
import { reason, segment, type Values } from './reason.ts';
import { type HintsReasonCode, hintsReasons } from './slice-reasons.ts';

/**
 * What became of the hints that a Service asks for, an address type each; nothing where it asks for none.
 * @param plan the plan that makes its slices where there are none
 * @param nodesKnown whether the plan was made with nodes
 */
export function explainHints(
  service: Service,
  types: readonly AddressType[],
  { create, reasons }: Pick<SlicePlan, 'create' | 'reasons'>,
  nodesKnown: boolean,
  profile: Profile,
): HintsExplanation[] {
  const { mode, unheard }: HintsIntent = hintsIntent(service, profile);
  if (!mode && unheard.length === 0) return [];
  return types.map((addressType) => {
    const endpoints = create.filter((slice) => slice.addressType === addressType).flatMap((slice) => slice.endpoints);
    const told = reasons.flatMap((each) => reasonOf(each, addressType, service, profile) ?? []);
    const heard = mode && !nodesKnown ? [reason('NodesUnknown', 'nodes', profile)] : distributionReasons(mode, endpoints, profile);
    return {
      addressType,
      mode,
      given: endpoints.some(({ hints }) => hints !== undefined),
      reasons: [...told.filter(({ code }) => !mode || nodesKnown || (unheard as readonly string[]).includes(code)), ...heard],
    };
  });
}

/** The plan's own reason, where it is about hints of this address type. */
function reasonOf({ code, node, ...about }: SliceReason, addressType: AddressType, service: Service, profile: Profile): Reason | undefined {
  if (!isHintsCode(code) || about.addressType !== addressType) return undefined;
  const told = reason(code, pathOf(code, service), profile);
  return node === undefined ? told : { ...told, message: `${told.message.replace(/\.$/, '')} (node ${node}).` };
}

const isHintsCode = (code: string): code is HintsReasonCode => Object.hasOwn(hintsReasons, code);

const paths: Readonly<Partial<Record<HintsReasonCode, string>>> = {
  TrafficDistributionNotObeyed: 'service.spec.trafficDistribution',
  TrafficDistributionUnknown: 'service.spec.trafficDistribution',
  TrafficDistributionOverruled: 'service.spec.trafficDistribution',
  EndpointWithoutZone: 'endpointslice.endpoints[].zone',
  InsufficientNumberOfEndpoints: 'endpointslice.endpoints',
  MinAllocationExceedsOverloadThreshold: 'endpointslice.endpoints',
  NodeWithoutZone: 'node.metadata.labels["topology.kubernetes.io/zone"]',
  NodeWithoutCPU: 'node.status.allocatable.cpu',
  NodesReadyInFewZones: 'node.status.conditions[Ready].status',
};

/** The field that decides; for the rest it is the annotation, the older of the two where both are there. */
function pathOf(code: HintsReasonCode, { metadata }: Service): string {
  const isOlder = Object.hasOwn(metadata?.annotations ?? {}, topologyHintsAnnotation);
  return paths[code] ?? `service.metadata.annotations${segment(isOlder ? topologyHintsAnnotation : topologyModeAnnotation)}`;
}

/** How many of the ready endpoints have the hints that trafficDistribution asks for. */
function distributionReasons(mode: HintsMode | undefined, endpoints: readonly Endpoint[], profile: Profile): Reason[] {
  if (mode !== 'SameZone' && mode !== 'SameNode') return [];
  const ready = endpoints.filter(({ conditions }) => conditions.ready);
  const without = ready.filter(({ zone }) => !zone).length;
  const tell = (code: HintsReasonCode, values: Values): Reason =>
    reason(code, 'service.spec.trafficDistribution', profile, { ready: ready.length, ...values });
  const own = ready.filter(({ hints, zone }) => (mode === 'SameNode' ? hints?.forNodes?.length : zone && hints?.forZones?.length)).length;
  return [
    tell('HintsByDistribution', { count: own, what: mode === 'SameNode' ? 'node' : 'zone' }),
    ...(without === 0
      ? []
      : [tell(profile.trafficDistributionValidated ? 'EndpointsWithoutHints' : 'HintForZoneWithoutName', { count: without })]),
  ];
}
