import type { TraceItem, TraceNote } from './trace.ts';

/** A message with placeholders in braces, and the fix if something is wrong. */
export interface TraceReasonRow {
  readonly message: string;
  readonly mend?: string;
}

/** The messages specific to traces. Notes can also have codes of `dnsReasons`, `proxyReasons` and the `reasons` of Services and pods. */
export const traceReasons = {
  AddressGiven: { message: '{address} is an address: no name has to be resolved.' },
  AskedByPod: { message: 'Pod {pod} asks (dnsPolicy {policy}): search {search}, ndots {ndots}.' },
  AskedInNamespace: { message: 'Asked as pods of namespace {namespace} ask by default: search {search}, ndots {ndots}.' },
  AskedAsItIs: { message: 'The name ends with a dot, so that no search path is added.' },
  AskedAsItIsFirst: { message: 'The name has {dots} dots, not fewer than ndots, and is asked as it is first.' },
  HostAliasTakes: { message: 'The hosts file of pod {pod} has {address} for {name}: DNS is not asked.' },
  DnsOfNode: {
    message: "Pod {pod} asks the DNS of its node ({why}), which does not know the cluster's names.",
    mend: 'Set dnsPolicy to ClusterFirst, or to ClusterFirstWithHostNet for a pod on the network of its node.',
  },
  NameserversTaken: { message: "Pod {pod} asks {servers} (dnsPolicy None), which is taken for the cluster's DNS." },
  NameserversOthers: {
    message: "Pod {pod} asks {servers} (dnsPolicy None); the cluster's DNS is at {wanted}.",
    mend: 'Put {wanted} into dnsConfig.nameservers, or set dnsPolicy to ClusterFirst.',
  },
  ClusterDnsDown: {
    message: 'Service {service} has no ready endpoint, so that nobody answers for the names of the cluster.',
    mend: 'See why: trace {name}.',
  },
  NameNotFound: { message: 'Of the {count} names that are asked none leads anywhere: {names}.' },
  NameOfOthers: {
    message: '{name} is no name of the cluster, whose DNS hands it to others; what these answer is not known here.',
  },
  ServiceElsewhere: { message: 'There is a Service {service} in {namespaces}.', mend: 'Ask for {name}.' },
  NameSimilar: { message: 'There is no {wanted}, but a Service {service}.', mend: 'Ask for {name}.' },
  LeadsOut: { message: 'The name leads out of the cluster, to {name}: what is there is not known here.' },
  ExternalNamesLoop: {
    message: 'Names of Services lead in a circle, and to no address: {services}.',
    mend: 'Write another name into spec.externalName of one of them.',
  },
  AliasIsNoName: {
    message: '{name} is another name for {target}, which is no name of the DNS: labels have 1 to 63 characters, names at most 253.',
    mend: 'Write a name into spec.externalName of the Service.',
  },
  AliasHasNoAddress: {
    message: '{name} is another name for {target}, which has no address.',
    mend: 'See whether spec.externalName of the Service leads anywhere.',
  },
  FamilyFollowed: { message: 'There are addresses of both families; the way of {family} is followed.' },
  AddressesOfPods: { message: 'The answer holds the addresses of endpoints: the rules of nodes are passed by.' },
  ServiceOfName: { message: 'Service {service} of type {type}, at {address}.' },
  ServiceIsAlias: { message: 'Service {service} is another name for {name}, and has no endpoints of its own.' },
  AddressStandsIn: { message: 'The cluster IP is not known; {address} stands in its place.' },
  ServiceOfAddress: { message: '{address} is {what} of Service {service}.' },
  PodOfAddress: { message: '{address} is the address of pod {pod}: no Service is on the way.' },
  AddressUnknown: {
    message: 'Nothing that is known here has the address {address}.',
    mend: 'See whether it is of this cluster, and whether what it was of is gone.',
  },
  AddressOfNoService: {
    message: '{address} is of the range of cluster IPs {range}, and no Service has it.',
    mend: 'See whether the Service it was of is gone, or was made again with another address, and ask for it by its name.',
  },
  AddressOfNoPod: {
    message: '{address} is among the addresses of pods of node {node}, and no pod has it.',
    mend: 'See whether the pod it was of is gone, and ask for the Service instead.',
  },
  AddressOfNode: { message: '{address} is the address of node {node}, and no port was asked for.', mend: 'Ask for a node port.' },
  NodePortNotFound: {
    message: '{address} is the address of node {node}, and no Service has the node port {port}: what else answers there is not known here.',
  },
  LeftToLoadBalancer: {
    message:
      'Nodes have no rules for {address}: Service {service} leaves it to its load balancer (ipMode Proxy), and what that does is not known here.',
  },
  PortOfName: { message: 'The port is named {port}: {number} of protocol {protocol}.' },
  PortOfNumber: { message: 'Port {number} of protocol {protocol} leads to the target port {target} of pods.' },
  PortAlone: { message: 'No port was asked for; {port} is the only one.' },
  PortFirst: { message: 'No port was asked for; of {count}, the first is followed: {port}.' },
  ServicePortNotFound: { message: 'Service {service} has no port {port}; it has {ports}.', mend: 'Ask for {name}.' },
  ServicePortIsTarget: {
    message: 'Service {service} has no port {port}: that is where pods listen. The Service itself has {ports}.',
    mend: 'Ask for {name}.',
  },
  ServiceHasNoPort: { message: 'Service {service} has no ports.', mend: 'Give it ports.' },
  PortNotTranslated: {
    message: 'A Service without a cluster IP does not translate ports: port {port} is asked for, and pods listen at {target}.',
    mend: 'Ask for port {target}, or give the Service a cluster IP.',
  },
  ClusterIPAwaited: {
    message: 'Service {service} has no cluster IP yet.',
    mend: 'Give the objects as the cluster has them; see why the API server gave it none.',
  },
  ServedByOther: {
    message: 'A label leaves the Service to another proxy than kube-proxy: what follows is what kube-proxy would do.',
    mend: 'See what serves it, or remove the label service.kubernetes.io/service-proxy-name.',
  },
  NotServedByNodes: {
    message: 'No node has rules for {address} of Service {service}, as it has no cluster IP of this family.',
    mend: 'Give the Service ipFamilies and clusterIPs that belong together.',
  },
  ServiceIsHeadless: { message: 'Service {service} has no address of its own: its name is that of its endpoints.' },
  SourceNotAllowed: {
    message:
      '{address} is the address of the load balancer of Service {service}, which does not answer pod {pod}: {source} is not in {ranges}.',
    mend: 'Ask for the Service by its name, or add the addresses of pods to loadBalancerSourceRanges.',
  },
  SourceRanges: { message: 'The address of the load balancer answers clients of {ranges} only.' },
  FromNode: { message: 'Seen from node {node}{zone}.' },
  FromAnyNode: { message: 'It is the same from every node.' },
  FromEachNode: { message: 'No node was asked for, and it is not the same from each of them.' },
  NodeOfOther: { message: 'Seen from node {node}, as asked for, although pod {pod} is on {actual}.' },
  InternalPolicyCluster: { message: 'Traffic goes to endpoints on any node (internalTrafficPolicy Cluster).' },
  InternalPolicyLocal: { message: 'Traffic goes to endpoints on the same node only (internalTrafficPolicy Local).' },
  ExternalPolicyCluster: { message: 'Traffic from outside goes to endpoints on any node (externalTrafficPolicy Cluster).' },
  ExternalPolicyLocal: {
    message: 'Traffic from outside goes to endpoints on the node that it comes to only (externalTrafficPolicy Local).',
  },
  ExternalShortcut: {
    message: 'From a pod of the cluster, an address for clients outside leads to endpoints on any node, whatever externalTrafficPolicy is.',
  },
  HintsTaken: { message: 'Hints keep traffic{from} in {whose}: {used} of {ready} ready endpoints are used.' },
  ClientStays: { message: 'A client stays with the endpoint it got for {seconds} s (sessionAffinity ClientIP).' },
  NoEndpointOnNode: {
    message: 'Node {node} has no endpoint of its own that can be used, and the policy allows no other.',
    mend: 'Run a ready pod on each node that is asked from, or set {field} to Cluster.',
  },
  NoEndpoints: { message: 'There is no endpoint for this port.' },
  NoUsableEndpoint: { message: 'There is no endpoint that can be used: none is ready, or serves while it terminates.' },
  EndpointsByHand: { message: 'The Service has no selector: its endpoints are left to whoever writes them.' },
  SlicesComputed: { message: 'No EndpointSlices are known: those that the controller of {version} makes are taken.' },
  SlicesLack: {
    message: 'The EndpointSlices are behind: they lack {endpoints}.',
    mend: 'See whether kube-controller-manager runs and is not held up.',
  },
  SlicesHaveMore: {
    message: 'The EndpointSlices are behind: they still have {endpoints}.',
    mend: 'See whether kube-controller-manager runs and is not held up; delete slices that nobody keeps.',
  },
  SlicesDiffer: {
    message: 'The EndpointSlices are behind: {endpoints} changed since.',
    mend: 'See whether kube-controller-manager runs and is not held up.',
  },
  EndpointsBehind: {
    message: 'The Endpoints object of the Service does not say what its slices say; nodes do not look at it, other programs may.',
    mend: 'See whether the endpoints controller runs, and move the programs that read Endpoints to EndpointSlices.',
  },
  NotInAnswer: { message: 'The answer does not have this address.' },
  TerminatingNotInAnswer: { message: 'The endpoint is terminating, and such are not in answers.' },
  UsedFrom: { message: 'Used from {nodes}.' },
  OfOtherPort: { message: 'Another port than the one that is asked for.' },
  PodsBehind: { message: '{pods} {get} traffic.' },
  PodsPassedBy: { message: '{count} more are ready, and are passed by because of where they are.' },
  PodInNoSlice: { message: 'No EndpointSlice has the pod.', mend: 'See whether kube-controller-manager runs and is not held up.' },
  PodUnknown: { message: 'Behind {endpoints} there is no pod that is known here.' },
  PodNotRunning: { message: 'Pod {pod} does not run (phase {phase}).' },
  PodIsReady: { message: 'Pod {pod} is ready.' },
  PodAskedUnready: {
    message: 'Pod {pod} is not ready ({causes}); who asks for its address reaches it all the same.',
    mend: 'Check the readiness probe, the readiness gates and the state of its containers.',
  },
  AllReady: { message: 'Every pod that is an endpoint is ready.' },
  SomeNotReady: { message: '{count} of {all} pods are not ready.' },
} as const;

/** The codes specific to traces. */
export type TraceReasonCode = keyof typeof traceReasons;

/** Values of a message's placeholders. */
export type Values = Readonly<Record<string, string | number>>;

/** Creates a note with its message filled in. */
export function note(code: TraceReasonCode, values: Values = {}, path?: string): TraceNote {
  const row: TraceReasonRow = traceReasons[code];
  return {
    code,
    message: fill(row.message, values),
    ...(path !== undefined && { path }),
    ...(row.mend !== undefined && { mend: fill(row.mend, values) }),
  };
}

export const item = (id: string, label: string, notes: readonly TraceNote[] = []): TraceItem => ({ id, label, notes });

/** Fills in a message; placeholders without a value stay unchanged. */
export const fill = (message: string, values: Values): string =>
  message.replace(/\{(\w+)\}/g, (braces, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : braces));

/** At most `most` names, followed by the number of the others. */
export function enumerate(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** "1 pod", "2 pods". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Drops the final full stop, so that the text can be part of another sentence. */
export const clause = (message: string): string => message.replace(/\.$/, '');
