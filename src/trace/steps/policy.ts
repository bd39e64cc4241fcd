import { objectKey } from '../../apimachinery/index.ts';
import { isInRanges } from '../../proxy/addresses.ts';
import { familyOf } from '../cluster.ts';
import { addressesOfPod } from '../destination.ts';
import type { Origin } from '../origin.ts';
import { enumerate, formatCount, item, note, withoutFullStop } from '../reasons.ts';
import { createStep, type StepResult, type TraceItem, type TraceNote } from '../trace.ts';
import { effectivePolicy, type ServiceDestination, type Viewpoint } from './viewpoints.ts';

/**
 * The step "policy": which endpoints the policies allow, from which nodes.
 * @param viewpoints groups of nodes whose rules have the same result; at least one
 */
export function policyStep(destination: ServiceDestination, origin: Origin, viewpoints: readonly Viewpoint[]): StepResult {
  const [first] = viewpoints as readonly [Viewpoint, ...Viewpoint[]];
  const emptyViewpoints = viewpoints.filter(({ port, endpoints }) => port.hasAny && !endpoints.some(({ isUsed }) => isUsed));
  const { policy, isExternal } = effectivePolicy(destination, origin, first.port, first.nodes);
  const field = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const refusal = findRefusal(destination, origin, first);
  if (refusal) return refusedStep(refusal, viewpoints, [...viewpointNotes(origin, viewpoints), ...policyNotes(destination, origin, first)]);
  const isBlocked = policy === 'Local' && emptyViewpoints.length > 0;
  const blocked = isBlocked ? emptyViewpoints.map((viewpoint) => note('NoEndpointOnNode', { node: namesOf(viewpoint), field }, field)) : [];
  const [firstBlocked] = blocked;
  return createStep('policy', titleOf(viewpoints), {
    outcome: !isBlocked ? 'ok' : emptyViewpoints.length === viewpoints.length ? 'error' : 'warning',
    notes: [
      ...viewpointNotes(origin, viewpoints),
      ...policyNotes(destination, origin, first),
      ...hintsNotes(viewpoints),
      ...sessionAffinityNotes(first),
    ],
    chosen: viewpoints
      .filter((viewpoint) => !isBlocked || !emptyViewpoints.includes(viewpoint))
      .map((viewpoint) => viewpointItem(viewpoint, [])),
    leftOut: isBlocked ? emptyViewpoints.map((viewpoint, index) => viewpointItem(viewpoint, blocked.slice(index, index + 1))) : [],
    cause:
      firstBlocked &&
      (blocked.length === 1
        ? withoutFullStop(firstBlocked.message)
        : `${enumerate(emptyViewpoints.map(namesOf))} have no usable endpoint, and the traffic policy allows no other node`),
  });
}

/**
 * A note if the target is a load balancer address and the client pod is outside the Service's source ranges: the node drops the traffic.
 */
function findRefusal({ address, service }: ServiceDestination, { pod }: Origin, { port }: Viewpoint): TraceNote | undefined {
  const podAddresses = pod && addressesOfPod(pod).filter((each) => familyOf(each) === familyOf(address));
  const ranges = rangesFor(address, port);
  if (!podAddresses || podAddresses.length === 0 || ranges.length === 0 || podAddresses.some((each) => isInRanges(each, ranges)))
    return undefined;
  const values = {
    pod: objectKey(pod),
    source: [...new Set(podAddresses)].join(', '),
    address,
    ranges: enumerate(ranges),
    service: objectKey(service),
  };
  return note('SourceNotAllowed', values, sourceRangesPath);
}

/** Source ranges apply to a load balancer address, even if it also has another role for the Service. */
const rangesFor = (address: string, port: Viewpoint['port']): readonly string[] =>
  port.loadBalancerVIPs.includes(address) ? port.loadBalancerSourceRanges : [];

const sourceRangesPath = 'service.spec.loadBalancerSourceRanges';

const refusedStep = (refusal: TraceNote, viewpoints: readonly Viewpoint[], notes: readonly TraceNote[]): StepResult =>
  createStep('policy', titleOf(viewpoints), {
    outcome: 'error',
    notes: [refusal, ...notes],
    leftOut: viewpoints.map((viewpoint) => viewpointItem(viewpoint, [])),
    cause: withoutFullStop(refusal.message),
  });

function titleOf(viewpoints: readonly Viewpoint[]): string {
  const [first] = viewpoints;
  if (viewpoints.length > 1) return 'Rules of the nodes';
  return first && first.nodes.length === 1 ? `Rules of node ${first.nodes[0]}` : 'Rules of any node';
}

function viewpointNotes({ node, pod }: Origin, viewpoints: readonly Viewpoint[]): TraceNote[] {
  const [first] = viewpoints;
  const actual = pod?.spec?.nodeName;
  if (node !== undefined && pod && actual && actual !== node)
    return [note('RequestedNodeDiffers', { node, pod: objectKey(pod), actual }, 'pod.spec.nodeName')];
  if (viewpoints.length > 1) return [note('FromEachNode')];
  if (!first || first.nodes.length === 0) return [note('FromAnyNode')];
  return [note('FromNode', { node: namesOf(first), zone: first.zone === '' ? '' : ` in zone ${first.zone}` })];
}

function policyNotes(destination: ServiceDestination, origin: Origin, { port, nodes }: Viewpoint): TraceNote[] {
  const { policy, isExternal, isShortcut } = effectivePolicy(destination, origin, port, nodes);
  const path = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const ranges = rangesFor(destination.address, port);
  return [
    note(isShortcut ? 'ExternalShortcut' : `${isExternal ? 'External' : 'Internal'}Policy${policy}`, {}, path),
    ...(ranges.length > 0 ? [note('SourceRanges', { ranges: enumerate(ranges) }, sourceRangesPath)] : []),
  ];
}

/** One note for each viewpoint in which hints exclude an endpoint. Only the policy Cluster uses hints. */
function hintsNotes(viewpoints: readonly Viewpoint[]): TraceNote[] {
  const isHinted = ({ endpoints }: Viewpoint): boolean =>
    endpoints.some(({ code }) => code === 'HintsOtherNode' || code === 'HintsOtherZone');
  return viewpoints.filter(isHinted).map((viewpoint) => {
    const ready = viewpoint.endpoints.filter(({ endpoint }) => endpoint.ready).length;
    const usedCount = viewpoint.endpoints.filter(({ isUsed }) => isUsed).length;
    const location = viewpoint.port.hints === 'PreferSameNode' ? 'the same node' : `zone ${viewpoint.zone}`;
    return note(
      'HintsApplied',
      { used: usedCount, ready, location, from: viewpoints.length > 1 ? ` from ${namesOf(viewpoint)}` : '' },
      'endpointslice.endpoints[].hints',
    );
  });
}

const sessionAffinityNotes = ({ port }: Viewpoint): TraceNote[] =>
  port.sessionAffinity === 'ClientIP'
    ? [note('SessionAffinityApplies', { seconds: port.stickyMaxAgeSeconds }, 'service.spec.sessionAffinity')]
    : [];

function viewpointItem(viewpoint: Viewpoint, notes: readonly TraceNote[]): TraceItem {
  const used = viewpoint.endpoints.filter(({ isUsed }) => isUsed).length;
  const label = [namesOf(viewpoint), viewpoint.zone === '' ? '' : `in ${viewpoint.zone}`].filter(Boolean).join(' ');
  return item(`node/${viewpoint.nodes[0] ?? '*'}`, `${label}: ${formatCount(used, 'endpoint')}`, notes);
}

/** "n1", "n1, n2 and 3 more", "any node". */
export const namesOf = ({ nodes }: Pick<Viewpoint, 'nodes'>): string => (nodes.length === 0 ? 'any node' : enumerate(nodes, 3));
