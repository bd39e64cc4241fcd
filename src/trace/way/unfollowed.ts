import { nameOf, objectKey } from '../../apimachinery/index.ts';
import { isInRanges } from '../../proxy/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import { clause, note } from '../note.ts';
import { type Draft, draft, skipped } from '../step.ts';
import type { Target } from '../target.ts';
import type { TraceNote } from '../trace.ts';

/** Where the way ends at what is no Service and no pod: an error only where it is the cluster that has nothing there. */
export function unfollowed(
  destination: Extract<Destination, { kind: 'outside' | 'unknown' }>,
  { host, port }: Target,
  cluster: Cluster,
): Draft {
  if (destination.kind === 'outside') {
    const { balanced } = destination;
    if (!balanced) return skipped('service', 'Service');
    const left = note(
      'LeftToLoadBalancer',
      { address: host, service: objectKey(balanced) },
      'service.status.loadBalancer.ingress[].ipMode',
    );
    return draft('service', `Service ${objectKey(balanced)}`, { notes: [left] });
  }
  const { address, node } = destination;
  const [told, isMissed] = node === undefined ? unknownAddress(address, cluster) : unknownPort(address, node, port, cluster);
  return draft('service', 'No Service', { outcome: isMissed ? 'error' : 'warning', notes: [told], blame: clause(told.message) });
}

type Told = readonly [told: TraceNote, isMissed: boolean];

/** Among the addresses of Services, or of a node's pods, it is of the cluster, and nobody's by now. */
function unknownAddress(address: string, { objects: { nodes = [], serviceCIDRs = [] } }: Cluster): Told {
  const range = serviceCIDRs.flatMap(({ spec }) => spec?.cidrs ?? []).find((cidr) => isInRanges(address, [cidr]));
  if (range !== undefined) return [note('AddressOfNoService', { address, range }, 'service.spec.clusterIPs'), true];
  const node = nodes.find(({ spec }) => isInRanges(address, spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : [])));
  return node
    ? [note('AddressOfNoPod', { address, node: nameOf(node) }, 'pod.status.podIPs'), true]
    : [note('AddressUnknown', { address }), false];
}

/** A node answers at other ports than node ports, too; among those, only where it tells load balancers of its health. */
function unknownPort(address: string, node: string, port: string | undefined, { objects: { services } }: Cluster): Told {
  if (port === undefined) return [note('AddressOfNode', { address, node }), true];
  const isHealth = services.some(({ spec }) => spec?.healthCheckNodePort && String(spec.healthCheckNodePort) === port);
  const isNodePort = Number(port) >= firstNodePort && Number(port) <= lastNodePort;
  return [note('NodePortNotFound', { address, node, port }, 'service.spec.ports[].nodePort'), isNodePort && !isHealth];
}

/** `--service-node-port-range`, as it is by default. */
const firstNodePort = 30_000;
const lastNodePort = 32_767;
