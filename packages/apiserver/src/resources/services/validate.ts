import { validateClusterIPsUpdate } from 'kube-endpoints/allocators';
import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import { dns1123Label, dns1123Subdomain, portNumber, qualifiedName } from '../../formats/names.ts';
import { validateEndpointIP, validateLegacyCIDR, validateLegacyIP } from '../field/addresses.ts';
import { asJson, type Causes, validateChoice, validateFormat, validateRequiredChoice, validateRequiredFormat } from '../field/causes.ts';
import { child, entries, type Fields, has, list, number, text, texts } from '../field/read.ts';
import { validateLabels, validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { isExternal, needsHealthCheck, typesWithInternalPolicy } from './defaults.ts';
import { validatePorts } from './ports.ts';

/** Mirrors ValidateServiceCreate (pkg/apis/core/validation, 1.36). */
export function validateServiceCreate(object: Fields, causes: Causes): void {
  validateMetadata(object, { namespaced: true, name: dns1123Label, knownFinalizers: true }, causes);
  validateService(object, undefined, causes);
}

/** Mirrors ValidateServiceUpdate. */
export function validateServiceUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  causes.add(validateClusterIPsUpdate(object, old));
  validateLoadBalancerClass(object, old, causes);
  validateHealthCheckUnchanged(child(object, 'spec'), child(old, 'spec'), causes);
  validateService(object, old, causes);
}

/** Mirrors ValidateServiceStatusUpdate. */
export function validateServiceStatus(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  const field = 'status.loadBalancer.ingress';
  const ingress = list(child(child(object, 'status'), 'loadBalancer'), 'ingress');
  if (text(child(object, 'spec'), 'type') !== 'LoadBalancer') {
    if (ingress.length > 0) causes.forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  const oldIPs = list(child(child(old, 'status'), 'loadBalancer'), 'ingress').map((each) => text(each, 'ip'));
  for (const [i, each] of ingress.entries()) validateIngress(each, oldIPs, `${field}[${i}]`, causes);
}

function validateIngress(ingress: Fields, oldIPs: readonly string[], field: string, causes: Causes): void {
  const [ip, hostname, mode] = [text(ingress, 'ip'), text(ingress, 'hostname'), text(ingress, 'ipMode')];
  if (ip !== '') validateLegacyIP(ip, `${field}.ip`, causes, oldIPs);
  if (!has(ingress, 'ipMode')) {
    if (ip !== '') causes.required(`${field}.ipMode`, 'must be specified when `ip` is set');
  } else if (ip === '') causes.forbidden(`${field}.ipMode`, 'may not be specified when `ip` is not set');
  else if (mode !== 'VIP' && mode !== 'Proxy') causes.notSupported(`${field}.ipMode`, asJson(mode), ['Proxy', 'VIP']);
  if (hostname === '') return;
  validateFormat(hostname, dns1123Subdomain, `${field}.hostname`, causes);
  if (isIP(hostname)) causes.invalid(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address');
}

const isIP = (value: string): boolean => canonicalIP(value) !== undefined;

function validateService(object: Fields, old: Fields | undefined, causes: Causes): void {
  const spec = child(object, 'spec');
  validateTopologyAnnotations(object, causes);
  validateByType(spec, causes);
  validatePorts(spec, causes, 'fields');
  validateLabels(entries(spec, 'selector'), 'spec.selector', causes);
  validateAffinity(spec, causes);
  const oldIPs = texts(child(old ?? {}, 'spec'), 'externalIPs');
  for (const [i, ip] of texts(spec, 'externalIPs').entries()) {
    if (validateLegacyIP(ip, `spec.externalIPs[${i}]`, causes, oldIPs)) validateEndpointIP(ip, `spec.externalIPs[${i}]`, causes);
  }
  const type = text(spec, 'type');
  validateRequiredChoice(spec, 'type', 'spec.type', serviceTypes, causes);
  validatePorts(spec, causes, 'uniqueness');
  validateSourceRanges(object, old, causes);
  if (has(spec, 'allocateLoadBalancerNodePorts') && type !== 'LoadBalancer') {
    causes.forbidden('spec.allocateLoadBalancerNodePorts', onlyForLoadBalancers);
  }
  // The field path without "spec" is upstream's.
  if (type === 'LoadBalancer' && !has(spec, 'allocateLoadBalancerNodePorts')) causes.required('allocateLoadBalancerNodePorts');
  validateLoadBalancerClass(object, undefined, causes);
  validateExternalTraffic(spec, causes);
  validateInternalTraffic(spec, causes);
  validateTrafficDistribution(spec, causes);
}

const serviceTypes: readonly string[] = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

function validateTopologyAnnotations(object: Fields, causes: Causes): void {
  const annotations = child(child(object, 'metadata'), 'annotations');
  const [hints, mode] = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode'];
  if (!Object.hasOwn(annotations, hints) || !Object.hasOwn(annotations, mode) || annotations[hints] === annotations[mode]) return;
  causes.invalid(`metadata.annotations[${mode}]`, annotations[mode], `must match annotations[${hints}] when both are specified`);
}

const isHeadless = (spec: Fields): boolean => {
  const ips = texts(spec, 'clusterIPs');
  return ips.length === 1 && ips[0] === 'None';
};

function validateByType(spec: Fields, causes: Causes): void {
  const type = text(spec, 'type');
  if (list(spec, 'ports').length === 0 && !isHeadless(spec) && type !== 'ExternalName') causes.required('spec.ports');
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    causes.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`);
  }
  if (type !== 'ExternalName') return;
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    if (has(spec, name)) causes.forbidden(`spec.${name}`, 'may not be set for ExternalName services');
  }
  const name = text(spec, 'externalName').replace(/\.$/, '');
  validateRequiredFormat(name, dns1123Subdomain, 'spec.externalName', causes);
}

function validateAffinity(spec: Fields, causes: Causes): void {
  const affinity = text(spec, 'sessionAffinity');
  validateRequiredChoice(spec, 'sessionAffinity', 'spec.sessionAffinity', ['ClientIP', 'None'], causes);
  const field = 'spec.sessionAffinityConfig';
  if (affinity === 'None' && has(spec, 'sessionAffinityConfig')) {
    causes.forbidden(field, 'must not be set when session affinity is None');
  }
  if (affinity !== 'ClientIP') return;
  const config = child(spec, 'sessionAffinityConfig');
  const clientIP = child(config, 'clientIP');
  const detail = 'when session affinity type is ClientIP';
  if (!has(spec, 'sessionAffinityConfig')) causes.required(field, detail);
  else if (!has(config, 'clientIP')) causes.required(`${field}.clientIP`, detail);
  else if (!has(clientIP, 'timeoutSeconds')) causes.required(`${field}.clientIP.timeoutSeconds`, detail);
  else {
    const seconds = number(clientIP, 'timeoutSeconds');
    if (seconds > 0 && seconds <= maxAffinitySeconds) return;
    causes.invalid(`${field}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`);
  }
}

const maxAffinitySeconds = 86_400;

/** Upstream capitalizes the field path of loadBalancerSourceRanges. */
function validateSourceRanges(object: Fields, old: Fields | undefined, causes: Causes): void {
  const spec = child(object, 'spec');
  const ranges = texts(spec, 'loadBalancerSourceRanges');
  const isLoadBalancer = text(spec, 'type') === 'LoadBalancer';
  if (ranges.length > 0) {
    if (!isLoadBalancer) causes.forbidden('spec.LoadBalancerSourceRanges', onlyForLoadBalancers);
    const oldRanges = texts(child(old ?? {}, 'spec'), 'loadBalancerSourceRanges').map((range) => range.trim());
    for (const [i, range] of ranges.entries()) validateLegacyCIDR(range.trim(), `spec.LoadBalancerSourceRanges[${i}]`, causes, oldRanges);
    return;
  }
  const annotation = child(child(object, 'metadata'), 'annotations')[rangesAnnotation];
  if (typeof annotation !== 'string') return;
  const field = `metadata.annotations[${rangesAnnotation}]`;
  if (!isLoadBalancer) causes.forbidden(field, onlyForLoadBalancers);
  if (old && child(child(old, 'metadata'), 'annotations')[rangesAnnotation] === annotation) return;
  if (annotation.trim() === '') return;
  for (const range of annotation.trim().split(',')) validateLegacyCIDR(range.trim(), field, causes);
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function validateLoadBalancerClass(object: Fields, old: Fields | undefined, causes: Causes): void {
  const [spec, oldSpec] = [child(object, 'spec'), child(old ?? {}, 'spec')];
  const value = spec['loadBalancerClass'] ?? null;
  const isLoadBalancer = text(spec, 'type') === 'LoadBalancer';
  if (isLoadBalancer && text(oldSpec, 'type') === 'LoadBalancer' && value !== (oldSpec['loadBalancerClass'] ?? null)) {
    causes.invalid('spec.loadBalancerClass', asJson(value), 'may not change once set');
  }
  if (value === null) return;
  if (!isLoadBalancer) {
    causes.forbidden('spec.loadBalancerClass', onlyForLoadBalancers);
    return;
  }
  for (const message of qualifiedName(String(value))) causes.invalid('spec.loadBalancerClass', value, message);
}

function validateHealthCheckUnchanged(spec: Fields, oldSpec: Fields, causes: Causes): void {
  if (
    needsHealthCheck(spec) &&
    needsHealthCheck(oldSpec) &&
    number(spec, 'healthCheckNodePort') !== number(oldSpec, 'healthCheckNodePort')
  ) {
    causes.forbidden('spec.healthCheckNodePort', 'field is immutable');
  }
}

/** Mirrors validateServiceExternalTrafficPolicy (pkg/apis/core/validation, 1.36). */
export function validateExternalTraffic(spec: Fields, causes: Causes): void {
  const policy = text(spec, 'externalTrafficPolicy');
  const field = 'spec.externalTrafficPolicy';
  if (!isExternal(spec)) {
    if (policy !== '') causes.invalid(field, asJson(policy), 'may only be set for externally-accessible services');
  } else validateRequiredChoice(spec, 'externalTrafficPolicy', field, trafficPolicies, causes);
  const port = number(spec, 'healthCheckNodePort');
  const portField = 'spec.healthCheckNodePort';
  if (!needsHealthCheck(spec)) {
    if (port === 0) return;
    causes.invalid(portField, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  } else if (port === 0) causes.required(portField);
  else for (const message of portNumber(port)) causes.invalid(portField, port, message);
}

const trafficPolicies: readonly string[] = ['Cluster', 'Local'];

/** Mirrors validateServiceInternalTrafficFieldsValue. */
export function validateInternalTraffic(spec: Fields, causes: Causes): void {
  const isRequired = typesWithInternalPolicy.includes(text(spec, 'type'));
  if (isRequired && !has(spec, 'internalTrafficPolicy')) causes.required('spec.internalTrafficPolicy');
  validateChoice(spec, 'internalTrafficPolicy', 'spec.internalTrafficPolicy', trafficPolicies, causes);
}

/** Mirrors validateServiceTrafficDistribution. */
export function validateTrafficDistribution(spec: Fields, causes: Causes): void {
  if (!has(spec, 'trafficDistribution')) return;
  const value = text(spec, 'trafficDistribution');
  if (!distributions.includes(value)) causes.notSupported('spec.trafficDistribution', value, distributions);
}

const distributions: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
