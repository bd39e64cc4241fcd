import { approximateNanos } from '../../../apimachinery/quantity.ts';
import type { Node } from '../../../types/index.ts';
import { type Profile, profileFor } from '../../../versions/index.ts';
import { zoneLabel } from '../desired.ts';

/** Why zones have no shares of the cluster's CPU. */
export type ZonesCode = 'NodeWithoutZone' | 'NodeWithoutCPU' | 'NodesReadyInFewZones';

/** The share of each zone in the cluster's CPU, sorted by zone; or why there are no shares, and the node that causes it. */
export type ZoneShares =
  | { readonly shares: ReadonlyMap<string, number> }
  | { readonly shares?: undefined; readonly code: ZonesCode; readonly node?: string };

/**
 * Computes each zone's share of the allocatable CPU of ready nodes. Control-plane nodes are not
 * counted since `controlPlaneNotCounted`. There are no shares if a counted
 * node has no zone or no CPU, or if there are fewer than two zones.
 *
 * Mirrors SetNodes (1.36, staging/src/k8s.io/endpointslice/topologycache/topologycache.go).
 */
export function zoneSharesOf(
  nodes: Iterable<Node>,
  { controlPlaneNotCounted }: Pick<Profile, 'controlPlaneNotCounted'> = profileFor(),
): ZoneShares {
  const nanosByZone = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    if ((controlPlaneNotCounted && isControlPlane(node)) || !isNodeReady(node)) continue;
    const name = node.metadata?.name ?? '';
    const zone = node.metadata?.labels?.[zoneLabel];
    const nanos = approximateNanos(node.status?.allocatable?.['cpu']);
    if (!zone) return { code: 'NodeWithoutZone', node: name };
    if (nanos === 0) return { code: 'NodeWithoutCPU', node: name };
    nanosByZone.set(zone, (nanosByZone.get(zone) ?? 0) + nanos);
    total += nanos;
  }
  if (nanosByZone.size < 2 || total === 0) return { code: 'NodesReadyInFewZones' };
  const sortedZones = [...nanosByZone].sort(([a], [b]) => (a < b ? -1 : 1));
  return { shares: new Map(sortedZones.map(([zone, nanos]) => [zone, toMillis(nanos) / toMillis(total)])) };
}

/** Converts to thousandths, rounded up as MilliValue does. */
const toMillis = (nanos: number): number => Math.ceil(nanos / 1e6);

const isControlPlane = ({ metadata }: Node): boolean => controlPlaneLabels.some((label) => Object.hasOwn(metadata?.labels ?? {}, label));

const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

const isNodeReady = ({ status }: Node): boolean => status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
