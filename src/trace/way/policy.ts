import { objectKey } from '../../apimachinery/index.ts';
import { isInRanges } from '../../proxy/addresses.ts';
import { familyOf } from '../cluster.ts';
import { addressesOfPod } from '../destination.ts';
import type { Origin } from '../origin.ts';
import { clause, counted, enumerate, item, note } from '../reasons.ts';
import { type Draft, draft, type TraceItem, type TraceNote } from '../trace.ts';
import { type ByRules, policyOf, type Viewpoint } from './viewpoints.ts';

/** The step "policy": which endpoints the policies allow, from which nodes. @param viewpoints at least one */
export function policyStep(destination: ByRules, origin: Origin, viewpoints: readonly Viewpoint[]): Draft {
  const [first] = viewpoints as readonly [Viewpoint, ...Viewpoint[]];
  const empty = viewpoints.filter(({ port, endpoints }) => port.hasAny && !endpoints.some(({ isUsed }) => isUsed));
  const { policy, isExternal } = policyOf(destination, origin, first.port, first.nodes);
  const field = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const refused = refusalOf(destination, origin, first);
  if (refused) return refusedStep(refused, viewpoints, [...viewpointNotes(origin, viewpoints), ...policyNotes(destination, origin, first)]);
  const isBlocked = policy === 'Local' && empty.length > 0;
  const blocked = isBlocked ? empty.map((viewpoint) => note('NoEndpointOnNode', { node: namesOf(viewpoint), field }, field)) : [];
  const [unmet] = blocked;
  return draft('policy', titleOf(viewpoints), {
    outcome: !isBlocked ? 'ok' : empty.length === viewpoints.length ? 'error' : 'warning',
    notes: [
      ...viewpointNotes(origin, viewpoints),
      ...policyNotes(destination, origin, first),
      ...hintsNotes(viewpoints),
      ...stickyNotes(first),
    ],
    chosen: viewpoints.filter((viewpoint) => !isBlocked || !empty.includes(viewpoint)).map((viewpoint) => viewpointItem(viewpoint, [])),
    leftOut: isBlocked ? empty.map((viewpoint, at) => viewpointItem(viewpoint, blocked.slice(at, at + 1))) : [],
    blame:
      unmet &&
      (blocked.length === 1
        ? clause(unmet.message)
        : `${enumerate(empty.map(namesOf))} have no usable endpoint, and the traffic policy allows no other node`),
  });
}

/**
 * Set if a load balancer address does not answer the client pod, because the node's firewall drops sources outside the Service's source
 * ranges.
 */
function refusalOf({ address, service }: ByRules, { pod }: Origin, { port }: Viewpoint): TraceNote | undefined {
  const own = pod && addressesOfPod(pod).filter((each) => familyOf(each) === familyOf(address));
  const ranges = rangesFor(address, port);
  if (!own || own.length === 0 || ranges.length === 0 || own.some((each) => isInRanges(each, ranges))) return undefined;
  const values = {
    pod: objectKey(pod),
    source: [...new Set(own)].join(', '),
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

const refusedStep = (refused: TraceNote, viewpoints: readonly Viewpoint[], notes: readonly TraceNote[]): Draft =>
  draft('policy', titleOf(viewpoints), {
    outcome: 'error',
    notes: [refused, ...notes],
    leftOut: viewpoints.map((viewpoint) => viewpointItem(viewpoint, [])),
    blame: clause(refused.message),
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
    return [note('NodeOfOther', { node, pod: objectKey(pod), actual }, 'pod.spec.nodeName')];
  if (viewpoints.length > 1) return [note('FromEachNode')];
  if (!first || first.nodes.length === 0) return [note('FromAnyNode')];
  return [note('FromNode', { node: namesOf(first), zone: first.zone === '' ? '' : ` in zone ${first.zone}` })];
}

function policyNotes(destination: ByRules, origin: Origin, { port, nodes }: Viewpoint): TraceNote[] {
  const { policy, isExternal, isShortcut } = policyOf(destination, origin, port, nodes);
  const path = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const ranges = rangesFor(destination.address, port);
  return [
    note(isShortcut ? 'ExternalShortcut' : `${isExternal ? 'External' : 'Internal'}Policy${policy}`, {}, path),
    ...(ranges.length > 0 ? [note('SourceRanges', { ranges: enumerate(ranges) }, sourceRangesPath)] : []),
  ];
}

/** Hints apply to the policy Cluster only; reported only if they exclude an endpoint. */
function hintsNotes(viewpoints: readonly Viewpoint[]): TraceNote[] {
  const isHinted = ({ endpoints }: Viewpoint): boolean =>
    endpoints.some(({ code }) => code === 'HintsOtherNode' || code === 'HintsOtherZone');
  return viewpoints.filter(isHinted).map((viewpoint) => {
    const ready = viewpoint.endpoints.filter(({ endpoint }) => endpoint.ready).length;
    const used = viewpoint.endpoints.filter(({ isUsed }) => isUsed).length;
    const whose = viewpoint.port.hints === 'PreferSameNode' ? 'the same node' : `zone ${viewpoint.zone}`;
    return note(
      'HintsTaken',
      { used, ready, whose, from: viewpoints.length > 1 ? ` from ${namesOf(viewpoint)}` : '' },
      'endpointslice.endpoints[].hints',
    );
  });
}

const stickyNotes = ({ port }: Viewpoint): TraceNote[] =>
  port.sessionAffinity === 'ClientIP' ? [note('ClientStays', { seconds: port.stickyMaxAgeSeconds }, 'service.spec.sessionAffinity')] : [];

function viewpointItem(viewpoint: Viewpoint, notes: readonly TraceNote[]): TraceItem {
  const used = viewpoint.endpoints.filter(({ isUsed }) => isUsed).length;
  const label = [namesOf(viewpoint), viewpoint.zone === '' ? '' : `in ${viewpoint.zone}`].filter(Boolean).join(' ');
  return item(`node/${viewpoint.nodes[0] ?? '*'}`, `${label}: ${counted(used, 'endpoint')}`, notes);
}

/** "n1", "n1, n2 and 3 more", "any node". */
export const namesOf = ({ nodes }: Pick<Viewpoint, 'nodes'>): string => (nodes.length === 0 ? 'any node' : enumerate(nodes, 3));
