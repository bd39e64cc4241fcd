import {
  bytesOf,
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainWithUnderscore,
  type Format,
  findRangeProblems,
  qualifiedName,
} from '../../../formats/names.ts';
import { validateLegacyIP } from '../../field/addresses.ts';
import { type Causes, validateFormat, validateRequiredChoice } from '../../field/causes.ts';
import { child, entries, type Fields, flag, has, list, number, text, texts } from '../../field/read.ts';
import { validateLabels } from '../../metadata/validate.ts';
import { containersWithPaths } from '../warnings/containers.ts';
import { validateAffinity } from './affinity.ts';
import { mirrorAnnotation } from './annotations.ts';
import { validatePodClaims } from './claims.ts';
import { validateContainers, validateInitContainers } from './containers.ts';
import { validateFileVolumes } from './env.ts';
import { validateHostProcess } from './host-process.ts';
import { validatePodResources, validateRequirements } from './resources.ts';
import { validatePodSecurity } from './security.ts';
import { validateSpread } from './spread.ts';
import { validateTolerations } from './tolerations.ts';
import { validateVolumes } from './volumes.ts';

/**
 * Mirrors ValidatePodSpec (pkg/apis/core/validation, 1.36), except for most Windows-specific rules.
 * @param isTemplate whether the object is a pod template
 */
export function validateSpec(object: Fields, causes: Causes, isTemplate: boolean = false): void {
  const spec = child(object, 'spec');
  if (!has(spec, 'terminationGracePeriodSeconds')) causes.required('spec.terminationGracePeriodSeconds');
  const volumes = validateVolumes(spec, isTemplate ? undefined : text(child(object, 'metadata'), 'name'), causes);
  validatePodClaims(spec, Object.hasOwn(child(child(object, 'metadata'), 'annotations'), mirrorAnnotation), causes);
  validateContainers(spec, volumes, causes);
  validateInitContainers(spec, volumes, causes);
  validatePodResources(spec, causes);
  if (flag(spec, 'hostNetwork')) validateHostPorts(spec, causes);
  validateRequiredChoice(spec, 'restartPolicy', 'spec.restartPolicy', ['Always', 'OnFailure', 'Never'], causes);
  validateRequiredChoice(spec, 'dnsPolicy', 'spec.dnsPolicy', dnsPolicies, causes);
  validateLabels(entries(spec, 'nodeSelector'), 'spec.nodeSelector', causes);
  validatePodSecurity(spec, causes);
  validateAffinity(child(spec, 'affinity'), causes);
  validateDns(spec, causes);
  validateGates(spec, causes);
  validateSpread(list(spec, 'topologySpreadConstraints'), causes);
  validateHostProcess(spec, causes);
  validateHostUsers(spec, causes);
  validateHostnameOverride(spec, causes);
  validateNames(spec, causes);
  validateTolerations(list(spec, 'tolerations'), 'spec.tolerations', causes);
  validateHostAliases(list(spec, 'hostAliases'), causes);
  validateClasses(spec, causes);
  validateOS(spec, causes);
  validateFileVolumes(spec, causes);
}

const dnsPolicies: readonly string[] = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function validateHostPorts(spec: Fields, causes: Causes): void {
  for (const [i, container] of list(spec, 'containers').entries()) {
    for (const [j, port] of list(container, 'ports').entries()) {
      const hostPort = number(port, 'hostPort');
      if (hostPort === number(port, 'containerPort')) continue;
      const field = `spec.containers[${i}].ports[${j}].hostPort`;
      causes.invalid(field, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

function validateDns(spec: Fields, causes: Causes): void {
  const field = 'spec.dnsConfig';
  const config = child(spec, 'dnsConfig');
  const nameservers = texts(config, 'nameservers');
  if (text(spec, 'dnsPolicy') === 'None') {
    if (!has(spec, 'dnsConfig')) {
      causes.required(field, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (nameservers.length === 0) {
      causes.required(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
      return;
    }
  }
  if (nameservers.length > 3) causes.invalid(`${field}.nameservers`, nameservers, 'must not have more than 3 nameservers');
  for (const [i, each] of nameservers.entries()) validateLegacyIP(each, `${field}.nameservers[${i}]`, causes);
  const searches = texts(config, 'searches');
  if (searches.length > 32) causes.invalid(`${field}.searches`, searches, 'must not have more than 32 search paths');
  if (bytesOf(searches.join(' ')) > 2048) {
    causes.invalid(`${field}.searches`, searches, 'must not have more than 2048 characters (including spaces) in the search list');
  }
  for (const [i, each] of searches.entries()) {
    if (each !== '.') validateFormat(each.replace(/\.$/, ''), dns1123SubdomainWithUnderscore, `${field}.searches[${i}]`, causes);
  }
  for (const [i, option] of list(config, 'options').entries()) {
    if (text(option, 'name') === '') causes.required(`${field}.options[${i}]`, 'must not be empty');
  }
}

function validateGates(spec: Fields, causes: Causes): void {
  for (const [i, gate] of list(spec, 'readinessGates').entries()) {
    validateFormat(text(gate, 'conditionType'), qualifiedName, `spec.readinessGates[${i}].conditionType`, causes);
  }
  const names = list(spec, 'schedulingGates').map((gate) => text(gate, 'name'));
  for (const [i, name] of names.entries()) {
    validateFormat(name, qualifiedName, `spec.schedulingGates[${i}]`, causes);
    if (names.indexOf(name) < i) causes.duplicate(`spec.schedulingGates[${i}]`, name);
  }
}

/** Upstream capitalizes the field paths of hostPID and hostIPC. */
function validateHostUsers(spec: Fields, causes: Causes): void {
  if (spec['hostUsers'] !== false) return;
  const detail = 'when `hostUsers` is false';
  if (flag(spec, 'hostNetwork')) causes.forbidden('spec.hostNetwork', detail);
  if (flag(spec, 'hostPID')) causes.forbidden('spec.HostPID', detail);
  if (flag(spec, 'hostIPC')) causes.forbidden('spec.HostIPC', detail);
  for (const { container, path } of containersWithPaths(spec)) {
    if (list(container, 'volumeDevices').length > 0) causes.forbidden(`${path}.volumeDevices`, detail);
  }
}

function validateHostnameOverride(spec: Fields, causes: Causes): void {
  if (!has(spec, 'hostnameOverride')) return;
  const field = 'spec.hostnameOverride';
  const value = text(spec, 'hostnameOverride');
  if (flag(spec, 'setHostnameAsFQDN')) causes.forbidden(field, 'may not be specified when setHostnameAsFQDN is true');
  if (flag(spec, 'hostNetwork')) causes.forbidden(field, 'may not be specified when hostNetwork is true');
  if (bytesOf(value) > 64) causes.tooLong(field, 64);
  validateFormat(value, dns1123Subdomain, field, causes);
}

/** Names of other objects, and the pod's own DNS names. */
const nameFormats: readonly (readonly [name: string, format: Format])[] = [
  ['serviceAccountName', dns1123Subdomain],
  ['nodeName', dns1123Subdomain],
  ['hostname', dns1123Label],
  ['subdomain', dns1123Label],
  ['priorityClassName', dns1123Subdomain],
];

function validateNames(spec: Fields, causes: Causes): void {
  for (const [name, format] of nameFormats) if (text(spec, name) !== '') validateFormat(text(spec, name), format, `spec.${name}`, causes);
  if (!has(spec, 'activeDeadlineSeconds')) return;
  const seconds = number(spec, 'activeDeadlineSeconds');
  for (const message of findRangeProblems(seconds, 1, 2 ** 31 - 1)) causes.invalid('spec.activeDeadlineSeconds', seconds, message);
}

function validateHostAliases(aliases: readonly Fields[], causes: Causes): void {
  for (const [i, alias] of aliases.entries()) {
    validateLegacyIP(text(alias, 'ip'), `spec.hostAliases[${i}].ip`, causes);
    for (const [j, hostname] of texts(alias, 'hostnames').entries()) {
      validateFormat(hostname, dns1123Subdomain, `spec.hostAliases[${i}].hostnames[${j}]`, causes);
    }
  }
}

function validateClasses(spec: Fields, causes: Causes): void {
  if (has(spec, 'runtimeClassName')) validateFormat(text(spec, 'runtimeClassName'), dns1123Subdomain, 'spec.runtimeClassName', causes);
  if (has(spec, 'preemptionPolicy')) {
    validateRequiredChoice(spec, 'preemptionPolicy', 'spec.preemptionPolicy', ['PreemptLowerPriority', 'Never'], causes);
  }
  if (has(spec, 'overhead')) validateRequirements({ limits: spec['overhead'] }, 'spec.overhead', 'container', causes);
}

function validateOS(spec: Fields, causes: Causes): void {
  if (!has(spec, 'os')) return;
  const os = child(spec, 'os');
  if (text(os, 'name') === '') causes.required('spec.os.name');
  else validateRequiredChoice(os, 'name', 'spec.os', ['linux', 'windows'], causes);
  if (text(os, 'name') !== 'linux') return;
  const forbid = (field: string): void => causes.forbidden(`${field}.windowsOptions`, 'windows options cannot be set for a linux pod');
  if (has(child(spec, 'securityContext'), 'windowsOptions')) forbid('spec.securityContext');
  for (const { container, path } of containersWithPaths(spec)) {
    if (has(child(container, 'securityContext'), 'windowsOptions')) forbid(`${path}.securityContext`);
  }
}
