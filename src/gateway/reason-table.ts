/** Why a request reaches its backends or does not, or what the objects and the specifications leave open. */
export type GatewayReasonCode =
  | 'RuleMatches'
  | 'DefaultBackend'
  | 'Invalid'
  | 'HostNotFound'
  | 'PathNotFound'
  | 'RequestNotMatched'
  | 'PortNotFound'
  | 'Misdirected'
  | 'OtherListener'
  | 'SeveralGateways'
  | 'IngressClassNotFound'
  | 'IngressClassUnknown'
  | 'IngressClassMissing'
  | 'IngressClassAnnotated'
  | 'IngressClassDefault'
  | 'GatewayClassNotFound'
  | 'GatewayClassUnknown'
  | 'GatewayClassNotAccepted'
  | 'GatewayNotReady'
  | 'GatewayHasNoAddress'
  | 'ListenerNotReady'
  | 'ListenerSetNotAllowed'
  | 'NoParent'
  | 'ParentNotFound'
  | 'ParentUnknown'
  | 'SectionNotFound'
  | 'KindNotAllowed'
  | 'NamespaceNotAllowed'
  | 'NamespaceUnknown'
  | 'HostnameNotAllowed'
  | 'RouteNotAccepted'
  | 'RefsNotResolved'
  | 'ServiceNotFound'
  | 'ServicesUnknown'
  | 'ServicePortNotFound'
  | 'BackendWithoutPort'
  | 'BackendKindUnknown'
  | 'ExternalNameService'
  | 'ReferenceNotGranted'
  | 'ReferenceGrantsUnknown'
  | 'ZeroWeight'
  | 'NoBackend'
  | 'RegexUnknown'
  | 'RegexPrecedence'
  | 'ImplementationSpecificPath'
  | 'RulesConflict'
  | 'HostFallthrough'
  | 'FilterUnknown'
  | 'SecretNotFound'
  | 'SecretsUnknown'
  | 'CertificateNotGranted'
  | 'CertificateMissing'
  | 'HttpsRedirectPossible';

export interface GatewayReasonRow {
  /** An error may concern a part of the requests. A note changes no outcome. */
  readonly verdict: 'ok' | 'note' | 'error' | 'unknown';
  /** A sentence with placeholders in braces. */
  readonly message: string;
  readonly remedy?: string;
}

const createRow =
  (verdict: GatewayReasonRow['verdict']) =>
  (message: string, remedy?: string): GatewayReasonRow => ({ verdict, message, ...(remedy !== undefined && { remedy }) });
const [ok, note, error, unknown] = [createRow('ok'), createRow('note'), createRow('error'), createRow('unknown')];

/**
 * All reasons by code: the verdict, a sentence with placeholders in braces, and what to do. "unknown" means that the specifications, or the
 * given objects, leave it open. A "note" changes no outcome.
 */
export const gatewayReasons: Readonly<Record<GatewayReasonCode, GatewayReasonRow>> = {
  RuleMatches: ok('{path} of {object} matches first: {match}.'),
  DefaultBackend: ok('No rule matches, so {path} of {object} receives the request.'),

  Invalid: error('{path} of {object} {problem}.', 'Correct the field: an API server refuses this object.'),

  HostNotFound: error(
    'No Ingress, and no route that is attached to a listener, is for the host {host}{nearest}.',
    'Add the host to an Ingress or a route.',
  ),
  PathNotFound: error('No rule for the host {host} matches the path {requestPath}{nearest}.', 'Add a rule for this path.'),
  RequestNotMatched: error('{path} of {object} matches the path, but requires {condition}.', 'Change the request or the rule.'),
  PortNotFound: error('No listener serves {scheme} on port {port}{declared}.', 'Connect to the port of a listener, or add a listener.'),
  Misdirected: error(
    'The TLS handshake for {sni} is served by listener {listener}, but the host {host} belongs to listener {other}.',
    'Use one name for both.',
  ),
  OtherListener: error(
    '{path} of {object} matches, but the route is attached to {others}, and the request arrives at {listener}.',
    'Attach the route to this listener.',
  ),
  SeveralGateways: unknown(
    'Several entry points answer for this request, and its address decides which of them does: {entries}.',
    'Name the Gateway or the class of Ingresses that the client connects to.',
  ),

  IngressClassNotFound: error(
    '{path} of {object} names the IngressClass {class}, which does not exist{nearest}.',
    'Install the controller, or name an existing class.',
  ),
  IngressClassUnknown: unknown(
    '{path} of {object} names {class}, and the IngressClasses are not among the objects.',
    'Add the IngressClasses to the objects.',
  ),
  IngressClassMissing: unknown(
    '{object} names no IngressClass, and there is no default one: it depends on the Ingress controller whether it is served.',
    'Set spec.ingressClassName.',
  ),
  IngressClassAnnotated: unknown(
    'The deprecated annotation of {object} has the class {class}, which is no IngressClass: it depends on the controller.',
    'Set spec.ingressClassName instead of the annotation kubernetes.io/ingress.class.',
  ),
  IngressClassDefault: note(
    '{object} names no IngressClass; an API server sets the default one, {class}, only when an Ingress is created.',
    'Set spec.ingressClassName.',
  ),
  GatewayClassNotFound: error(
    '{path} of {object} names the GatewayClass {class}, which does not exist{nearest}.',
    'Install the controller, or name an existing class.',
  ),
  GatewayClassUnknown: unknown(
    '{path} of {object} names {class}, and the GatewayClasses are not among the objects.',
    'Add the GatewayClasses to the objects.',
  ),
  GatewayClassNotAccepted: error('No controller has accepted {object}{status}.', 'Check that the controller runs, and its log.'),
  GatewayNotReady: error('{object} is not accepted or not programmed{status}.', 'Correct what the condition reports.'),
  GatewayHasNoAddress: error(
    'The status of {object} has no address, so no client can connect to it.',
    'Check the load balancer of the Gateway.',
  ),
  ListenerNotReady: error('{path} of {object} is not served{status}.', 'Correct what the condition reports.'),
  ListenerSetNotAllowed: error(
    '{object} is not attached: spec.allowedListeners of {parent} does not allow its namespace.',
    'Set spec.allowedListeners.namespaces of the Gateway.',
  ),

  NoParent: error('{object} has no parentRefs, so it is not attached.', 'Add a Gateway to spec.parentRefs.'),
  ParentNotFound: error(
    '{path} of {object} names {parent}, which does not exist{nearest}.',
    'Create it, or correct the name and namespace.',
  ),
  ParentUnknown: unknown(
    '{path} of {object} names {parent}, which is not among the objects, or of a kind that is not evaluated.',
    'Add the parent to the objects.',
  ),
  SectionNotFound: error('{path} of {object} selects no listener of {parent}: {wanted}{declared}.', 'Correct sectionName and port.'),
  KindNotAllowed: error(
    '{path} of {object} is not attached: listener {listener} of {parent} allows only {kinds}.',
    'Attach the route to a listener for its kind.',
  ),
  NamespaceNotAllowed: error(
    '{path} of {object} is not attached: listener {listener} of {parent} does not allow routes of namespace {namespace}{from}.',
    'Change allowedRoutes.namespaces of the listener.',
  ),
  NamespaceUnknown: unknown(
    'Listener {listener} of {parent} selects namespaces by labels, and those of namespace {namespace} are not among the objects.',
    'Add the namespace to the objects.',
  ),
  HostnameNotAllowed: error(
    '{path} of {object} is not attached: its hostnames do not intersect with {hostname} of listener {listener} of {parent}.',
    'Change the hostnames of the route or listener.',
  ),
  RouteNotAccepted: error('{parent} has not accepted {object}{status}.', 'Correct what the condition reports.'),
  RefsNotResolved: unknown('The controller could not resolve all references of {object}{status}.', 'Correct what the condition reports.'),

  ServiceNotFound: error(
    '{path} of {object} names Service {service}, which does not exist{nearest}.',
    'Create it, or correct the name and namespace.',
  ),
  ServicesUnknown: unknown(
    '{path} of {object} names Service {service}, and the Services are not among the objects.',
    'Add the Services to the objects.',
  ),
  ServicePortNotFound: error(
    '{path} of {object} names port {port}, which Service {service} does not have{declared}.',
    'Use a port of the Service, not a targetPort.',
  ),
  BackendWithoutPort: error('{path} of {object} names no port of Service {service}{declared}.', 'Name a port of the Service.'),
  BackendKindUnknown: unknown(
    '{path} of {object} is {backend}: only Services are evaluated.',
    'Check that the implementation supports it.',
  ),
  ExternalNameService: unknown(
    '{path} of {object} names Service {service} of type ExternalName, which implementations should not support.',
    'Use a Service with endpoints.',
  ),
  ReferenceNotGranted: error(
    '{path} of {object} refers to namespace {namespace}, and no ReferenceGrant there allows it.',
    'Create a ReferenceGrant in namespace {namespace}, from {kind} of namespace {from}, to {target}.',
  ),
  ReferenceGrantsUnknown: unknown(
    '{path} of {object} refers to namespace {namespace}, and the ReferenceGrants are not among the objects.',
    'Add the ReferenceGrants to the objects.',
  ),
  ZeroWeight: note('{path} of {object} has weight 0 and receives no requests.', 'Set a weight above 0.'),
  NoBackend: error('{path} of {object} has no backend with a weight above 0.', 'Add a backend, or set a weight above 0.'),

  RegexUnknown: unknown(
    '{path} of {object} has the regular expression {pattern}, whose dialect depends on the implementation.',
    'Use an exact or prefix match, or pass matchRegex.',
  ),
  RegexPrecedence: unknown(
    '{path} of {object} matches by a regular expression, whose precedence depends on the implementation: {other} matches, too.',
    'Use an exact or prefix match for the path.',
  ),
  ImplementationSpecificPath: unknown(
    '{path} of {object} has the pathType ImplementationSpecific: the IngressClass decides what it matches.',
    'Use the pathType Exact or Prefix.',
  ),
  RulesConflict: unknown(
    '{path} of {object} and {other} match equally well: the specification leaves open which of them is used.',
    'Leave this host and path in one of them.',
  ),
  HostFallthrough: unknown(
    '{path} of {object} matches, but other rules have a more specific host: it depends on the controller whether it is used.',
    'Add the path to a rule with the host {host}.',
  ),
  FilterUnknown: unknown(
    '{path} of {object} is a filter of type {type}, which may answer or change the request.',
    'Check what the implementation does.',
  ),

  SecretNotFound: error('{path} of {object} names Secret {secret}, which does not exist.', 'Create it, or correct the name.'),
  SecretsUnknown: note(
    '{path} of {object} names Secret {secret}, and the Secrets are not among the objects.',
    'Check that the Secret exists.',
  ),
  CertificateNotGranted: note(
    '{path} of {object} names a Secret of namespace {namespace}, and no ReferenceGrant among the objects allows it.',
    'Create a ReferenceGrant in namespace {namespace}, from Gateway of namespace {from}, to Secret.',
  ),
  CertificateMissing: note(
    'spec.tls of {object} does not list the host {host}: the controller may use a default certificate.',
    'Add the host to spec.tls.',
  ),
  HttpsRedirectPossible: note('spec.tls of {object} lists the host {host}: many controllers redirect http to https.', 'Request https.'),
};
