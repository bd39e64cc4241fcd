import { compareText } from '../apimachinery/index.ts';
import {
  addressTypesOf,
  createEligibilityCheck,
  createSlicePodEvaluator,
  eligibilityRules,
  familyOf,
  findPort,
  isPodReady,
  type MissingNode,
  maxCapacity,
  type Offer,
  tolerateUnreadyAnnotation,
  unparsedIP,
} from '../spec/index.ts';
import type { AddressType, Node, Pod } from '../types/index.ts';
import type { PodSlicesExplanation, Reason, SliceMembership } from './explanation.ts';
import type { Placements } from './placements.ts';
import {
  formatTime,
  hostnameReasons,
  ineligibleReason,
  invalidIPReason,
  missingPortReasons,
  notReadyReason,
  selectionReasons,
} from './pod-reasons.ts';
import { quoteOrNone, reason, segment } from './reason.ts';

/** How the slice controller treats the pods of a Service, for one address type. */
interface AddressTypeRules {
  readonly addressType: AddressType;
  readonly evaluate: ReturnType<typeof createSlicePodEvaluator>;
  /** The missing node of the first pod by name, if the release then writes nothing of this type. Undefined if it skips such pods. */
  readonly blockingNode: MissingNode | undefined;
}

interface ExplainContext {
  readonly placements: Placements;
  readonly nodes: readonly Node[] | undefined;
  readonly types: readonly AddressTypeRules[];
}

type Explainer = (pod: Pod, offer: Offer | undefined) => PodSlicesExplanation;

/**
 * Returns a function that explains, per pod, which slices have it and why, or why none has it.
 * @param membershipsOf returns the entries of a pod in the final slices
 */
export function createSliceExplainer(
  placements: Placements,
  nodes: readonly Node[] | undefined,
  membershipsOf: (pod: Pod) => readonly SliceMembership[],
): Explainer {
  const context: ExplainContext = { placements, nodes, types: createAddressTypeRules(placements, nodes) };
  return (pod, offer) => {
    const mismatches = selectionReasons(placements.evaluator, pod);
    const slices = mismatches.length > 0 ? [] : membershipsOf(pod);
    return {
      namespace: pod.metadata?.namespace ?? '',
      name: pod.metadata?.name ?? '',
      selected: mismatches.length === 0,
      slices,
      reasons: mismatches.length > 0 ? mismatches : reasonsFor(context, pod, slices, offer),
    };
  };
}

function createAddressTypeRules({ evaluator, evaluated }: Placements, nodes: readonly Node[] | undefined): AddressTypeRules[] {
  const { service, profile, isSelected } = evaluator;
  const nodesByName = nodes && new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
  const selectedPods = evaluated.map(({ pod }) => pod).filter(isSelected);
  return addressTypesOf(service).map((addressType) => {
    const evaluate = createSlicePodEvaluator(service, nodesByName, addressType, profile);
    if (profile.missingNodeSkipped) return { addressType, evaluate, blockingNode: undefined };
    const missing = selectedPods.flatMap((pod) => evaluate(pod)?.missingNode ?? []);
    return { addressType, evaluate, blockingNode: missing.sort((a, b) => compareText(a.pod, b.pod))[0] };
  });
}

function reasonsFor(context: ExplainContext, pod: Pod, slices: readonly SliceMembership[], offer: Offer | undefined): Reason[] {
  const { profile, service } = context.placements.evaluator;
  const ineligible = createEligibilityCheck(eligibilityRules(profile, 'slices'))(pod, service.spec?.publishNotReadyAddresses ?? false);
  if (ineligible) return [ineligibleReason(profile, pod, ineligible === 'PodFinished' ? 'PodEnded' : ineligible)];
  const absences = context.types.flatMap((type) => absenceReasons(context, type, pod, slices));
  if (slices.length === 0) return removeDuplicates(absences);
  return removeDuplicates([readinessReason(context, pod, slices), ...differenceReasons(context, pod, slices, offer), ...absences]);
}

/** Why the pod has no endpoint of an address type. */
function absenceReasons(
  context: ExplainContext,
  { addressType, evaluate, blockingNode }: AddressTypeRules,
  pod: Pod,
  slices: readonly SliceMembership[],
): Reason[] {
  if (slices.some((slice) => slice.addressType === addressType)) return [];
  const { profile } = context.placements.evaluator;
  const count = context.nodes?.length ?? 0;
  const outcome = evaluate(pod);
  const missing = outcome?.missingNode ?? blockingNode;
  if (missing && !profile.missingNodeSkipped) {
    const values = { node: quoteOrNone(missing.node), pod: missing.pod, count, family: addressType };
    return [reason('NodeMissingStopsSync', 'pod.spec.nodeName', profile, values)];
  }
  if (missing) return [reason('NodeMissing', 'pod.spec.nodeName', profile, { node: quoteOrNone(missing.node), count })];
  if (outcome?.endpoint) return [reason('EndpointShared', 'pod.status.podIPs', profile, { family: addressType })];
  return [familyReason(context, pod, addressType)];
}

function familyReason({ placements }: ExplainContext, pod: Pod, family: AddressType): Reason {
  const { service, profile } = placements.evaluator;
  const index = (service.spec?.ipFamilies ?? []).indexOf(family);
  const source = index >= 0 ? `spec.ipFamilies[${index}]` : (familyOf(service)?.path ?? 'headless, without ipFamilies');
  const ips = (pod.status?.podIPs ?? []).map(({ ip }) => ip);
  const actual = ips.length > 0 ? `podIPs: ${ips.join(', ')}` : 'podIPs is empty';
  return reason('PodHasNoIPOfFamily', 'pod.status.podIPs', profile, { family, source, actual });
}

/** Why the endpoints of a pod are ready or not. */
function readinessReason({ placements }: ExplainContext, pod: Pod, [slice]: readonly SliceMembership[]): Reason {
  const { profile } = placements.evaluator;
  const terminating = !!pod.metadata?.deletionTimestamp;
  if (slice?.conditions.ready) {
    if (isPodReady(pod) && !terminating) return reason('PodReady', 'pod.status.conditions[Ready].status', profile);
    const values = { field: 'publishNotReadyAddresses', value: 'true' };
    return reason('PodPublishedNotReady', 'service.spec.publishNotReadyAddresses', profile, values);
  }
  if (!terminating) return notReadyReason(pod, profile);
  const values = { time: formatTime(pod.metadata?.deletionTimestamp), serving: isPodReady(pod) ? 'serving' : 'not serving' };
  return reason('PodTerminatingServed', 'pod.metadata.deletionTimestamp', profile, values);
}

/** Why the pod's result in slices differs from that in Endpoints, and other findings. */
function differenceReasons(context: ExplainContext, pod: Pod, slices: readonly SliceMembership[], offer: Offer | undefined): Reason[] {
  const { evaluator, placementOf } = context.placements;
  const { service, servicePorts, profile, publishNotReady } = evaluator;
  const reasons = portDifferences(context, pod, slices);
  const node = pod.spec?.nodeName ?? '';
  if (context.nodes && !context.nodes.some(({ metadata }) => (metadata?.name ?? '') === node))
    reasons.push(reason('NodeMissingPublished', 'pod.spec.nodeName', profile, { node: quoteOrNone(node), count: context.nodes.length }));
  if (slices.some(({ addresses }) => addresses.includes(unparsedIP))) reasons.push(invalidIPReason(pod, profile));
  const family = evaluator.family;
  if (!offer && family !== undefined && evaluator.ipOf(pod) === undefined)
    reasons.push(reason('PodOfOtherFamilyOnly', 'pod.status.podIPs', profile, { family }));
  if (offer && !placementOf(offer)) reasons.push(reason('PodNotCutFromSlices', 'endpoints.subsets', profile, { capacity: maxCapacity }));
  if (publishNotReady && !service.spec?.publishNotReadyAddresses && !slices[0]?.conditions.ready) {
    const path = `service.metadata.annotations${segment(tolerateUnreadyAnnotation)}`;
    reasons.push(reason('AnnotationNotReadForSlices', path, profile, { annotation: tolerateUnreadyAnnotation }));
  }
  const missing = missingPortReasons(servicePorts, pod, profile.sliceSidecarPortsFound, profile);
  return [...reasons, ...missing, ...hostnameReasons(service, pod, profile)];
}

function portDifferences({ placements }: ExplainContext, pod: Pod, slices: readonly SliceMembership[]): Reason[] {
  const { service, servicePorts, profile } = placements.evaluator;
  const reasons: Reason[] = [];
  const isHeadless = servicePorts.length === 0 && service.spec?.clusterIP === 'None';
  if (slices.some(({ ports }) => ports.length === 0) && !isHeadless) reasons.push(reason('PodWithoutPorts', 'service.spec.ports', profile));
  for (const [index, port] of servicePorts.entries()) {
    if (!profile.sidecarPortsFound || profile.sliceSidecarPortsFound) break;
    if (findPort(pod, port, false) !== undefined || findPort(pod, port, true) === undefined) continue;
    const values = { port: port.name || String(port.port) };
    reasons.push(reason('SidecarPortInEndpointsOnly', `service.spec.ports[${index}].targetPort`, profile, values));
  }
  return reasons;
}

const removeDuplicates = (reasons: readonly Reason[]): Reason[] => [
  ...new Map(reasons.map((each) => [`${each.code} ${each.message} ${each.path}`, each])).values(),
];
