import type { TraceItem, TraceNote } from './trace.ts';

/** A message with placeholders in braces, and a remedy if it reports a problem. */
export interface TraceReasonRow {
  readonly message: string;
  readonly remedy?: string;
}

/** The messages specific to traces. Notes can also have codes of `dnsReasons`, `proxyReasons` and the `reasons` of Services and pods. */
export const traceReasons = {
  TargetIsAddress: { message: '{address} is an address: no name has to be resolved.' },
  ResolverOfPod: { message: 'Pod {pod} resolves names with dnsPolicy {policy}: search {search}, ndots {ndots}.' },
  ResolverOfNamespace: {
    message: 'Resolved as in a pod with default DNS settings in namespace {namespace}: search {search}, ndots {ndots}.',
  },
  NameIsAbsolute: { message: 'The name ends with a dot, so no search domain is appended.' },
  NameHasEnoughDots: { message: 'The name has at least as many dots ({dots}) as ndots, so it is queried first without a search domain.' },
  HostAliasUsed: { message: 'The hosts file of pod {pod} maps {name} to {address}, so DNS is not queried.' },
  NodeDnsUsed: {
    message: 'Pod {pod} uses the DNS of its node ({cause}), which does not resolve cluster DNS names.',
    remedy: 'Set dnsPolicy to ClusterFirst, or to ClusterFirstWithHostNet for a pod with hostNetwork.',
  },
  OwnNameserversUsed: { message: "Pod {pod} queries {servers} (dnsPolicy None), assumed to be the cluster's DNS." },
  ClusterDnsNotInNameservers: {
    message: "Pod {pod} queries {servers} (dnsPolicy None), but the cluster's DNS is at {clusterDns}.",
    remedy: 'Add {clusterDns} to dnsConfig.nameservers, or set dnsPolicy to ClusterFirst.',
  },
  ClusterDnsNotReady: {
    message: 'Service {service} has no ready endpoint, so cluster DNS names cannot be resolved.',
    remedy: 'Find the cause: trace {name}.',
  },
  NameNotFound: { message: 'No queried name has a record: {names}.' },
  NameForwarded: {
    message: "{name} is not a name of the cluster. The cluster's DNS forwards the query to another server, whose answer is unknown here.",
  },
  ServiceInOtherNamespace: { message: 'There is a Service {service} in {namespaces}.', remedy: 'Use {name}.' },
  SimilarService: { message: 'There is no {requested}, but there is a Service {service}.', remedy: 'Use {name}.' },
  NameLeadsOutside: { message: 'The name refers to {name}, outside the cluster, which is not traced.' },
  ExternalNameLoop: {
    message: 'ExternalName Services refer to each other in a loop: {services}.',
    remedy: 'Set spec.externalName of one of them to another name.',
  },
  AliasTargetInvalid: {
    message: '{name} is an alias for {target}, which is not a valid DNS name: labels have 1 to 63 characters, names at most 253.',
    remedy: 'Set spec.externalName of the Service to a valid name.',
  },
  AliasTargetNotFound: {
    message: 'Service {name} is an alias for {target}, but there is no Service {service}.',
    remedy: 'Set spec.externalName of the Service to an existing name.',
  },
  AliasTargetHasNoAddress: {
    message: '{name} is an alias for {target}, which has no address.',
    remedy: 'Check that spec.externalName of the Service names an existing host.',
  },
  FamilyTraced: { message: 'The name has IPv4 and IPv6 addresses; this trace follows {family}.' },
  AnswerBypassesRules: { message: 'The answer contains the addresses of endpoints, so traffic bypasses the rules of nodes.' },
  ServiceOfName: { message: 'Service {service} of type {type} has the address {address}.' },
  ServiceIsAlias: { message: 'Service {service} is an alias for {name} and has no endpoints.' },
  AddressIsPlaceholder: { message: 'The Service has no cluster IP in the input, so its address is unknown.' },
  ServiceOfAddress: { message: '{address} is {role} of Service {service}.' },
  PodOfAddress: { message: '{address} is the address of pod {pod}, so no Service is involved.' },
  AddressUnknown: {
    message: 'No known object has the address {address}.',
    remedy: 'Check that the address belongs to this cluster and that its Service or pod still exists.',
  },
  ClusterIPUnused: {
    message: '{address} is in the range of cluster IPs {range}, but no Service has it.',
    remedy: 'Check whether the Service was deleted or recreated with another address, and use its name instead of the address.',
  },
  PodIPUnused: {
    message: '{address} is in the pod CIDR of node {node}, but no pod has it.',
    remedy: 'Check whether the pod was deleted, and use its Service instead.',
  },
  AddressOfNode: {
    message: '{address} is the address of node {node}, but the target has no port.',
    remedy: 'Add a node port to the target.',
  },
  NodePortNotFound: {
    message: '{address} is the address of node {node}, but no Service has the node port {port}; another program may listen on it.',
  },
  LoadBalancerNotTraced: {
    message: 'Nodes have no rules for {address}: Service {service} has it from a load balancer with ipMode Proxy, which is not traced.',
  },
  PortOfName: { message: 'Port {port} is {number}/{protocol}.' },
  PortOfNumber: { message: 'Port {number}/{protocol} is forwarded to the target port {target} of pods.' },
  OnlyPort: { message: 'The target has no port; {port} is the only port of the Service.' },
  FirstPort: { message: 'The target has no port; the first of {count} ports is used: {port}.' },
  ServicePortNotFound: { message: 'Service {service} has no port {port}; it has {ports}.', remedy: 'Use {name}.' },
  ServicePortIsTargetPort: {
    message: 'Service {service} has no port {port}, which is a target port of its pods; the Service has {ports}.',
    remedy: 'Use {name}.',
  },
  ServiceHasNoPort: { message: 'Service {service} has no ports.', remedy: 'Declare a port in spec.ports of the Service.' },
  PortNotTranslated: {
    message: 'A Service without a cluster IP does not translate ports: the target has port {port}, but pods listen on {target}.',
    remedy: 'Use port {target}, or give the Service a cluster IP.',
  },
  ClusterIPPending: {
    message: 'Service {service} has no cluster IP yet.',
    remedy: 'Use the objects as stored in the cluster, and check why the API server allocated no cluster IP.',
  },
  ServedByOtherProxy: {
    message: 'A label assigns the Service to a proxy other than kube-proxy; the following steps show what kube-proxy would do.',
    remedy: 'Check which proxy serves the Service, or remove the label service.kubernetes.io/service-proxy-name.',
  },
  NoRulesForAddress: {
    message: 'No node has rules for {address} of Service {service}, because the Service has no cluster IP of this family.',
    remedy: 'Make spec.ipFamilies and spec.clusterIPs of the Service consistent.',
  },
  ServiceIsHeadless: { message: 'Service {service} is headless: its name resolves to its endpoints.' },
  SourceNotAllowed: {
    message:
      'Traffic from pod {pod} to {address}, the load balancer address of Service {service}, is dropped: {source} is not in {ranges}.',
    remedy: 'Use the name of the Service, or add the addresses of pods to loadBalancerSourceRanges.',
  },
  SourceRanges: { message: 'The load balancer address accepts traffic only from {ranges}.' },
  FromNode: { message: 'Traced from node {node}{zone}.' },
  FromAnyNode: { message: 'The result is the same from every node.' },
  FromEachNode: { message: "The client's node is unknown, and the result depends on it." },
  RequestedNodeDiffers: { message: 'Traced from node {node}, as requested, although pod {pod} runs on {actual}.' },
  InternalPolicyCluster: { message: 'Traffic goes to endpoints on any node (internalTrafficPolicy Cluster).' },
  InternalPolicyLocal: { message: 'Traffic goes only to endpoints on the same node (internalTrafficPolicy Local).' },
  ExternalPolicyCluster: { message: 'Traffic from outside goes to endpoints on any node (externalTrafficPolicy Cluster).' },
  ExternalPolicyLocal: {
    message: 'Traffic from outside goes only to endpoints on the node that receives it (externalTrafficPolicy Local).',
  },
  ExternalShortcut: {
    message: 'Traffic from a pod to an external address of the Service goes to endpoints on any node, regardless of externalTrafficPolicy.',
  },
  HintsApplied: { message: 'Topology hints restrict traffic{from} to {location}; ready endpoints in use: {used} of {ready}.' },
  SessionAffinityApplies: { message: 'A client keeps its endpoint for {seconds} s (sessionAffinity ClientIP).' },
  NoEndpointOnNode: {
    message: 'Node {node} has no usable endpoint, and the traffic policy allows no other node.',
    remedy: 'Run a ready pod on each node that sends traffic, or set {field} to Cluster.',
  },
  NoEndpoints: { message: 'This port has no endpoints.' },
  SlicesHaveOtherPorts: {
    message: 'The EndpointSlices have endpoints, but no port named {name} with protocol {protocol}; they have {ports}.',
    remedy: 'Give the port in the EndpointSlice, or in the Endpoints that it mirrors, the name and protocol of the Service port.',
  },
  NoUsableEndpoint: { message: 'This port has no usable endpoint: none is ready, and none serves while it terminates.' },
  EndpointsManagedExternally: { message: 'The Service has no selector, so users or other controllers manage its endpoints.' },
  SlicesComputed: { message: 'No EndpointSlices were given; this trace uses those that Kubernetes {version} would create.' },
  SlicesMissEndpoints: {
    message: 'The EndpointSlices are out of date: they lack {endpoints}.',
    remedy: 'Check that kube-controller-manager is running and not delayed.',
  },
  SlicesHaveExtraEndpoints: {
    message: 'The EndpointSlices are out of date: they still contain {endpoints}.',
    remedy: 'Check that kube-controller-manager is running and not delayed, and delete slices that no controller manages.',
  },
  SlicesHaveOldState: {
    message: 'The EndpointSlices are out of date: the state of {endpoints} has changed.',
    remedy: 'Check that kube-controller-manager is running and not delayed.',
  },
  EndpointsOutdated: {
    message: 'The Endpoints object of the Service does not match its EndpointSlices. Nodes do not use it, but other programs may.',
    remedy: 'Check that the endpoints controller is running, and migrate programs that read Endpoints to EndpointSlices.',
  },
  RedirectedTo: { message: 'The client is redirected to {location}.' },
  RequestRewritten: { message: 'The route rewrites the request: host {host}, path {path}.' },
  BackendFails: { message: 'Requests to this backend fail: {cause}.' },
  PoliciesAllow: { message: 'Network policies allow the traffic to port {port} of {pods}.' },
  NoPoliciesApply: { message: 'No network policy selects the client or these pods.' },
  PoliciesDeny: {
    message: 'Network policies deny port {port} of {pods}{client}: {reason}.',
    remedy: 'Change a policy: {fix}.',
  },
  PoliciesDenyMore: { message: 'Network policies also deny the traffic to {pods}.' },
  PoliciesUndecided: { message: 'Whether network policies allow the traffic to {pods} is unknown: {reason}.' },
  ProxyUnknownToPolicies: {
    message:
      'Network policies select {pods}, and whether they allow the traffic depends on the proxy of the route, whose pods are unknown.',
  },
  ClientUnknownToPolicies: {
    message: 'Network policies select {pods}, and whether they allow the traffic depends on the client, which is unknown.',
    remedy: 'Name the client pod: --from NAMESPACE/pod/NAME.',
  },
  NotInAnswer: { message: 'The DNS answer does not contain this address.' },
  TerminatingNotInAnswer: { message: 'The endpoint is terminating, and DNS answers do not contain terminating endpoints.' },
  UsedFrom: { message: 'Used from {nodes}.' },
  PortNotRequested: { message: 'Not the requested port.' },
  PodsWithTraffic: { message: '{pods} {get} traffic.' },
  PodsSkippedByLocation: { message: 'Ready pods that get no traffic because of their location: {count}.' },
  PodInNoSlice: { message: 'The pod is in no EndpointSlice.', remedy: 'Check that kube-controller-manager is running and not delayed.' },
  PodUnknown: { message: 'No pod is known for {endpoints}.' },
  PodNotRunning: { message: 'Pod {pod} is not running (phase {phase}).' },
  PodIsReady: { message: 'Pod {pod} is ready.' },
  PodReachableUnready: {
    message: 'Pod {pod} is not ready ({causes}), but its own address is still reachable.',
    remedy: 'Check its readiness probe, its readiness gates and the state of its containers.',
  },
  AllReady: { message: 'All pods that are endpoints are ready.' },
  SomeNotReady: { message: 'Pods that are not ready: {count} of {all}.' },
};

/** Commands that fix a cause, or show what to do next. `{field}` is the last part of the note's path. */
export const traceCommands: Readonly<Record<string, string>> = {
  NoEndpointOnNode: `kubectl -n {namespace} patch service {service} -p '{"spec":{"{field}":"Cluster"}}'`,
  NoRulesForAddress: 'kubectl -n {namespace} edit service {service}',
  SourceNotAllowed: 'kubectl -n {namespace} edit service {service}',
  PoliciesDeny: 'kubectl -n {namespace} describe networkpolicies',
  PortNotTranslated: 'kubectl -n {namespace} edit service {service}',
  ServedByOtherProxy: 'kubectl -n {namespace} get service {service} -o yaml',
  SlicesHaveExtraEndpoints: 'kubectl -n kube-system logs -l component=kube-controller-manager',
  SlicesHaveOldState: 'kubectl -n kube-system logs -l component=kube-controller-manager',
  SlicesHaveOtherPorts: 'kubectl -n {namespace} get endpointslices -l kubernetes.io/service-name={service} -o yaml',
  SlicesMissEndpoints: 'kubectl -n kube-system logs -l component=kube-controller-manager',
};

/** The codes specific to traces. */
export type TraceReasonCode = keyof typeof traceReasons;

/** Values of a message's placeholders. */
export type Values = Readonly<Record<string, string | number>>;

/** Creates a note with its message filled in. */
export function createNote(code: TraceReasonCode, values: Values = {}, path?: string): TraceNote {
  const row: TraceReasonRow = traceReasons[code];
  return {
    code,
    message: fill(row.message, values),
    ...(path !== undefined && { path }),
    ...(row.remedy !== undefined && { remedy: fill(row.remedy, values) }),
  };
}

export const createItem = (id: string, label: string, notes: readonly TraceNote[] = []): TraceItem => ({ id, label, notes });

/** Fills in a message; placeholders without a value stay unchanged. */
export const fill = (message: string, values: Values): string =>
  message.replace(/\{(\w+)\}/g, (braces, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : braces));

/** Lists at most `max` names, and the number of remaining names. */
export function enumerate(names: readonly string[], max = 5): string {
  const shown = names.slice(0, max).join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}

/** "1 pod", "2 pods". */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Drops the final full stop, so that the text can be part of another sentence. */
export const removeFullStop = (message: string): string => message.replace(/\.$/, '');
