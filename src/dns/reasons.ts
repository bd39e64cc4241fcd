/** Why a query has its answer. The messages are in `dnsReasons`. */
export interface DnsReason {
  readonly code: DnsReasonCode;
  /** Values of the message's placeholders. */
  readonly values: Readonly<Record<string, string>>;
}

/** A stable code for the record that was found, or for the part of the name that is missing. */
export type DnsReasonCode = keyof typeof dnsReasons;

export const createReason = (code: DnsReasonCode, values: Readonly<Record<string, string>>): DnsReason => ({ code, values });

/** A message per code, with placeholders in braces. */
export const dnsReasons = {
  // Records exist.
  ServiceAddress: 'Service {service} has the cluster IP {addresses}.',
  HeadlessEndpoints: 'Service {service} is headless and resolves to its ready endpoints: {count}.',
  ServicePort: 'Service {service} has the port {port} of protocol {protocol}.',
  EndpointName: '{endpoint} names an endpoint of Service {service}.',
  PodAddress:
    '{pod} is the address of a pod, and namespace {namespace} exists; whether such a pod exists is not checked ("pods insecure").',
  PodVerified: 'A pod in namespace {namespace} has the address {pod}.',
  ExternalName: 'Service {service} is an alias for {target}',
  WildcardServices: '{name} contains a wildcard that matches these Services: {services}.',
  ReverseService: '{address} is the cluster IP of Service {service}.',
  ReverseExternal: '{address} is an external address of Service {service}.',
  ReverseEndpoint: '{address} is an endpoint of {services}.',
  NameServer: 'The name server returns its own addresses.',
  SchemaVersion: 'This is the version of the DNS schema that the names follow.',
  ZoneApex: '{zone} is the apex of a zone.',
  // The name exists without a record of this type: NODATA.
  NoRecordOfType: '{name} has no record of type {type}; it has {types}.',
  NameHasNoRecords: '{name} has no records, but names below it do.',
  NoRecordAtApex: '{zone} is the apex of a zone, which has only SOA and NS records.',
  ServiceHasNoPorts: '{name} has no SRV record because the Service declares no ports.',
  ExternalNameHasNoRecord: 'Service {service} is an alias for {target}, which has no record of type {type}.',
  ExternalNameIsItself: 'Service {service} is an alias for {target}, which is its own name.',
  TextHasNoRecord: 'The only TXT record is dns-version.{zone}',
  TypeOnlyAtApex: '{name} is not the apex of a zone. Only the apex has records of type {type}: {zone}',
  NameServerUnknown: 'The addresses of the name server are unknown.',
  // The name does not exist: NXDOMAIN.
  NamespaceNotFound: 'There is no namespace {namespace}.',
  NamespaceNotVisible: 'Namespace {namespace} is not visible to DNS; only these namespaces are: {namespaces}.',
  ServiceNotFound: 'There is no Service {service} in namespace {namespace}.',
  PortNotFound: 'Service {service} has no port _{port}._{protocol}; it has {ports}.',
  EndpointNotFound: 'Service {service} has no ready endpoint named {endpoint}; its ready endpoints are {endpoints}.',
  NoReadyEndpoints: 'Service {service} is headless and has no ready endpoint.',
  ServiceHasNoEndpoints: 'Service {service} has no ready endpoint, so no name below it exists.',
  ServiceIsEmpty: 'Service {service} has no ready endpoint, and DNS hides such Services ("ignore empty_service").',
  EndpointsNotServed: 'Service {service} resolves to endpoints, which DNS does not serve ("noendpoints").',
  ExternalNameIsAddress: 'The externalName of Service {service} is the address {target}, not a DNS name.',
  ExternalNameHasNoLabels: 'Service {service} is of type ExternalName, so no name below it exists.',
  PodsDisabled: 'DNS does not serve names of pods ("pods disabled").',
  PodNotFound: 'No pod in namespace {namespace} has the address {address}.',
  PodNameInvalid: '{pod} is not the address of a pod.',
  AddressNotFound: 'No Service and no ready endpoint has the address {address}.',
  TextNotFound: '{name} has no records.',
  WildcardMatchesNothing: '{name} contains a wildcard that matches no Service.',
  NameTooDeep: '{name} has {count} labels before the Service; at most two are allowed: port and protocol.',
  NameNotOfCluster: '{label} is neither "svc" nor "pod"; names of Services and pods have one of these labels before {zone}',
  NameIsReverse: '{name} is in a reverse zone, which has no Services.',
  // Other outcomes.
  NameServerHasNoAddress: 'A Service of the name server has no IP address.',
  NotInZone: '{name} is in none of the zones {zones}',
  TransferRefused: 'AXFR and IXFR queries are not answered here.',
  NameMalformed: '{name} is not a valid name: {problem}.',
};

/** How to fix the problem, for codes that report one. */
export const dnsRemedies: Readonly<Partial<Record<DnsReasonCode, string>>> = {
  ServiceHasNoPorts: 'Declare a port in spec.ports of the Service.',
  ExternalNameHasNoRecord: 'Query another type, or check that spec.externalName of the Service names an existing host.',
  ExternalNameIsItself: 'Set spec.externalName of the Service to another name.',
  NamespaceNotFound: 'Check the spelling, or create the namespace.',
  NamespaceNotVisible: 'Add the namespace to "namespaces" in the configuration of CoreDNS.',
  ServiceNotFound: 'Check the spelling and the namespace: a name without a namespace is looked up in the namespace of the client pod.',
  PortNotFound: 'Use the name, not the number, of a port that the Service has.',
  EndpointNotFound: 'Check that the pod is ready, and that spec.hostname and spec.subdomain of the pod match the name.',
  NoReadyEndpoints:
    'Check why the pods are not ready; if they must find each other before that, set spec.publishNotReadyAddresses of the Service.',
  ServiceHasNoEndpoints: 'Check why the pods of the Service are not ready.',
  ServiceIsEmpty: 'Check why the pods of the Service are not ready.',
  EndpointsNotServed: 'Remove "noendpoints" from the configuration of CoreDNS.',
  ExternalNameIsAddress: 'Use a Service without a selector instead, with an EndpointSlice that has the address.',
  ExternalNameHasNoLabels: 'Use the name of the Service itself.',
  PodsDisabled: 'Set "pods verified" in the configuration of CoreDNS, or use names of Services.',
  PodNotFound: 'Check whether the pod now has another address: the name of a pod changes with its address.',
  PodNameInvalid: 'Write the address of the pod with dashes: "10-0-0-1".',
  NameTooDeep: 'Use SERVICE.NAMESPACE, optionally preceded by an endpoint or by _PORT._PROTOCOL.',
  NameNotOfCluster: 'Use SERVICE.NAMESPACE.svc for a Service, or ADDRESS.NAMESPACE.pod for a pod.',
  WildcardMatchesNothing: 'Use the name of a Service: CoreDNS 1.9 and later do not support wildcards.',
};

/** The message of a reason. */
export const explainAnswer = (reason: DnsReason): string => fill(dnsReasons[reason.code], reason.values);

/** How to fix the problem; undefined if nothing is wrong or no fix is known. */
export function suggestRemedy(reason: DnsReason): string | undefined {
  const remedy = dnsRemedies[reason.code];
  return remedy === undefined ? undefined : fill(remedy, reason.values);
}

const fill = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : placeholder));
