import { objectKey } from '../../apimachinery/index.ts';
import { isInRanges } from '../../proxy/addresses.ts';
import { familyOf } from '../cluster.ts';
import { addressesOfPod } from '../destination.ts';
import type { Origin } from '../origin.ts';
import { clause, counted, enumerate, item, note } from '../reasons.ts';
import { type Draft, draft, type TraceItem, type TraceNote } from '../trace.ts';
import { type ByRules, type Place, policyOf } from './places.ts';

/** The step "policy": which endpoints the policies allow, from which nodes. @param places at least one */
export function policyStep(destination: ByRules, origin: Origin, places: readonly Place[]): Draft {
  const [first] = places as readonly [Place, ...Place[]];
  const empty = places.filter(({ port, endpoints }) => port.hasAny && !endpoints.some(({ isUsed }) => isUsed));
  const { policy, isExternal } = policyOf(destination, origin, first.port, first.nodes);
  const field = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const refused = refusalOf(destination, origin, first);
  if (refused) return refusedStep(refused, places, [...viewpoint(origin, places), ...policyNotes(destination, origin, first)]);
  const isBlocked = policy === 'Local' && empty.length > 0;
  const blocked = isBlocked ? empty.map((place) => note('NoEndpointOnNode', { node: namesOf(place), field }, field)) : [];
  const [told] = blocked;
  return draft('policy', titleOf(places), {
    outcome: !isBlocked ? 'ok' : empty.length === places.length ? 'error' : 'warning',
    notes: [...viewpoint(origin, places), ...policyNotes(destination, origin, first), ...hintsNotes(places), ...stickyNotes(first)],
    chosen: places.filter((place) => !isBlocked || !empty.includes(place)).map((place) => placeItem(place, [])),
    leftOut: isBlocked ? empty.map((place, at) => placeItem(place, blocked.slice(at, at + 1))) : [],
    blame:
      told &&
      (blocked.length === 1
        ? clause(told.message)
        : `${enumerate(empty.map(namesOf))} have no endpoint of their own that can be used, and the policy allows no other`),
  });
}

/**
 * Set if a load balancer address does not answer the client pod, because the node's firewall drops sources outside the Service's source
 * ranges.
 */
function refusalOf({ address, service }: ByRules, { pod }: Origin, { port }: Place): TraceNote | undefined {
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
const rangesFor = (address: string, port: Place['port']): readonly string[] =>
  port.loadBalancerVIPs.includes(address) ? port.loadBalancerSourceRanges : [];

const sourceRangesPath = 'service.spec.loadBalancerSourceRanges';

const refusedStep = (refused: TraceNote, places: readonly Place[], notes: readonly TraceNote[]): Draft =>
  draft('policy', titleOf(places), {
    outcome: 'error',
    notes: [refused, ...notes],
    leftOut: places.map((place) => placeItem(place, [])),
    blame: clause(refused.message),
  });

function titleOf(places: readonly Place[]): string {
  const [first] = places;
  if (places.length > 1) return 'Rules of the nodes';
  return first && first.nodes.length === 1 ? `Rules of node ${first.nodes[0]}` : 'Rules of any node';
}

function viewpoint({ node, pod }: Origin, places: readonly Place[]): TraceNote[] {
  const [first] = places;
  const actual = pod?.spec?.nodeName;
  if (node !== undefined && pod && actual && actual !== node)
    return [note('NodeOfOther', { node, pod: objectKey(pod), actual }, 'pod.spec.nodeName')];
  if (places.length > 1) return [note('FromEachNode')];
  if (!first || first.nodes.length === 0) return [note('FromAnyNode')];
  return [note('FromNode', { node: namesOf(first), zone: first.zone === '' ? '' : ` in zone ${first.zone}` })];
}

function policyNotes(destination: ByRules, origin: Origin, { port, nodes }: Place): TraceNote[] {
  const { policy, isExternal, isShortcut } = policyOf(destination, origin, port, nodes);
  const path = `service.spec.${isExternal ? 'externalTrafficPolicy' : 'internalTrafficPolicy'}`;
  const ranges = rangesFor(destination.address, port);
  return [
    note(isShortcut ? 'ExternalShortcut' : `${isExternal ? 'External' : 'Internal'}Policy${policy}`, {}, path),
    ...(ranges.length > 0 ? [note('SourceRanges', { ranges: enumerate(ranges) }, sourceRangesPath)] : []),
  ];
}

/** Hints apply to the policy Cluster only; reported only if they exclude an endpoint. */
function hintsNotes(places: readonly Place[]): TraceNote[] {
  const isHinted = ({ endpoints }: Place): boolean => endpoints.some(({ code }) => code === 'HintsOtherNode' || code === 'HintsOtherZone');
  return places.filter(isHinted).map((place) => {
    const ready = place.endpoints.filter(({ endpoint }) => endpoint.ready).length;
    const used = place.endpoints.filter(({ isUsed }) => isUsed).length;
    const whose = place.port.hints === 'PreferSameNode' ? 'node' : `zone ${place.zone}`;
    return note(
      'HintsTaken',
      { used, ready, whose, from: places.length > 1 ? ` from ${namesOf(place)}` : '' },
      'endpointslice.endpoints[].hints',
    );
  });
}

const stickyNotes = ({ port }: Place): TraceNote[] =>
  port.sessionAffinity === 'ClientIP' ? [note('ClientStays', { seconds: port.stickyMaxAgeSeconds }, 'service.spec.sessionAffinity')] : [];

function placeItem(place: Place, notes: readonly TraceNote[]): TraceItem {
  const used = place.endpoints.filter(({ isUsed }) => isUsed).length;
  const label = [namesOf(place), place.zone === '' ? '' : `in ${place.zone}`].filter(Boolean).join(' ');
  return item(`node/${place.nodes[0] ?? '*'}`, `${label}: ${counted(used, 'endpoint')}`, notes);
}

/** "n1", "n1, n2 and 3 more", "any node". */
export const namesOf = ({ nodes }: Pick<Place, 'nodes'>): string => (nodes.length === 0 ? 'any node' : enumerate(nodes, 3));
