import { type CIDR, parseCIDRSloppy } from 'kube-endpoints/internal/apimachinery';
import { portName, portNumber, qualifiedName } from '../../../formats/names.ts';
import { validateLegacyCIDR } from '../../field/addresses.ts';
import { asJson, type Causes, validateChoice, validateFormat } from '../../field/causes.ts';
import { validateLabelSelector } from '../../field/label-selector.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';
import { validateAtMost100Percent, validateImmutable, validateIntOrPercent, validateNonNegative } from './rules.ts';

/** Mirrors ValidatePodDisruptionBudgetSpec (pkg/apis/policy/validation, 1.36). */
export function validateDisruptionBudget(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  const names = ['minAvailable', 'maxUnavailable'].filter((name) => has(spec, name));
  if (names.length > 1) causes.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set');
  for (const name of names) {
    validateIntOrPercent(spec[name], `spec.${name}`, causes);
    validateAtMost100Percent(spec[name], `spec.${name}`, causes);
  }
  validateLabelSelector(child(spec, 'selector'), 'spec.selector', causes);
  validateChoice(spec, 'unhealthyPodEvictionPolicy', 'spec.unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget'], causes);
}

/** Mirrors ValidatePriorityClass (pkg/apis/scheduling/validation, 1.36). */
export function validatePriorityClass(object: Fields, causes: Causes): void {
  const name = text(child(object, 'metadata'), 'name');
  const known = systemPriorities[name];
  const field = 'metadata.name';
  if (name.startsWith('system-')) {
    const problem = findSystemPriorityProblem(object, name, known);
    if (problem !== undefined) {
      causes.forbidden(field, `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`);
    }
  } else if (number(object, 'value') > maxUserPriority) {
    causes.forbidden('value', `maximum allowed value of a user defined priority is ${maxUserPriority}`);
  }
  if (has(object, 'preemptionPolicy')) validatePreemption(text(object, 'preemptionPolicy'), causes);
}

const maxUserPriority = 1_000_000_000;

const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

function findSystemPriorityProblem(object: Fields, name: string, known: number | undefined): string | undefined {
  if (known === undefined) return `${name} is not a known system priority class`;
  if (number(object, 'value') !== known) return `value of ${name} PriorityClass must be ${known}`;
  return object['globalDefault'] === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePreemption(policy: string, causes: Causes): void {
  if (policy === '') causes.required('preemptionPolicy');
  else if (policy !== 'PreemptLowerPriority' && policy !== 'Never') {
    causes.notSupported('preemptionPolicy', asJson(policy), ['PreemptLowerPriority', 'Never']);
  }
}

export function validatePriorityClassUpdate(object: Fields, old: Fields, causes: Causes): void {
  if (number(object, 'value') !== number(old, 'value')) causes.forbidden('value', 'may not be changed in an update.');
  validateImmutable(object['preemptionPolicy'], old['preemptionPolicy'], 'preemptionPolicy', causes);
}

/** Mirrors ValidateControllerRevisionCreate (pkg/apis/apps/validation, 1.36). */
export function validateRevisionData(object: Fields, causes: Causes): void {
  const { data } = object;
  if (data === undefined || data === null) causes.required('data', 'data is mandatory');
  else if (typeof data !== 'object' || Array.isArray(data)) causes.required('data', 'data must be a valid JSON object');
}

export const validateRevision = (object: Fields, causes: Causes): void => validateNonNegative(object, ['revision'], '', causes);

export function validateRevisionUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateImmutable(object['data'], old['data'], 'data', causes);
}

/** Mirrors ValidateNetworkPolicySpec (pkg/apis/networking/validation, 1.36), accepting no invalid CIDRs of the old object. */
export function validateNetworkPolicy(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  validateLabelSelector(child(spec, 'podSelector'), 'spec.podSelector', causes);
  for (const [direction, peersName] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [i, rule] of list(spec, direction).entries()) {
      const field = `spec.${direction}[${i}]`;
      for (const [j, port] of list(rule, 'ports').entries()) validatePolicyPort(port, `${field}.ports[${j}]`, causes);
      for (const [j, peer] of list(rule, peersName).entries()) validatePeer(peer, `${field}.${peersName}[${j}]`, causes);
    }
  }
  const types = texts(spec, 'policyTypes');
  const allowed = ['Ingress', 'Egress'];
  if (types.length > allowed.length) {
    causes.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes');
    return;
  }
  for (const [i, type] of types.entries()) {
    if (!allowed.includes(type)) causes.notSupported(`spec.policyTypes[${i}]`, asJson(type), allowed);
  }
}

function validatePolicyPort(port: Fields, field: string, causes: Causes): void {
  validateChoice(port, 'protocol', `${field}.protocol`, ['TCP', 'UDP', 'SCTP'], causes);
  const { port: value, endPort } = port;
  if (typeof value === 'number') {
    for (const message of portNumber(value)) causes.invalid(`${field}.port`, value, message);
    if (typeof endPort !== 'number') return;
    if (endPort < value) causes.invalid(`${field}.endPort`, value, 'must be greater than or equal to `port`');
    for (const message of portNumber(endPort)) causes.invalid(`${field}.endPort`, endPort, message);
    return;
  }
  if (endPort !== undefined) {
    const reason = value === undefined ? 'not specified' : 'non-numeric';
    causes.invalid(`${field}.endPort`, endPort, `may not be specified when \`port\` is ${reason}`);
  }
  if (typeof value === 'string') validateFormat(value, portName, `${field}.port`, causes);
}

function validatePeer(peer: Fields, field: string, causes: Causes): void {
  const names = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((name) => has(peer, name));
  for (const name of names) if (name !== 'ipBlock') validateLabelSelector(child(peer, name), `${field}.${name}`, causes);
  if (names.length === 0) causes.required(field, 'must specify a peer');
  else if (names.length > 1 && names.includes('ipBlock')) causes.forbidden(field, 'may not specify both ipBlock and another peer');
  if (names.includes('ipBlock')) validateBlock(child(peer, 'ipBlock'), `${field}.ipBlock`, causes);
}

function validateBlock(block: Fields, field: string, causes: Causes): void {
  const cidr = text(block, 'cidr');
  if (cidr === '') {
    causes.required(`${field}.cidr`);
    return;
  }
  validateLegacyCIDR(cidr, `${field}.cidr`, causes);
  const outer = parseCIDRSloppy(cidr);
  if (!outer) return;
  for (const [i, each] of texts(block, 'except').entries()) {
    validateLegacyCIDR(each, `${field}.except[${i}]`, causes);
    const inner = parseCIDRSloppy(each);
    if (inner && !isStrictSubset(inner, outer)) causes.invalid(`${field}.except[${i}]`, each, 'must be a strict subset of `cidr`');
  }
}

const isStrictSubset = (inner: CIDR, outer: CIDR): boolean => {
  const hostBits = BigInt(outer.hostBits);
  return inner.family === outer.family && inner.hostBits < outer.hostBits && inner.base >> hostBits === outer.base >> hostBits;
};

/** Mirrors ValidateStorageClass (pkg/apis/storage/validation, 1.36), without the rules of allowedTopologies. */
export function validateStorageClass(object: Fields, causes: Causes): void {
  const provisioner = text(object, 'provisioner');
  if (provisioner === '') causes.required('provisioner');
  else for (const message of qualifiedName(provisioner.toLowerCase())) causes.invalid('provisioner', provisioner.toLowerCase(), message);
  if (text(object, 'reclaimPolicy') !== '') validateChoice(object, 'reclaimPolicy', 'reclaimPolicy', ['Delete', 'Retain'], causes);
  const mode = text(object, 'volumeBindingMode');
  if (!has(object, 'volumeBindingMode')) causes.required('volumeBindingMode');
  else if (!bindingModes.includes(mode)) causes.notSupported('volumeBindingMode', asJson(mode), bindingModes);
}

const bindingModes = ['Immediate', 'WaitForFirstConsumer'];

export function validateStorageClassUpdate(object: Fields, old: Fields, causes: Causes): void {
  if (text(object, 'provisioner') === '') causes.required('provisioner');
  if (text(object, 'reclaimPolicy') !== '') validateChoice(object, 'reclaimPolicy', 'reclaimPolicy', ['Delete', 'Retain'], causes);
  validateChoice(object, 'volumeBindingMode', 'volumeBindingMode', bindingModes, causes);
  for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    const value = object[name] ?? (name === 'provisioner' ? '' : undefined);
    validateImmutable(value, old[name], name, causes);
  }
}
