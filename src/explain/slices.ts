import { compareText, namespacedName, objectKey } from '../apimachinery/index.ts';
import { createReconcilerFor } from '../incremental/index.ts';
import {
  addressTypesOf,
  type ComputeSlicesOptions,
  type HintsIntent,
  type HintsMode,
  hintsIntent,
  type SlicePlan,
  type SliceReason,
  settingsFor,
  topologyHintsAnnotation,
  topologyModeAnnotation,
  unmanagedCodeOf,
} from '../spec/index.ts';
import type { AddressType, Endpoint, EndpointSlice, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import type { HintsExplanation, PodSlicesExplanation, Reason, SliceMembership, SlicesExplanation } from './explanation.ts';
import { placePods, printPort } from './placements.ts';
import { unmanagedPaths } from './pods.ts';
import { createReason, formatSegment, type Values } from './reason.ts';
import { createSliceExplainer } from './slice-pods.ts';
import { type HintsReasonCode, hintsReasons } from './slice-reasons.ts';

/**
 * Explains how each pod appears in the EndpointSlices under a release's rules, and the hints that the Service requests. Slices are
 * not specified before 1.17: for such a release, the explanation has only the reason SlicesNotSpecified.
 * @param pods may be every pod of the cluster
 * @throws RangeError for an unknown version, or if maxEndpointsPerSlice is not a whole number from 1 to 1,000
 *
 * Derived from the plan that creates the slices, so a slice has a pod here if and only if it has the pod in `computeEndpointSlices`.
 */
export function explainSlices(service: Service, pods: readonly Pod[], options: ComputeSlicesOptions = {}): SlicesExplanation {
  const settings = settingsFor(options);
  const { profile } = settings;
  const name = { namespace: service.metadata?.namespace ?? '', name: service.metadata?.name ?? '', version: profile.version };
  const unmanagedCode = unmanagedCodeOf(service, profile);
  const reasons = !profile.slicesAreBeta
    ? [createReason('SlicesNotSpecified', 'endpointslice.apiVersion', profile)]
    : !profile.sliceControllerStarted
      ? [createReason('SliceControllerNotStarted', 'featureGates.EndpointSlice', profile)]
      : unmanagedCode
        ? [createReason(unmanagedCode, unmanagedPaths[unmanagedCode], profile, { found: '' })]
        : [];
  if (reasons.length > 0) return { ...name, managed: false, reasons, slices: [], hints: [], pods: [] };
  const { nodes } = options;
  const plan: SlicePlan = createReconcilerFor(settings, options.maxEndpointsPerSlice).reconcileSlices({
    key: '',
    service: removeDeletionTimestamp(service),
    pods,
    nodes,
    current: [],
  });
  const placements = placePods(service, pods, profile);
  const explainPod = createSliceExplainer(placements, nodes, createMembershipLookup(plan.create));
  return {
    ...name,
    managed: true,
    reasons,
    slices: plan.create,
    hints: explainHints(service, addressTypesOf(service, profile), plan, nodes !== undefined, profile),
    pods: placements.evaluatedPods.map(({ pod, offer }) => explainPod(pod, offer)).sort(comparePodNames),
  };
}

/** Ignores the deletion of a Service: its explanation stays the same, although no slice is created while the Service is being deleted. */
const removeDeletionTimestamp = (service: Service): Service => ({
  ...service,
  metadata: { ...service.metadata, deletionTimestamp: undefined },
});

const comparePodNames = (a: PodSlicesExplanation, b: PodSlicesExplanation): number =>
  compareText(a.namespace, b.namespace) || compareText(a.name, b.name);

/** The endpoints of all slices, by the namespace and name of their pods. */
function createMembershipLookup(slices: readonly EndpointSlice[]): (pod: Pod) => readonly SliceMembership[] {
  const memberships = new Map<string, SliceMembership[]>();
  for (const slice of slices) {
    const ports = slice.ports.map((port) => printPort({ ...port, port: port.port ?? 0 })).sort(compareText);
    for (const endpoint of slice.endpoints) {
      const key = namespacedName(endpoint.targetRef?.namespace, endpoint.targetRef?.name);
      const podMemberships = memberships.get(key) ?? [];
      memberships.set(key, [...podMemberships, createMembership(slice, ports, endpoint)]);
    }
  }
  return (pod) => memberships.get(objectKey(pod)) ?? [];
}

const createMembership = ({ addressType }: EndpointSlice, ports: readonly string[], endpoint: Endpoint): SliceMembership => {
  const { addresses, conditions, zone, hints } = endpoint;
  return { addressType, addresses, ports, conditions, ...(zone !== undefined && { zone }), ...(hints && { hints }) };
};

/**
 * Explains the hints that a Service requests, one entry per address type; empty if it requests none.
 * @param plan the plan for the Service if it has no slices yet
 * @param areNodesKnown whether nodes were passed to the plan
 */
export function explainHints(
  service: Service,
  types: readonly AddressType[],
  { create, reasons }: Pick<SlicePlan, 'create' | 'reasons'>,
  areNodesKnown: boolean,
  profile: Profile,
): HintsExplanation[] {
  const { mode, ignored }: HintsIntent = hintsIntent(service, profile);
  if (!mode && ignored.length === 0) return [];
  return types.map((addressType) => {
    const endpoints = create.filter((slice) => slice.addressType === addressType).flatMap((slice) => slice.endpoints);
    const planReasons = reasons.flatMap((each) => toHintsReason(each, addressType, service, profile) ?? []);
    const modeReasons =
      mode && !areNodesKnown ? [createReason('NodesUnknown', 'nodes', profile)] : createDistributionReasons(mode, endpoints, profile);
    return {
      addressType,
      mode,
      given: endpoints.some(({ hints }) => hints !== undefined),
      reasons: [
        ...planReasons.filter(({ code }) => !mode || areNodesKnown || (ignored as readonly string[]).includes(code)),
        ...modeReasons,
      ],
    };
  });
}

/** Converts a reason of the plan; undefined if it does not concern hints of this address type. */
function toHintsReason(
  { code, node, addressType: reasonType }: SliceReason,
  addressType: AddressType,
  service: Service,
  profile: Profile,
): Reason | undefined {
  if (!isHintsCode(code) || reasonType !== addressType) return undefined;
  const planReason = createReason(code, pathOf(code, service), profile);
  return node === undefined ? planReason : { ...planReason, message: `${planReason.message.replace(/\.$/, '')} (node ${node}).` };
}

const isHintsCode = (code: string): code is HintsReasonCode => Object.hasOwn(hintsReasons, code);

const pathsByCode: Readonly<Partial<Record<HintsReasonCode, string>>> = {
  TrafficDistributionIgnored: 'service.spec.trafficDistribution',
  TrafficDistributionUnknown: 'service.spec.trafficDistribution',
  TrafficDistributionOverridden: 'service.spec.trafficDistribution',
  EndpointWithoutZone: 'endpointslice.endpoints[].zone',
  InsufficientNumberOfEndpoints: 'endpointslice.endpoints',
  MinAllocationExceedsOverloadThreshold: 'endpointslice.endpoints',
  NodeWithoutZone: 'node.metadata.labels["topology.kubernetes.io/zone"]',
  NodeWithoutCPU: 'node.status.allocatable.cpu',
  NodesReadyInFewZones: 'node.status.conditions[Ready].status',
};

/** The field that causes the reason; by default the hints annotation, the older one if both are set. */
function pathOf(code: HintsReasonCode, { metadata }: Service): string {
  const isOlder = Object.hasOwn(metadata?.annotations ?? {}, topologyHintsAnnotation);
  return pathsByCode[code] ?? `service.metadata.annotations${formatSegment(isOlder ? topologyHintsAnnotation : topologyModeAnnotation)}`;
}

/** Counts the ready endpoints that have the hints that trafficDistribution requests, and those without a zone. */
function createDistributionReasons(mode: HintsMode | undefined, endpoints: readonly Endpoint[], profile: Profile): Reason[] {
  if (mode !== 'SameZone' && mode !== 'SameNode') return [];
  const readyEndpoints = endpoints.filter(({ conditions }) => conditions.ready);
  const withoutZoneCount = readyEndpoints.filter(({ zone }) => !zone).length;
  const createDistributionReason = (code: HintsReasonCode, values: Values): Reason =>
    createReason(code, 'service.spec.trafficDistribution', profile, { ready: readyEndpoints.length, ...values });
  const hintedCount = readyEndpoints.filter(({ hints, zone }) =>
    mode === 'SameNode' ? hints?.forNodes?.length : zone && hints?.forZones?.length,
  ).length;
  return [
    createDistributionReason('HintsByDistribution', { count: hintedCount, what: mode === 'SameNode' ? 'node' : 'zone' }),
    ...(withoutZoneCount === 0
      ? []
      : [
          createDistributionReason(profile.trafficDistributionValidated ? 'EndpointsWithoutHints' : 'HintForZoneWithoutName', {
            count: withoutZoneCount,
          }),
        ]),
  ];
}
