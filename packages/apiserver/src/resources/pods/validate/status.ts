import { canonicalIP, isIPv6 } from 'kube-endpoints/internal/apimachinery';
import { dns1123Subdomain, qualifiedName } from '../../../formats/names.ts';
import { validateLegacyIP } from '../../field/addresses.ts';
import { asJson, type Causes, validateFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, number, text } from '../../field/read.ts';
import { immutableMessage, validateMetadataUpdate } from '../../metadata/validate.ts';
import { validateAnnotationsUpdate } from './annotations.ts';
import { validateClaimStatuses } from './claims.ts';

/** Mirrors ValidatePodStatusUpdate (pkg/apis/core/validation, 1.36), except for users and volumes of containers. */
export function validatePodStatusUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  validateAnnotationsUpdate(object, old, causes);
  const [status, oldStatus] = [child(object, 'status'), child(old, 'status')];
  validateConditions(list(status, 'conditions'), causes);
  validateNomination(text(status, 'nominatedNodeName'), old, causes);
  if (number(status, 'observedGeneration') < 0) {
    causes.invalid('status.observedGeneration', number(status, 'observedGeneration'), 'must be a non-negative integer');
  }
  const qos = text(status, 'qosClass');
  if (qos !== text(oldStatus, 'qosClass')) causes.invalid('status.qosClass', asJson(qos), immutableMessage);
  const spec = child(old, 'spec');
  validateTransitions(status, oldStatus, 'containerStatuses', spec, list(spec, 'containers'), causes);
  validateTransitions(status, oldStatus, 'initContainerStatuses', spec, list(spec, 'initContainers'), causes);
  validateClaimStatuses(status, child(object, 'spec'), causes);
  validateIPs(status, oldStatus, 'podIPs', causes);
  const hostIPs = list(status, 'hostIPs');
  const firstHostIP = text(hostIPs[0] ?? {}, 'ip');
  if (hostIPs.length > 0 && text(status, 'hostIP') !== firstHostIP)
    causes.invalid('status.hostIPs[0].ip', firstHostIP, 'must be equal to `hostIP`');
  validateIPs(status, oldStatus, 'hostIPs', causes);
}

const systemConditions: readonly string[] = ['PodScheduled', 'Ready', 'Initialized'];

function validateConditions(conditions: readonly Fields[], causes: Causes): void {
  for (const [i, condition] of conditions.entries()) {
    const [field, generation, type] = [`status.conditions[${i}]`, number(condition, 'observedGeneration'), text(condition, 'type')];
    if (generation < 0) causes.invalid(`${field}.observedGeneration`, generation, 'must be a non-negative integer');
    if (!systemConditions.includes(type)) validateFormat(type, qualifiedName, `${field}.Type`, causes);
  }
}

function validateNomination(name: string, old: Fields, causes: Causes): void {
  if (name === '' || name === text(child(old, 'status'), 'nominatedNodeName')) return;
  validateFormat(name, dns1123Subdomain, 'status.nominatedNodeName', causes);
  if (text(child(old, 'spec'), 'nodeName') !== '') {
    causes.forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node');
  }
}

/** Mirrors ValidateContainerStateTransition: a terminated container must not leave that state unless its restart policy restarts it. */
function validateTransitions(
  status: Fields,
  oldStatus: Fields,
  name: string,
  spec: Fields,
  containers: readonly Fields[],
  causes: Causes,
): void {
  const rules = [...list(spec, 'initContainers'), ...list(spec, 'containers')].flatMap((each) => list(each, 'restartPolicyRules'));
  if (rules.some((rule) => text(rule, 'action') === 'RestartAllContainers')) return;
  for (const [i, old] of list(oldStatus, name).entries()) {
    const state = child(old, 'state');
    if (!has(state, 'terminated')) continue;
    const current = list(status, name).find((each) => text(each, 'name') === text(old, 'name') && !has(child(each, 'state'), 'terminated'));
    if (!current) continue;
    const container = containers.find((each) => text(each, 'name') === text(old, 'name'));
    if (container && shouldRestart(container, text(spec, 'restartPolicy'), number(child(state, 'terminated'), 'exitCode'))) continue;
    causes.forbidden(`status.${name}[${i}].state`, 'may not be transitioned to non-terminated state');
  }
}

/** Mirrors ContainerShouldRestart (pkg/api/v1/pod/util.go, 1.36). */
function shouldRestart(container: Fields, podPolicy: string, exitCode: number): boolean {
  const containerPolicy = text(container, 'restartPolicy');
  if (containerPolicy !== '' && list(container, 'restartPolicyRules').some((rule) => matchesExitCode(rule, exitCode))) return true;
  const policy = ['Always', 'OnFailure', 'Never'].includes(containerPolicy) ? containerPolicy : podPolicy;
  return policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never';
}

function matchesExitCode(rule: Fields, exitCode: number): boolean {
  const codes = child(rule, 'exitCodes');
  const isListed = Array.isArray(codes['values']) && codes['values'].includes(exitCode);
  return text(codes, 'operator') === 'In' ? isListed : text(codes, 'operator') === 'NotIn' && !isListed;
}

/** Mirrors validatePodIPs and validateHostIPs: at most one IP per family. */
function validateIPs(status: Fields, oldStatus: Fields, name: 'podIPs' | 'hostIPs', causes: Causes): void {
  const field = `status.${name}`;
  const ips = list(status, name).map((each) => text(each, 'ip'));
  const oldIPs = list(oldStatus, name).map((each) => text(each, 'ip'));
  for (const [i, ip] of ips.entries()) validateLegacyIP(ip, `${field}[${i}]`, causes, oldIPs);
  if (ips.length < 2) return;
  const invalidIndex = ips.findIndex((ip) => canonicalIP(ip) === undefined);
  if (invalidIndex >= 0)
    causes.internal(field, `failed to check for dual stack with error:invalid IP[${invalidIndex}]: ${ips[invalidIndex]}`);
  else if (ips.length === 2 && ips.some(isIPv6) && !ips.every(isIPv6)) return;
  causes.invalid(
    field,
    ips.map((IP) => ({ IP })),
    'may specify no more than one IP for each IP family',
  );
}
