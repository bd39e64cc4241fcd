import { objectKey } from '../../apimachinery/index.ts';
import { isInRanges } from '../../proxy/addresses.ts';
import { familyOf } from '../cluster.ts';
import { addressesOfPod } from '../destination.ts';
import type { Origin } from '../origin.ts';
import { createItem, createNote, enumerate, formatCount, removeFullStop } from '../reasons.ts';
import { createStep, type StepResult, type TraceItem, type TraceNote } from '../trace.ts';
import { determinePolicy, type ServiceDestination, type Viewpoint } from './viewpoints.ts';

/**
 * Creates the step "policy": which endpoints the policies allow, from which nodes.
 * @param viewpoints groups of nodes whose rules have the same result; at least one
 */
export function createPolicyStep(destination: ServiceDestination, origin: Origin, viewpoints: readonly Viewpoint[]): StepResult {
  const [first] = viewpoints as readonly [Viewpoint, ...Viewpoint[]];
  const emptyViewpoints = viewpoints.filter(({ port, endpoints }) => port.hasAny && !endpoints.some(({ isUsed }) => isUsed));
  const { policy, isExternal } = determinePolicy(destination, origin, first.port, first.nodes);
  const field = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const refusal = findRefusal(destination, origin, first);
  if (refusal)
    return createRefusedStep(refusal, viewpoints, [
      ...createViewpointNotes(origin, viewpoints),
      ...createPolicyNotes(destination, origin, first),
    ]);
  const isBlocked = policy === 'Local' && emptyViewpoints.length > 0;
  const blockedNotes = isBlocked
    ? emptyViewpoints.map((viewpoint) => createNote('NoEndpointOnNode', { node: describeNodes(viewpoint), field }, field))
    : [];
  const [firstBlockedNote] = blockedNotes;
  return createStep('policy', titleOf(viewpoints), {
    outcome: !isBlocked ? 'ok' : emptyViewpoints.length === viewpoints.length ? 'error' : 'warning',
    notes: [
      ...createViewpointNotes(origin, viewpoints),
      ...createPolicyNotes(destination, origin, first),
      ...createHintsNotes(viewpoints),
      ...createAffinityNotes(first),
    ],
    chosen: viewpoints
      .filter((viewpoint) => !isBlocked || !emptyViewpoints.includes(viewpoint))
      .map((viewpoint) => createViewpointItem(viewpoint, [])),
    leftOut: isBlocked
      ? emptyViewpoints.map((viewpoint, index) => createViewpointItem(viewpoint, blockedNotes.slice(index, index + 1)))
      : [],
    cause:
      firstBlockedNote &&
      (blockedNotes.length === 1
        ? removeFullStop(firstBlockedNote.message)
        : `${enumerate(emptyViewpoints.map(describeNodes))} have no usable endpoint, and the traffic policy allows no other node`),
  });
}

/**
 * Returns a note if the target is a load balancer address and the client pod is outside the Service's source ranges: the node drops the
 * traffic.
 */
function findRefusal({ address, service }: ServiceDestination, { pod }: Origin, { port }: Viewpoint): TraceNote | undefined {
  const podAddresses = pod && addressesOfPod(pod).filter((each) => familyOf(each) === familyOf(address));
  const ranges = sourceRangesFor(address, port);
  if (!podAddresses || podAddresses.length === 0 || ranges.length === 0 || podAddresses.some((each) => isInRanges(each, ranges)))
    return undefined;
  const values = {
    pod: objectKey(pod),
    source: [...new Set(podAddresses)].join(', '),
    address,
    ranges: enumerate(ranges),
    service: objectKey(service),
  };
  return createNote('SourceNotAllowed', values, sourceRangesPath);
}

/** Returns the source ranges of a load balancer address, even if the Service also uses it as a different kind of address; else none. */
const sourceRangesFor = (address: string, port: Viewpoint['port']): readonly string[] =>
  port.loadBalancerVIPs.includes(address) ? port.loadBalancerSourceRanges : [];

const sourceRangesPath = 'service.spec.loadBalancerSourceRanges';

const createRefusedStep = (refusal: TraceNote, viewpoints: readonly Viewpoint[], notes: readonly TraceNote[]): StepResult =>
  createStep('policy', titleOf(viewpoints), {
    outcome: 'error',
    notes: [refusal, ...notes],
    leftOut: viewpoints.map((viewpoint) => createViewpointItem(viewpoint, [])),
    cause: removeFullStop(refusal.message),
  });

function titleOf(viewpoints: readonly Viewpoint[]): string {
  const [first] = viewpoints;
  if (viewpoints.length > 1) return 'Rules of the nodes';
  return first && first.nodes.length === 1 ? `Rules of node ${first.nodes[0]}` : 'Rules of any node';
}

function createViewpointNotes({ node, pod }: Origin, viewpoints: readonly Viewpoint[]): TraceNote[] {
  const [first] = viewpoints;
  const actualNode = pod?.spec?.nodeName;
  if (node !== undefined && pod && actualNode && actualNode !== node)
    return [createNote('RequestedNodeDiffers', { node, pod: objectKey(pod), actual: actualNode }, 'pod.spec.nodeName')];
  if (viewpoints.length > 1) return [createNote('FromEachNode')];
  if (!first || first.nodes.length === 0) return [createNote('FromAnyNode')];
  return [createNote('FromNode', { node: describeNodes(first), zone: first.zone === '' ? '' : ` in zone ${first.zone}` })];
}

function createPolicyNotes(destination: ServiceDestination, origin: Origin, { port, nodes }: Viewpoint): TraceNote[] {
  const { policy, isExternal, isShortcut } = determinePolicy(destination, origin, port, nodes);
  const path = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const ranges = sourceRangesFor(destination.address, port);
  return [
    createNote(isShortcut ? 'ExternalShortcut' : `${isExternal ? 'External' : 'Internal'}Policy${policy}`, {}, path),
    ...(ranges.length > 0 ? [createNote('SourceRanges', { ranges: enumerate(ranges) }, sourceRangesPath)] : []),
  ];
}

/** Creates a note for each viewpoint in which hints exclude an endpoint. Only the policy Cluster uses hints. */
function createHintsNotes(viewpoints: readonly Viewpoint[]): TraceNote[] {
  const isHinted = ({ endpoints }: Viewpoint): boolean =>
    endpoints.some(({ code }) => code === 'HintsOtherNode' || code === 'HintsOtherZone');
  return viewpoints.filter(isHinted).map((viewpoint) => {
    const readyCount = viewpoint.endpoints.filter(({ endpoint }) => endpoint.ready).length;
    const usedCount = viewpoint.endpoints.filter(({ isUsed }) => isUsed).length;
    const location = viewpoint.port.hints === 'PreferSameNode' ? 'the same node' : `zone ${viewpoint.zone}`;
    return createNote(
      'HintsApplied',
      { used: usedCount, ready: readyCount, location, from: viewpoints.length > 1 ? ` from ${describeNodes(viewpoint)}` : '' },
      'endpointslice.endpoints[].hints',
    );
  });
}

const createAffinityNotes = ({ port }: Viewpoint): TraceNote[] =>
  port.sessionAffinity === 'ClientIP'
    ? [createNote('SessionAffinityApplies', { seconds: port.stickyMaxAgeSeconds }, 'service.spec.sessionAffinity')]
    : [];

function createViewpointItem(viewpoint: Viewpoint, notes: readonly TraceNote[]): TraceItem {
  const usedCount = viewpoint.endpoints.filter(({ isUsed }) => isUsed).length;
  const label = [describeNodes(viewpoint), viewpoint.zone === '' ? '' : `in ${viewpoint.zone}`].filter(Boolean).join(' ');
  return createItem(`node/${viewpoint.nodes[0] ?? '*'}`, `${label}: ${formatCount(usedCount, 'endpoint')}`, notes);
}

/** "n1", "n1, n2 and 3 more", "any node". */
export const describeNodes = ({ nodes }: Pick<Viewpoint, 'nodes'>): string => (nodes.length === 0 ? 'any node' : enumerate(nodes, 3));
