/** Why a query has its answer. The messages are in `dnsReasons`. */
export interface DnsReason {
  readonly code: DnsReasonCode;
  /** Values of the message's placeholders. */
  readonly values: Readonly<Record<string, string>>;
}

/** What was found, or what is missing. */
export type DnsReasonCode = keyof typeof dnsReasons;

export const reasonOf = (code: DnsReasonCode, values: Readonly<Record<string, string>>): DnsReason => ({ code, values });

/** A message per code, with placeholders in braces. */
export const dnsReasons = {
  // Records exist.
  ServiceAddress: 'Service {service} has the cluster IP {addresses}.',
  HeadlessEndpoints: 'Service {service} is headless: its ready endpoints are the answer, {count} in all.',
  ServicePort: 'Service {service} has the port {port} of protocol {protocol}.',
  EndpointName: '{endpoint} names an endpoint of Service {service}.',
  PodAddress: '{pod} says the address of a pod, and namespace {namespace} is there: nobody looks for the pod ("pods insecure").',
  PodVerified: 'A pod of namespace {namespace} has the address that {pod} says.',
  ExternalName: 'Service {service} is another name for {target}',
  WildcardServices: '{name} holds a wildcard; these Services answer it: {services}.',
  ReverseService: '{address} is the cluster IP of Service {service}.',
  ReverseExternal: '{address} is an external address of Service {service}.',
  ReverseEndpoint: '{address} is an endpoint of {services}.',
  NameServer: 'The name server knows its own addresses.',
  SchemaVersion: 'This is the version of the specification that the names follow.',
  ZoneApex: '{zone} is a zone.',
  // The name exists without a record of this type: NODATA.
  NoRecordOfType: '{name} has no record of type {type}; it has {types}.',
  NameHoldsOthers: '{name} has no records itself; names below it have.',
  NoRecordAtApex: '{zone} is a zone: it has SOA and NS.',
  ServiceHasNoPorts: '{name} declares no ports, so that there is no SRV record.',
  ExternalNameHasNoRecord: 'Service {service} is another name for {target}, and there is no record of type {type}.',
  ExternalNameIsItself: 'Service {service} is another name for {target}, which is itself.',
  TextHasNoRecord: 'The only text record is that of dns-version.{zone}',
  TypeIsNotLookedUp: '{name} is no zone, and records of type {type} are those of zones: {zone}',
  NameServerUnknown: 'The addresses of the name server are not known.',
  // The name does not exist: NXDOMAIN.
  NamespaceNotFound: 'There is no namespace {namespace}.',
  NamespaceNotVisible: 'Namespace {namespace} is not among those that are visible: {namespaces}.',
  ServiceNotFound: 'There is no Service {service} in namespace {namespace}.',
  PortNotFound: 'Service {service} has no port _{port}._{protocol}; it has {ports}.',
  EndpointNotFound: 'Service {service} has no ready endpoint of the name {endpoint}; there are {endpoints}.',
  NoReadyEndpoints: 'Service {service} is headless and has no ready endpoint.',
  NoEndpointsToName: 'Service {service} has no ready endpoint, so that there is no name below it.',
  ServiceIsEmpty: 'Service {service} has no ready endpoint, and such a Service does not exist ("ignore empty_service").',
  EndpointsNotServed: 'Service {service} is answered by its endpoints, which are not looked at ("noendpoints").',
  ExternalNameIsAddress: 'Service {service} is of type ExternalName, and {target} is an address, not a name.',
  ExternalNameHasNoLabels: 'Service {service} is of type ExternalName: there is nothing below its name.',
  PodsDisabled: 'Names of pods are not answered ("pods disabled").',
  PodNotFound: 'No pod of namespace {namespace} has the address {address}.',
  PodNameIsNoAddress: '{pod} says no address.',
  AddressNotFound: 'No Service and no ready endpoint has the address {address}.',
  TextNotFound: '{name} has no records of any type.',
  WildcardMatchesNothing: '{name} holds a wildcard, and no Service answers it.',
  NameTooDeep: '{name} has {count} labels before the Service; there can be two, a port and a protocol.',
  NameNotOfCluster: '{label} is neither "svc" nor "pod", which all names of Services and pods have before {zone}',
  NameIsReverse: '{name} is in a zone of addresses, where no Services are.',
  // No answer about the name itself.
  NameServerHasNoAddress: 'A Service that the name server is an endpoint of has no address.',
  NotInZone: '{name} is in none of the zones {zones}',
  TransferNotHere: 'A zone is not the answer to a question.',
  NameMalformed: '{name} is no name: {problem}.',
} as const;

/** How to fix the problem, for codes that report one. */
export const dnsMends: Readonly<Partial<Record<DnsReasonCode, string>>> = {
  ServiceHasNoPorts: 'Declare a port in its spec.ports.',
  ExternalNameHasNoRecord: 'Ask for another type, or see whether its spec.externalName leads anywhere.',
  ExternalNameIsItself: 'Write another name into its spec.externalName.',
  NamespaceNotFound: 'Look for a slip in the name, or create the namespace.',
  NamespaceNotVisible: 'Add it to "namespaces" in the configuration of the name server.',
  ServiceNotFound: 'Look for a slip in the name or the namespace: a name without one is looked for in the namespace of the pod that asks.',
  PortNotFound: 'Ask for a port that it has: by its name, not its number.',
  EndpointNotFound: 'See whether the pod is ready, and whether its spec.hostname and spec.subdomain say this name.',
  NoReadyEndpoints:
    'See why its pods are not ready; where they have to find each other before they are, set spec.publishNotReadyAddresses of the Service.',
  NoEndpointsToName: 'See why its pods are not ready.',
  ServiceIsEmpty: 'See why its pods are not ready.',
  EndpointsNotServed: 'Take "noendpoints" out of the configuration of the name server.',
  ExternalNameIsAddress: 'Make it a Service without a selector and give it an EndpointSlice with the address.',
  ExternalNameHasNoLabels: 'Ask for the Service itself.',
  PodsDisabled: 'Set "pods verified" in the configuration of the name server, or use names of Services.',
  PodNotFound: 'See whether the pod has another address by now: names of pods last as long as their addresses.',
  PodNameIsNoAddress: 'Write the address of the pod with dashes, as "10-0-0-1".',
  NameTooDeep: 'Ask for SERVICE.NAMESPACE, with an endpoint or with _PORT._PROTOCOL before it.',
  NameNotOfCluster: 'Write names of Services as SERVICE.NAMESPACE.svc, those of pods as ADDRESS.NAMESPACE.pod.',
  WildcardMatchesNothing: 'Ask for a Service by its name: later releases know no wildcards.',
};

/** The message of a reason. */
export const explainAnswer = (reason: DnsReason): string => fill(dnsReasons[reason.code], reason.values);

/** How to fix it; undefined if nothing is wrong or no fix is known. */
export function mendAnswer(reason: DnsReason): string | undefined {
  const mend = dnsMends[reason.code];
  return mend === undefined ? undefined : fill(mend, reason.values);
}

const fill = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : place));
