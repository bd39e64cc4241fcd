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
  createHostnameReasons,
  createIneligibleReason,
  createInvalidIPReason,
  createMismatchReasons,
  createMissingPortReasons,
  createNotReadyReason,
  formatTime,
} from './pod-reasons.ts';
import { createReason, formatSegment, quoteOrNone } from './reason.ts';

/** How the slice controller treats the pods of a Service, for one address type. */
interface AddressTypeRules {
  readonly addressType: AddressType;
  readonly evaluate: ReturnType<typeof createSlicePodEvaluator>;
  /**
   * The missing node of the first pod sorted by name, if the release then writes no slice of this type. Undefined if the release skips pods
   * whose node is missing, or if no node is missing.
   */
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
    const mismatches = createMismatchReasons(placements.evaluator, pod);
    const slices = mismatches.length > 0 ? [] : membershipsOf(pod);
    return {
      namespace: pod.metadata?.namespace ?? '',
      name: pod.metadata?.name ?? '',
      selected: mismatches.length === 0,
      slices,
      reasons: mismatches.length > 0 ? mismatches : createReasons(context, pod, slices, offer),
    };
  };
}

function createAddressTypeRules({ evaluator, evaluatedPods }: Placements, nodes: readonly Node[] | undefined): AddressTypeRules[] {
  const { service, profile, isSelected } = evaluator;
  const nodesByName = nodes && new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
  const selectedPods = evaluatedPods.map(({ pod }) => pod).filter(isSelected);
  return addressTypesOf(service, profile).map((addressType) => {
    const evaluate = createSlicePodEvaluator(service, nodesByName, addressType, profile);
    if (profile.missingNodeSkipped) return { addressType, evaluate, blockingNode: undefined };
    const missingNodes = selectedPods.flatMap((pod) => evaluate(pod)?.missingNode ?? []);
    return { addressType, evaluate, blockingNode: missingNodes.sort((a, b) => compareText(a.pod, b.pod))[0] };
  });
}

function createReasons(context: ExplainContext, pod: Pod, slices: readonly SliceMembership[], offer: Offer | undefined): Reason[] {
  const { profile, service } = context.placements.evaluator;
  const ineligibleCode = createEligibilityCheck(eligibilityRules(profile, 'slices'))(pod, service.spec?.publishNotReadyAddresses ?? false);
  if (ineligibleCode) return [createIneligibleReason(profile, pod, ineligibleCode === 'PodFinished' ? 'PodEnded' : ineligibleCode)];
  const absenceReasons = context.types.flatMap((type) => createAbsenceReasons(context, type, pod, slices));
  if (slices.length === 0) return removeDuplicates(absenceReasons);
  return removeDuplicates([
    createReadinessReason(context, pod, slices),
    ...createDifferenceReasons(context, pod, slices, offer),
    ...absenceReasons,
  ]);
}

/** Explains why the pod has no endpoint of an address type; empty if it has one. */
function createAbsenceReasons(
  context: ExplainContext,
  { addressType, evaluate, blockingNode }: AddressTypeRules,
  pod: Pod,
  slices: readonly SliceMembership[],
): Reason[] {
  if (slices.some((slice) => slice.addressType === addressType)) return [];
  const { profile } = context.placements.evaluator;
  const count = context.nodes?.length ?? 0;
  const outcome = evaluate(pod);
  const missingNode = outcome?.missingNode ?? blockingNode;
  if (missingNode && !profile.missingNodeSkipped) {
    const values = { node: quoteOrNone(missingNode.node), pod: missingNode.pod, count, family: addressType };
    return [createReason('NodeMissingStopsSync', 'pod.spec.nodeName', profile, values)];
  }
  if (missingNode) return [createReason('NodeMissing', 'pod.spec.nodeName', profile, { node: quoteOrNone(missingNode.node), count })];
  if (outcome?.endpoint) return [createReason('EndpointShared', 'pod.status.podIPs', profile, { family: addressType })];
  return [createFamilyReason(context, pod, addressType)];
}

function createFamilyReason({ placements }: ExplainContext, pod: Pod, family: AddressType): Reason {
  const { service, profile } = placements.evaluator;
  const index = (service.spec?.ipFamilies ?? []).indexOf(family);
  const source = index >= 0 ? `spec.ipFamilies[${index}]` : (familyOf(service)?.path ?? 'headless, without ipFamilies');
  const ips = (pod.status?.podIPs ?? []).map(({ ip }) => ip);
  const actual = ips.length > 0 ? `podIPs: ${ips.join(', ')}` : 'podIPs is empty';
  return createReason('PodHasNoIPOfFamily', 'pod.status.podIPs', profile, { family, source, actual });
}

/** Explains why the endpoints of a pod are ready or not. */
function createReadinessReason({ placements }: ExplainContext, pod: Pod, [slice]: readonly SliceMembership[]): Reason {
  const { profile } = placements.evaluator;
  const isTerminating = !!pod.metadata?.deletionTimestamp;
  if (slice?.conditions.ready) {
    if (isPodReady(pod) && !isTerminating) return createReason('PodReady', 'pod.status.conditions[Ready].status', profile);
    const values = { field: 'publishNotReadyAddresses', value: 'true' };
    return createReason('PodPublishedNotReady', 'service.spec.publishNotReadyAddresses', profile, values);
  }
  if (!isTerminating) return createNotReadyReason(pod, profile);
  const values = { time: formatTime(pod.metadata?.deletionTimestamp), serving: isPodReady(pod) ? 'serving' : 'not serving' };
  return createReason('PodTerminatingServed', 'pod.metadata.deletionTimestamp', profile, values);
}

/** Explains differences between the pod's endpoints in slices and its addresses in Endpoints; adds other findings. */
function createDifferenceReasons(
  context: ExplainContext,
  pod: Pod,
  slices: readonly SliceMembership[],
  offer: Offer | undefined,
): Reason[] {
  const { evaluator, placementOf } = context.placements;
  const { service, servicePorts, profile, publishNotReady } = evaluator;
  const reasons = createPortDifferenceReasons(context, pod, slices);
  const node = pod.spec?.nodeName ?? '';
  if (context.nodes && !context.nodes.some(({ metadata }) => (metadata?.name ?? '') === node))
    reasons.push(
      createReason('NodeMissingPublished', 'pod.spec.nodeName', profile, { node: quoteOrNone(node), count: context.nodes.length }),
    );
  if (slices.some(({ addresses }) => addresses.includes(unparsedIP))) reasons.push(createInvalidIPReason(pod, profile));
  const family = evaluator.family;
  if (!offer && family !== undefined && evaluator.ipOf(pod) === undefined)
    reasons.push(createReason('PodOfOtherFamilyOnly', 'pod.status.podIPs', profile, { family }));
  if (offer && !placementOf(offer))
    reasons.push(createReason('PodNotCutFromSlices', 'endpoints.subsets', profile, { capacity: maxCapacity }));
  if (publishNotReady && !service.spec?.publishNotReadyAddresses && !slices[0]?.conditions.ready) {
    const path = `service.metadata.annotations${formatSegment(tolerateUnreadyAnnotation)}`;
    reasons.push(createReason('AnnotationNotReadForSlices', path, profile, { annotation: tolerateUnreadyAnnotation }));
  }
  const missingPorts = createMissingPortReasons(servicePorts, pod, profile.sliceSidecarPortsFound, profile);
  return [...reasons, ...missingPorts, ...createHostnameReasons(service, pod, profile)];
}

function createPortDifferenceReasons({ placements }: ExplainContext, pod: Pod, slices: readonly SliceMembership[]): Reason[] {
  const { service, servicePorts, profile } = placements.evaluator;
  const reasons: Reason[] = [];
  const isHeadless = servicePorts.length === 0 && service.spec?.clusterIP === 'None';
  if (slices.some(({ ports }) => ports.length === 0) && !isHeadless)
    reasons.push(createReason('PodWithoutPorts', 'service.spec.ports', profile));
  for (const [index, port] of servicePorts.entries()) {
    if (!profile.sidecarPortsFound || profile.sliceSidecarPortsFound) break;
    if (findPort(pod, port, false) !== undefined || findPort(pod, port, true) === undefined) continue;
    const values = { port: port.name || String(port.port) };
    reasons.push(createReason('SidecarPortInEndpointsOnly', `service.spec.ports[${index}].targetPort`, profile, values));
  }
  return reasons;
}

const removeDuplicates = (reasons: readonly Reason[]): Reason[] => [
  ...new Map(reasons.map((each) => [`${each.code} ${each.message} ${each.path}`, each])).values(),
];
