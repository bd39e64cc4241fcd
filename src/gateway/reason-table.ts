import type { GatewayReasonCode, GatewayReasonRow } from './reasons.ts';

/**
 * All reasons by code: the verdict, a sentence with placeholders in braces, and what to do. "unknown" means that the specifications, or the
 * given objects, leave it open. A "note" changes no outcome.
 */
export const gatewayReasons: Readonly<Record<GatewayReasonCode, GatewayReasonRow>> = {
  RuleMatches: { verdict: 'ok', message: '{path} of {object} matches first: {match}.' },
  DefaultBackend: { verdict: 'ok', message: 'No rule matches, so {path} of {object} receives the request.' },

  Invalid: { verdict: 'error', message: '{path} of {object} {problem}.', remedy: 'Correct the field: an API server refuses this object.' },

  HostNotFound: {
    verdict: 'error',
    message: 'No Ingress, and no route that is attached to a listener, is for the host {host}{nearest}.',
    remedy: 'Request a host that has a rule, or add the host to an Ingress or a route.',
  },
  PathNotFound: {
    verdict: 'error',
    message: 'No rule for the host {host} matches the path {requestPath}{nearest}.',
    remedy: 'Request a path that has a rule, or add a rule for this one.',
  },
  RequestNotMatched: {
    verdict: 'error',
    message: '{path} of {object} matches the path, but requires {condition}.',
    remedy: 'Change the request, or the conditions of the rule.',
  },
  PortNotFound: {
    verdict: 'error',
    message: 'No listener serves {scheme} on port {port}{declared}.',
    remedy: 'Connect to the port of a listener, or add a listener.',
  },
  Misdirected: {
    verdict: 'error',
    message: 'The TLS handshake for {sni} is served by listener {listener}, but the host {host} belongs to listener {other}.',
    remedy: 'Use the same name for the TLS handshake and the Host header.',
  },
  OtherListener: {
    verdict: 'error',
    message: '{path} of {object} matches, but the route is attached to {others}, and the request arrives at {listener}.',
    remedy: 'Attach the route to the listener with the most specific hostname for the request.',
  },
  SeveralGateways: {
    verdict: 'unknown',
    message: 'Several entry points answer for this request, and its address decides which of them does: {entries}.',
    remedy: 'Name the Gateway or the class of Ingresses that the client connects to.',
  },

  IngressClassNotFound: {
    verdict: 'error',
    message: '{path} of {object} names the IngressClass {class}, which does not exist{nearest}.',
    remedy: 'Install the Ingress controller, or name an existing IngressClass.',
  },
  IngressClassUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} names the IngressClass {class}, and the IngressClasses are not among the objects.',
    remedy: 'Add the IngressClasses to the objects.',
  },
  IngressClassMissing: {
    verdict: 'unknown',
    message: '{object} names no IngressClass, and there is no default one: it depends on the Ingress controller whether it is served.',
    remedy: 'Set spec.ingressClassName.',
  },
  IngressClassAnnotated: {
    verdict: 'unknown',
    message: 'The deprecated annotation of {object} has the class {class}, which is no IngressClass: it depends on the controller.',
    remedy: 'Set spec.ingressClassName instead of the annotation kubernetes.io/ingress.class.',
  },
  IngressClassDefault: {
    verdict: 'note',
    message: '{object} names no IngressClass; an API server sets the default one, {class}, only when an Ingress is created.',
    remedy: 'Set spec.ingressClassName.',
  },
  GatewayClassNotFound: {
    verdict: 'error',
    message: '{path} of {object} names the GatewayClass {class}, which does not exist{nearest}.',
    remedy: 'Install an implementation of Gateway API, or name an existing GatewayClass.',
  },
  GatewayClassUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} names the GatewayClass {class}, and the GatewayClasses are not among the objects.',
    remedy: 'Add the GatewayClasses to the objects.',
  },
  GatewayClassNotAccepted: {
    verdict: 'error',
    message: 'No controller has accepted {object}{status}.',
    remedy: 'Check that the controller of the GatewayClass runs, and its log.',
  },
  GatewayNotReady: {
    verdict: 'error',
    message: '{object} is not accepted or not programmed{status}.',
    remedy: 'Correct what the condition reports; otherwise check the controller of the GatewayClass.',
  },
  GatewayHasNoAddress: {
    verdict: 'error',
    message: 'The status of {object} has no address, so no client can connect to it.',
    remedy: 'Check the Service or load balancer that the implementation creates for the Gateway.',
  },
  ListenerNotReady: {
    verdict: 'error',
    message: '{path} of {object} is not served{status}.',
    remedy: 'Correct what the condition of the listener reports.',
  },
  ListenerSetNotAllowed: {
    verdict: 'error',
    message: '{object} is not attached: spec.allowedListeners of {parent} does not allow its namespace.',
    remedy: 'Set spec.allowedListeners.namespaces of the Gateway.',
  },

  NoParent: {
    verdict: 'error',
    message: '{object} has no parentRefs, so it is not attached.',
    remedy: 'Add a Gateway to spec.parentRefs.',
  },
  ParentNotFound: {
    verdict: 'error',
    message: '{path} of {object} names {parent}, which does not exist{nearest}.',
    remedy: 'Create the parent, or correct the name and namespace.',
  },
  ParentUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} names {parent}, and its kind is not modelled or not among the objects.',
    remedy: 'Add the parent to the objects. Routes of Services (mesh) are not modelled.',
  },
  SectionNotFound: {
    verdict: 'error',
    message: '{path} of {object} selects no listener of {parent}: {wanted}{declared}.',
    remedy: 'Correct sectionName and port.',
  },
  KindNotAllowed: {
    verdict: 'error',
    message: '{path} of {object} is not attached: listener {listener} of {parent} allows only {kinds}.',
    remedy: 'Attach the route to a listener for its kind, or add the kind to allowedRoutes.kinds.',
  },
  NamespaceNotAllowed: {
    verdict: 'error',
    message: '{path} of {object} is not attached: listener {listener} of {parent} does not allow routes of namespace {namespace}{from}.',
    remedy: 'Change allowedRoutes.namespaces of the listener, or the labels or namespace of the route.',
  },
  NamespaceUnknown: {
    verdict: 'unknown',
    message: 'Listener {listener} of {parent} selects namespaces by labels, and those of namespace {namespace} are not among the objects.',
    remedy: 'Add the namespace to the objects.',
  },
  HostnameNotAllowed: {
    verdict: 'error',
    message: '{path} of {object} is not attached: its hostnames do not intersect with {hostname} of listener {listener} of {parent}.',
    remedy: 'Change spec.hostnames of the route, or the hostname of the listener.',
  },
  RouteNotAccepted: {
    verdict: 'error',
    message: '{parent} has not accepted {object}{status}.',
    remedy: 'Correct what the condition Accepted of the route reports.',
  },
  RefsNotResolved: {
    verdict: 'unknown',
    message: 'The controller could not resolve all references of {object}{status}.',
    remedy: 'Correct what the condition ResolvedRefs of the route reports.',
  },

  ServiceNotFound: {
    verdict: 'error',
    message: '{path} of {object} names Service {service}, which does not exist{nearest}.',
    remedy: 'Create the Service, or correct its name and namespace.',
  },
  ServicesUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} names Service {service}, and the Services are not among the objects.',
    remedy: 'Add the Services to the objects.',
  },
  ServicePortNotFound: {
    verdict: 'error',
    message: '{path} of {object} names port {port}, which Service {service} does not have{declared}.',
    remedy: 'Use the number of a port of the Service, not its targetPort; an Ingress may also use its name.',
  },
  BackendKindUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} is {backend}: only Services are modelled.',
    remedy: 'Check in the documentation of the implementation that it supports this kind.',
  },
  ExternalNameService: {
    verdict: 'unknown',
    message: '{path} of {object} names Service {service} of type ExternalName, which implementations should not support.',
    remedy: 'Use a Service with endpoints.',
  },
  ReferenceNotGranted: {
    verdict: 'error',
    message: '{path} of {object} refers to namespace {namespace}, and no ReferenceGrant there allows it.',
    remedy: 'Create a ReferenceGrant in namespace {namespace}, from {kind} of namespace {from}, to {target}.',
  },
  ReferenceGrantsUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} refers to namespace {namespace}, and the ReferenceGrants are not among the objects.',
    remedy: 'Add the ReferenceGrants to the objects.',
  },
  ZeroWeight: { verdict: 'note', message: '{path} of {object} has weight 0 and receives no requests.', remedy: 'Set a weight above 0.' },
  NoBackend: {
    verdict: 'error',
    message: '{path} of {object} has no backend with a weight above 0.',
    remedy: 'Add a backend, or set a weight above 0.',
  },

  RegexUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} has the regular expression {pattern}, whose dialect depends on the implementation.',
    remedy: 'Use an exact or prefix match, or pass matchRegex.',
  },
  RegexPrecedence: {
    verdict: 'unknown',
    message: '{path} of {object} matches by a regular expression, whose precedence depends on the implementation: {other} matches, too.',
    remedy: 'Use an exact or prefix match for the path.',
  },
  ImplementationSpecificPath: {
    verdict: 'unknown',
    message: '{path} of {object} has the pathType ImplementationSpecific: the IngressClass decides what it matches.',
    remedy: 'Use the pathType Exact or Prefix.',
  },
  RulesConflict: {
    verdict: 'unknown',
    message: '{path} of {object} and {other} match equally well: the specification leaves open which of them is used.',
    remedy: 'Leave this host and path in one of them.',
  },
  HostFallthrough: {
    verdict: 'unknown',
    message: '{path} of {object} matches, but other rules have a more specific host: it depends on the controller whether it is used.',
    remedy: 'Add the path to a rule with the host {host}.',
  },
  FilterUnknown: {
    verdict: 'unknown',
    message: '{path} of {object} is a filter of type {type}, which may answer or change the request.',
    remedy: 'Check in the documentation of the implementation what the filter does.',
  },

  SecretNotFound: {
    verdict: 'error',
    message: '{path} of {object} names Secret {secret}, which does not exist.',
    remedy: 'Create the Secret with the certificate, or correct its name.',
  },
  SecretsUnknown: {
    verdict: 'note',
    message: '{path} of {object} names Secret {secret}, and the Secrets are not among the objects.',
    remedy: 'Check that the Secret exists.',
  },
  CertificateNotGranted: {
    verdict: 'note',
    message: '{path} of {object} names a Secret of namespace {namespace}, and no ReferenceGrant among the objects allows it.',
    remedy: 'Create a ReferenceGrant in namespace {namespace}, from Gateway of namespace {from}, to Secret.',
  },
  CertificateMissing: {
    verdict: 'note',
    message: 'spec.tls of {object} does not list the host {host}: the controller may use a default certificate.',
    remedy: 'Add the host to spec.tls.',
  },
  HttpsRedirectPossible: {
    verdict: 'note',
    message: 'spec.tls of {object} lists the host {host}: many controllers redirect http to https.',
    remedy: 'Request https.',
  },
};
