import { expect, it } from 'vitest';
import { createNodeView, type ProxyNode } from '../../src/proxy/index.ts';
import type { TraceObjects } from '../../src/trace/index.ts';
import type { TraceNode, TracePod } from '../../src/trace/objects.ts';
import { fc } from '../support/property.ts';
import { findPacketEndpoints, type Packet } from './packets.ts';
import { crashingStatus, makeCluster, makePod, makeService, runTrace, stepOf, withEndpoints } from './shop.ts';

const numbers = [1, 2] as const;
const nodeIPs = (number: number): readonly string[] => [`192.168.0.${number}`, `2001:db8::${number}`];
const podIPs = (node: number, number: number): readonly string[] => [`10.1.${node}.${number}`, `fd00:10:1:${node}::${number}`];
const rulesOf = (number: number, labels: Record<string, string>): ProxyNode => ({
  name: `n${number}`,
  labels,
  addresses: nodeIPs(number),
  podCIDRs: [`10.1.${number}.0/24`, `fd00:10:1:${number}::/64`],
  nodePortAddresses: ['primary'],
});

const policy = fc.constantFrom('Cluster', 'Local');
const ranges = fc.constantFrom<readonly string[]>(
  [],
  ['192.0.2.0/24'],
  ['10.1.1.0/24', 'fd00::/8'],
  ['192.168.0.2/32', '2001:db8::1/128'],
  ['fd00:10:1:2::/64'],
  ['192.0.2.0/24', '0.0.0.0/0', '::1/128'],
);
interface OfferedPort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number;
  readonly nodePort: number;
  readonly protocol: Packet['protocol'];
}
const portOf = (protocol: Packet['protocol'], port = 80, nodePort = 30080): OfferedPort => ({
  name: protocol.toLowerCase(),
  port,
  targetPort: protocol === 'UDP' ? 8053 : 8080,
  nodePort,
  protocol,
});
const ports = fc.constantFrom<readonly OfferedPort[]>([portOf('TCP')], [portOf('UDP')], [portOf('SCTP')], [portOf('UDP'), portOf('TCP')]);
const notReady = { status: crashingStatus ?? {} };
const terminatingPod = { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 } };
const states = { ready: {}, notReady, draining: terminatingPod, drainingNotReady: { ...terminatingPod, ...notReady } } as const;
const hints = fc.record({ forZones: fc.subarray(['z1', 'z2', 'z9']), forNodes: fc.subarray(['n1', 'n2', 'n9']) });
const scenario = fc.record({
  ipFamilies: fc.constantFrom<readonly ('IPv4' | 'IPv6')[]>(['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']),
  ports,
  sessionAffinity: fc.constantFrom('None', 'ClientIP'),
  internalTrafficPolicy: policy,
  externalTrafficPolicy: policy,
  loadBalancerSourceRanges: ranges,
  ipMode: fc.constantFrom(undefined, 'VIP', 'Proxy'),
  /** Whether the load balancer's addresses are also external IPs. */
  areBalancedIPsExternal: fc.boolean(),
  zones: fc.tuple(fc.constantFrom('z1', 'z2', undefined), fc.constantFrom('z1', 'z2', undefined)),
  pods: fc.array(
    fc.record({
      node: fc.constantFrom(...numbers),
      state: fc.constantFrom<keyof typeof states>('ready', 'ready', 'ready', 'notReady', 'draining', 'drainingNotReady'),
      hints,
    }),
    { maxLength: 4 },
  ),
  /** If only some endpoints have hints, the hints are ignored. */
  isHinted: fc.boolean(),
  from: fc.record({ node: fc.constantFrom(...numbers), usesHostNetwork: fc.boolean() }),
  to: fc.constantFrom(
    ...['10.96.0.10', 'fd00:96::10', '198.51.100.7', '2001:db8:7::7', '203.0.113.9', '2001:db8:9::9'].map((ip) => ({ ip, port: 80 })),
    ...numbers.flatMap(nodeIPs).map((ip) => ({ ip, port: 30080 })),
    ...['10.96.0.10', '198.51.100.7', '2001:db8:7::7', '203.0.113.9', '2001:db8:9::9'].map((ip) => ({ ip, port: 443 })),
    { ip: '192.168.0.1', port: 30443 },
    { ip: '2001:db8::2', port: 30443 },
  ),
  protocol: fc.constantFrom<Packet['protocol'] | undefined>(undefined, undefined, undefined, undefined, 'TCP', 'UDP', 'SCTP'),
  /** The port of a second Service, with a different number or protocol, that shares the external addresses. */
  sharedPort: fc.constantFrom<OfferedPort | undefined>(undefined, undefined, portOf('SCTP', 80, 30080), portOf('TCP', 443, 30443)),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const podOn = (name: string, node: number, ips: readonly string[], { metadata, status }: Pick<TracePod, 'metadata' | 'status'> = {}) =>
  makePod(name, 1, {
    ...(metadata && { metadata }),
    spec: { nodeName: `n${node}` },
    status: { podIP: ips[0] as string, podIPs: ips.map((ip) => ({ ip })), ...status },
  });

const labelsOf = ({ zones }: Scenario, number: number): Record<string, string> => {
  const zone = zones[number - 1];
  return zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone };
};

const outsideIPs = ['198.51.100.7', '2001:db8:7::7'];
const balancedIPs = ['203.0.113.9', '2001:db8:9::9'];

function serviceOf(
  name: string,
  number: number,
  { ipFamilies, ipMode, areBalancedIPsExternal, ...fields }: Scenario,
  ownPorts: readonly OfferedPort[],
) {
  const clusterIPs = ipFamilies.map((family) => (family === 'IPv4' ? `10.96.0.${number}` : `fd00:96::${number}`));
  const { sessionAffinity, internalTrafficPolicy, externalTrafficPolicy, loadBalancerSourceRanges } = fields;
  return makeService(
    name,
    {
      ...{ sessionAffinity, internalTrafficPolicy, externalTrafficPolicy, loadBalancerSourceRanges },
      type: 'LoadBalancer',
      ports: ownPorts,
      ipFamilies,
      clusterIPs,
      clusterIP: clusterIPs[0] as string,
      externalIPs: [...outsideIPs, ...(areBalancedIPsExternal ? balancedIPs : [])],
    },
    { status: { loadBalancer: { ingress: balancedIPs.map((ip) => ({ ip, ...(ipMode !== undefined && { ipMode }) })) } } },
  );
}

/** The port of the second Service; empty if both Services have the port, because either Service could receive the traffic. */
const sharedPorts = ({ sharedPort, ports: ownPorts }: Scenario): readonly OfferedPort[] =>
  sharedPort && !ownPorts.some(({ protocol, port }) => protocol === sharedPort.protocol && port === sharedPort.port) ? [sharedPort] : [];

function objectsOf(input: Scenario): TraceObjects {
  const { pods, isHinted, from } = input;
  const otherPorts = sharedPorts(input);
  const services = [serviceOf('web', 10, input, input.ports), ...(otherPorts.length > 0 ? [serviceOf('api', 11, input, otherPorts)] : [])];
  const backends = pods.map(({ node, state }, at) => podOn(`web-${at + 1}`, node, podIPs(node, at + 1), states[state]));
  const client = podOn('client-9', from.node, from.usesHostNetwork ? nodeIPs(from.node) : podIPs(from.node, 99));
  const nodes: readonly TraceNode[] = numbers.map((number) => ({
    metadata: { name: `n${number}`, labels: labelsOf(input, number) },
    status: { addresses: nodeIPs(number).map((address) => ({ type: 'InternalIP', address })) },
  }));
  const objects = makeCluster(services, [...backends, podOn('api-1', 1, podIPs(1, 51)), client], { nodes });
  if (!isHinted) return objects;
  const slices = withEndpoints(objects.slices ?? [], (endpoint) => {
    const { forZones = [], forNodes = [] } = pods[Number(endpoint.targetRef?.name?.split('-')[1]) - 1]?.hints ?? {};
    const toNameObjects = (names: readonly string[]) => names.map((name) => ({ name }));
    return { ...endpoint, hints: { forZones: toNameObjects(forZones), forNodes: toNameObjects(forNodes) } };
  });
  return { ...objects, slices };
}

/** Returns the endpoints that a trace reaches; undefined if the trace leads outside of the cluster. */
function findTracedEndpoints({ to, protocol }: Scenario, objects: TraceObjects) {
  const host = to.ip.includes(':') ? `[${to.ip}]` : to.ip;
  const trace = runTrace(`${host}:${to.port}${protocol === undefined ? '' : `/${protocol}`}`, objects, { from: 'client-9' });
  const reachedEndpoints = stepOf(trace, 'endpoints').chosen.map(({ label }) => label.split(' ')[1]);
  return trace.outcome === 'outside' ? undefined : trace.outcome === 'unreachable' ? [] : reachedEndpoints;
}

function packetOf({ to, protocol }: Scenario, objects: TraceObjects, portsAtAddress: readonly OfferedPort[]): Packet {
  const from = objects.pods.at(-1)?.status?.podIPs?.find(({ ip }) => ip?.includes(':') === to.ip.includes(':'))?.ip ?? '';
  // Without a requested protocol, TCP takes precedence.
  const offeredPort = portsAtAddress.find((each) => each.protocol === 'TCP') ?? portsAtAddress[0];
  return { from, to: to.ip, port: to.port, protocol: protocol ?? offeredPort?.protocol ?? 'TCP' };
}

/** The ports of both Services that have the port number of the destination at the destination's address. */
const offeredPorts = (input: Scenario): OfferedPort[] =>
  [...(/^(?:10\.96\.|fd00:96:)/.test(input.to.ip) ? [] : sharedPorts(input)), ...input.ports].filter(
    ({ port, nodePort }) => input.to.port === (numbers.some((each) => nodeIPs(each).includes(input.to.ip)) ? nodePort : port),
  );

it("a trace reaches the endpoints to which the node's rules send a pod's first packet", () => {
  fc.assert(
    fc.property(scenario, (input) => {
      const objects = objectsOf(input);
      const portsAtAddress = offeredPorts(input);
      const packet = packetOf(input, objects, portsAtAddress);
      // Traffic to a node port is handled by the rules of the node that owns the address.
      const number = numbers.find((each) => nodeIPs(each).includes(packet.to)) ?? input.from.node;
      const rules = rulesOf(number, labelsOf(input, number));
      const family = packet.to.includes(':') ? 'IPv6' : 'IPv4';
      const view = createNodeView({ services: objects.services, endpointSlices: objects.slices ?? [] }, rules, { family });
      const sentEndpoints = findPacketEndpoints(view, rules, packet);
      const tracedEndpoints = findTracedEndpoints(input, objects);
      // Rules ignore ports that no Service offers, and a trace reports them as unreachable.
      const isOffered = input.ipFamilies.includes(family) && portsAtAddress.some(({ protocol }) => protocol === packet.protocol);
      expect(tracedEndpoints?.toSorted()).toEqual(isOffered || tracedEndpoints === undefined ? sentEndpoints?.toSorted() : []);
      if (!isOffered) expect(sentEndpoints ?? []).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
