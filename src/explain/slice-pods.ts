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
import { quoted, reason, segment } from './reason.ts';

/** The slice controller's rules for the pods of a Service, for one address type. */
interface TypeView {
  readonly addressType: AddressType;
  readonly evaluate: ReturnType<typeof createSlicePodEvaluator>;
  /** The missing node of the first pod by name, if the release then writes nothing of this type. Undefined if it skips such pods. */
  readonly blockingNode: MissingNode | undefined;
}

interface View {
  readonly placed: Placements;
  readonly nodes: readonly Node[] | undefined;
  readonly types: readonly TypeView[];
}

type Explainer = (pod: Pod, offer: Offer | undefined) => PodSlicesExplanation;

/**
 * Returns a function that explains, per pod, which slices have it and why, or why none has it.
 * @param membershipsOf returns the entries of a pod in the final slices
 */
export function createSliceExplainer(
  placed: Placements,
  nodes: readonly Node[] | undefined,
  membershipsOf: (pod: Pod) => readonly SliceMembership[],
): Explainer {
  const view: View = { placed, nodes, types: typesOf(placed, nodes) };
  return (pod, offer) => {
    const unselected = selectionReasons(placed.evaluator, pod);
    const slices = unselected.length > 0 ? [] : membershipsOf(pod);
    return {
      namespace: pod.metadata?.namespace ?? '',
      name: pod.metadata?.name ?? '',
      selected: unselected.length === 0,
      slices,
      reasons: unselected.length > 0 ? unselected : reasonsFor(view, pod, slices, offer),
    };
  };
}

function typesOf({ evaluator, evaluated }: Placements, nodes: readonly Node[] | undefined): TypeView[] {
  const { service, profile, isSelected } = evaluator;
  const byName = nodes && new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
  const selected = evaluated.map(({ pod }) => pod).filter(isSelected);
  return addressTypesOf(service).map((addressType) => {
    const evaluate = createSlicePodEvaluator(service, byName, addressType, profile);
    if (profile.missingNodeSkipped) return { addressType, evaluate, blockingNode: undefined };
    const missing = selected.flatMap((pod) => evaluate(pod)?.missingNode ?? []);
    return { addressType, evaluate, blockingNode: missing.sort((a, b) => compareText(a.pod, b.pod))[0] };
  });
}

function reasonsFor(view: View, pod: Pod, slices: readonly SliceMembership[], offer: Offer | undefined): Reason[] {
  const { profile, service } = view.placed.evaluator;
  const ineligible = createEligibilityCheck(eligibilityRules(profile, 'slices'))(pod, service.spec?.publishNotReadyAddresses ?? false);
  if (ineligible) return [ineligibleReason(profile, pod, ineligible === 'PodFinished' ? 'PodEnded' : ineligible)];
  const absences = view.types.flatMap((type) => absenceReasons(view, type, pod, slices));
  if (slices.length === 0) return removeDuplicates(absences);
  return removeDuplicates([readinessReason(view, pod, slices), ...differenceReasons(view, pod, slices, offer), ...absences]);
}

/** Why the pod has no endpoint of an address type. */
function absenceReasons(
  view: View,
  { addressType, evaluate, blockingNode }: TypeView,
  pod: Pod,
  slices: readonly SliceMembership[],
): Reason[] {
  if (slices.some((slice) => slice.addressType === addressType)) return [];
  const { profile } = view.placed.evaluator;
  const count = view.nodes?.length ?? 0;
  const outcome = evaluate(pod);
  const missing = outcome?.missingNode ?? blockingNode;
  if (missing && !profile.missingNodeSkipped) {
    const values = { node: quoted(missing.node), pod: missing.pod, count, family: addressType };
    return [reason('NodeMissingStopsSync', 'pod.spec.nodeName', profile, values)];
  }
  if (missing) return [reason('NodeMissing', 'pod.spec.nodeName', profile, { node: quoted(missing.node), count })];
  if (outcome?.endpoint) return [reason('EndpointShared', 'pod.status.podIPs', profile, { family: addressType })];
  return [familyReason(view, pod, addressType)];
}

function familyReason({ placed }: View, pod: Pod, family: AddressType): Reason {
  const { service, profile } = placed.evaluator;
  const index = (service.spec?.ipFamilies ?? []).indexOf(family);
  const source = index >= 0 ? `spec.ipFamilies[${index}]` : (familyOf(service)?.path ?? 'headless, without ipFamilies');
  const ips = (pod.status?.podIPs ?? []).map(({ ip }) => ip);
  const actual = ips.length > 0 ? `podIPs: ${ips.join(', ')}` : 'podIPs is empty';
  return reason('PodHasNoIPOfFamily', 'pod.status.podIPs', profile, { family, source, actual });
}

/** Why the endpoints of a pod are ready or not. */
function readinessReason({ placed }: View, pod: Pod, [slice]: readonly SliceMembership[]): Reason {
  const { profile } = placed.evaluator;
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
function differenceReasons(view: View, pod: Pod, slices: readonly SliceMembership[], offer: Offer | undefined): Reason[] {
  const { evaluator, placementOf } = view.placed;
  const { service, servicePorts, profile, publish } = evaluator;
  const found = portDifferences(view, pod, slices);
  const node = pod.spec?.nodeName ?? '';
  if (view.nodes && !view.nodes.some(({ metadata }) => (metadata?.name ?? '') === node))
    found.push(reason('NodeMissingPublished', 'pod.spec.nodeName', profile, { node: quoted(node), count: view.nodes.length }));
  if (slices.some(({ addresses }) => addresses.includes(unparsedIP))) found.push(invalidIPReason(pod, profile));
  const family = evaluator.family;
  if (!offer && family !== undefined && evaluator.ipOf(pod) === undefined)
    found.push(reason('PodOfOtherFamilyOnly', 'pod.status.podIPs', profile, { family }));
  if (offer && !placementOf(offer)) found.push(reason('PodNotCutFromSlices', 'endpoints.subsets', profile, { capacity: maxCapacity }));
  if (publish && !service.spec?.publishNotReadyAddresses && !slices[0]?.conditions.ready) {
    const path = `service.metadata.annotations${segment(tolerateUnreadyAnnotation)}`;
    found.push(reason('AnnotationNotReadForSlices', path, profile, { annotation: tolerateUnreadyAnnotation }));
  }
  const missing = missingPortReasons(servicePorts, pod, profile.sliceSidecarPortsFound, profile);
  return [...found, ...missing, ...hostnameReasons(service, pod, profile)];
}

function portDifferences({ placed }: View, pod: Pod, slices: readonly SliceMembership[]): Reason[] {
  const { service, servicePorts, profile } = placed.evaluator;
  const found: Reason[] = [];
  const isHeadless = servicePorts.length === 0 && service.spec?.clusterIP === 'None';
  if (slices.some(({ ports }) => ports.length === 0) && !isHeadless) found.push(reason('PodWithoutPorts', 'service.spec.ports', profile));
  for (const [index, port] of servicePorts.entries()) {
    if (!profile.sidecarPortsFound || profile.sliceSidecarPortsFound) break;
    if (findPort(pod, port, false) !== undefined || findPort(pod, port, true) === undefined) continue;
    const values = { port: port.name || String(port.port) };
    found.push(reason('SidecarPortInEndpointsOnly', `service.spec.ports[${index}].targetPort`, profile, values));
  }
  return found;
}

const removeDuplicates = (reasons: readonly Reason[]): Reason[] => [
  ...new Map(reasons.map((each) => [`${each.code} ${each.message} ${each.path}`, each])).values(),
];
