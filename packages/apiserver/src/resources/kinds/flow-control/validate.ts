import { dns1123Label, dns1123Subdomain } from '../../../formats/names.ts';
import { asJson, type Causes, validateFormat } from '../../field/causes.ts';
import { child, type Fields, has, list, number, sameValue, text, texts } from '../../field/read.ts';
import { createBootstrapObjects, mandatoryName } from './bootstrap.ts';

/** Mirrors ValidateFlowSchema (pkg/apis/flowcontrol/validation, 1.36). */
export function validateFlowSchema(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  const precedence = number(spec, 'matchingPrecedence');
  const field = 'spec.matchingPrecedence';
  if (precedence <= 0) causes.invalid(field, precedence, 'must be a positive value');
  if (precedence > 10_000) causes.invalid(field, precedence, 'must not be greater than 10000');
  if (precedence === 1 && nameOf(object) !== mandatoryName.exempt) {
    causes.invalid(field, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
  if (has(spec, 'distinguisherMethod') && !distinguisherMethods.includes(text(child(spec, 'distinguisherMethod'), 'type'))) {
    causes.notSupported('spec.distinguisherMethod.type', { Type: text(child(spec, 'distinguisherMethod'), 'type') }, distinguisherMethods);
  }
  const level = text(child(spec, 'priorityLevelConfiguration'), 'name');
  if (level === '') causes.required('spec.priorityLevelConfiguration.name', 'must reference a priority level');
  else validateFormat(level, dns1123Subdomain, 'spec.priorityLevelConfiguration.name', causes);
  for (const [i, rule] of list(spec, 'rules').entries()) validatePolicyRule(rule, `spec.rules[${i}]`, causes);
  const mandatorySpec = mandatorySpecOf('FlowSchema', nameOf(object));
  if (mandatorySpec && !sameValue(spec, mandatorySpec))
    causes.invalid('spec', spec, `spec of '${nameOf(object)}' must equal the fixed value`);
  validateConditions(object, causes);
}

const nameOf = (object: Fields): string => text(child(object, 'metadata'), 'name');
const distinguisherMethods = ['ByNamespace', 'ByUser'];

function mandatorySpecOf(kind: string, name: string): Fields | undefined {
  if (name !== mandatoryName.exempt && name !== mandatoryName.catchAll) return undefined;
  const found = createBootstrapObjects().find(({ object }) => object.kind === kind && object.metadata.name === name);
  return found && child(found.object as unknown as Fields, 'spec');
}

function validatePolicyRule(rule: Fields, field: string, causes: Causes): void {
  const subjects = list(rule, 'subjects');
  if (subjects.length === 0) causes.required(`${field}.subjects`, 'subjects must contain at least one value');
  for (const [i, subject] of subjects.entries()) validateSubject(subject, `${field}.subjects[${i}]`, causes);
  const [resourceRules, nonResourceRules] = [list(rule, 'resourceRules'), list(rule, 'nonResourceRules')];
  if (resourceRules.length + nonResourceRules.length === 0) {
    causes.required(field, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  }
  for (const [i, each] of resourceRules.entries()) validateResourceRule(each, `${field}.resourceRules[${i}]`, causes);
  for (const [i, each] of nonResourceRules.entries()) validateNonResourceRule(each, `${field}.nonResourceRules[${i}]`, causes);
}

/** The field of a subject by its kind. */
const subjectFields: Readonly<Record<string, string>> = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' };

function validateSubject(subject: Fields, field: string, causes: Causes): void {
  const kind = text(subject, 'kind');
  const ownField = Object.hasOwn(subjectFields, kind) ? subjectFields[kind] : undefined;
  if (ownField === undefined) {
    causes.notSupported(`${field}.kind`, asJson(kind), Object.keys(subjectFields));
    return;
  }
  if (!has(subject, ownField)) causes.required(`${field}.${ownField}`, `${ownField} is required when subject kind is '${kind}'`);
  else {
    const own = child(subject, ownField);
    const name = text(own, 'name');
    if (name === '') causes.required(`${field}.${ownField}.name`);
    else if (kind === 'ServiceAccount' && name !== '*') validateFormat(name, dns1123Subdomain, `${field}.${ownField}.name`, causes);
    if (kind === 'ServiceAccount') validateSubjectNamespace(text(own, 'namespace'), `${field}.${ownField}.namespace`, causes);
  }
  for (const [otherKind, otherField] of Object.entries(subjectFields)) {
    if (otherKind !== kind && has(subject, otherField)) {
      causes.forbidden(`${field}.${otherField}`, `${otherField} is forbidden when subject kind is not '${otherKind}'`);
    }
  }
}

function validateSubjectNamespace(namespace: string, field: string, causes: Causes): void {
  if (namespace === '') causes.required(field, 'must specify namespace for service account');
  else validateFormat(namespace, dns1123Label, field, causes);
}

function validateResourceRule(rule: Fields, field: string, causes: Causes): void {
  validateVerbs(rule, field, causes);
  for (const [name, required, others] of [
    ['apiGroups', 'resource rules must supply at least one api group', 'api groups'],
    ['resources', 'resource rules must supply at least one resource', 'resources'],
  ] as const) {
    const values = texts(rule, name);
    if (values.length === 0) causes.required(`${field}.${name}`, required);
    else validateWildcard(values, `${field}.${name}`, others, causes);
  }
  const namespaces = texts(rule, 'namespaces');
  if (namespaces.length === 0 && rule['clusterScope'] !== true) {
    causes.required(`${field}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace');
  } else if (!validateWildcard(namespaces, `${field}.namespaces`, 'namespaces', causes)) {
    for (const [i, namespace] of namespaces.entries()) {
      for (const message of dns1123Label(namespace)) {
        causes.invalid(`${field}.namespaces[${i}]`, namespace, `each member of this list must be '*' or a DNS-1123 label; ${message}`);
      }
    }
  }
}

/** Refuses other values next to a wildcard. @returns whether there is a wildcard */
function validateWildcard(values: readonly string[], field: string, others: string, causes: Causes): boolean {
  if (!values.includes('*')) return false;
  if (values.length > 1) causes.invalid(field, values, `if '*' is present, must not specify other ${others}`);
  return true;
}

const supportedVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function validateVerbs(rule: Fields, field: string, causes: Causes): void {
  const verbs = texts(rule, 'verbs');
  if (verbs.length === 0) causes.required(`${field}.verbs`, 'verbs must contain at least one value');
  else if (!validateWildcard(verbs, `${field}.verbs`, 'verbs', causes) && verbs.some((verb) => !supportedVerbs.includes(verb))) {
    causes.notSupported(`${field}.verbs`, verbs, supportedVerbs);
  }
}

function validateNonResourceRule(rule: Fields, field: string, causes: Causes): void {
  validateVerbs(rule, field, causes);
  const paths = texts(rule, 'nonResourceURLs');
  if (paths.length === 0) causes.required(`${field}.nonResourceURLs`, 'nonResourceURLs must contain at least one value');
  else if (!validateWildcard(paths, `${field}.nonResourceURLs`, 'non-resource URLs', causes)) {
    for (const [i, path] of paths.entries()) {
      const problem = findPathProblem(path);
      if (problem !== undefined) causes.invalid(`${field}.nonResourceURLs[${i}]`, path, problem);
    }
  }
}

/** Mirrors ValidateNonResourceURLPath. */
function findPathProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  return path.includes('*') && !/^[^*]*\/\*$/.test(path) ? 'wildcard can only do suffix matching' : undefined;
}

/** Requires a type of each condition, and no type twice. */
export function validateConditions(object: Fields, causes: Causes): void {
  const types = list(child(object, 'status'), 'conditions').map((condition) => text(condition, 'type'));
  for (const [i, type] of types.entries()) {
    const field = `status.conditions[${i}].type`;
    if (types.indexOf(type) < i) causes.duplicate(field, type);
    if (type === '') causes.required(field);
  }
}

/** Mirrors ValidatePriorityLevelConfiguration (pkg/apis/flowcontrol/validation, 1.36). */
export function validatePriorityLevel(object: Fields, causes: Causes): void {
  const roundTrip = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
  if (has(child(child(object, 'metadata'), 'annotations'), roundTrip)) {
    causes.forbidden('metadata.annotations', `annotation '${roundTrip}' is forbidden`);
  }
  const name = nameOf(object);
  const spec = child(object, 'spec');
  const type = text(spec, 'type');
  if ((name === mandatoryName.exempt) !== (type === 'Exempt')) {
    causes.invalid('spec.type', asJson(type), "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  if (type === 'Exempt') {
    if (has(spec, 'limited')) causes.forbidden('spec.limited', 'must be nil if the type is not Limited');
    if (has(spec, 'exempt')) validateShares(child(spec, 'exempt'), 'spec.exempt', causes);
  } else if (type === 'Limited') {
    if (has(spec, 'exempt')) causes.forbidden('spec.exempt', 'must be nil if the type is Limited');
    if (has(spec, 'limited')) validateLimited(child(spec, 'limited'), 'spec.limited', causes);
    else causes.required('spec.limited', 'must not be empty when type is Limited');
  } else if (type === '') causes.required('spec.type');
  else causes.notSupported('spec.type', asJson(type), ['Exempt', 'Limited']);
  validateMandatoryLevel(name, spec, causes);
  validateConditions(object, causes);
}

function validateMandatoryLevel(name: string, spec: Fields, causes: Causes): void {
  const mandatorySpec = mandatorySpecOf('PriorityLevelConfiguration', name);
  if (!mandatorySpec) return;
  if (name === mandatoryName.exempt) {
    if (sameValue({ ...spec, exempt: mandatorySpec['exempt'] }, mandatorySpec)) return;
    causes.invalid('spec', spec, "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value");
  } else if (!sameValue(spec, mandatorySpec)) causes.invalid('spec', spec, `spec of '${name}' must equal the fixed value`);
}

function validateShares(level: Fields, field: string, causes: Causes): void {
  const [shares, lendable] = [number(level, 'nominalConcurrencyShares'), number(level, 'lendablePercent')];
  if (shares < 0) causes.invalid(`${field}.nominalConcurrencyShares`, shares, 'must be a non-negative integer');
  if (lendable < 0 || lendable > 100) causes.invalid(`${field}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive');
}

function validateLimited(limited: Fields, field: string, causes: Causes): void {
  validateShares(limited, field, causes);
  const borrowing = number(limited, 'borrowingLimitPercent');
  if (borrowing < 0) causes.invalid(`${field}.borrowingLimitPercent`, borrowing, 'if specified, must be a non-negative integer');
  const response = child(limited, 'limitResponse');
  const type = text(response, 'type');
  const queuing = `${field}.limitResponse.queuing`;
  if (type === 'Reject') {
    if (has(response, 'queuing')) causes.forbidden(queuing, 'must be nil if limited.limitResponse.type is not Limited');
  } else if (type === 'Queue') {
    if (has(response, 'queuing')) validateQueuing(child(response, 'queuing'), queuing, causes);
    else causes.required(queuing, 'must not be empty if limited.limitResponse.type is Limited');
  } else if (type === '') causes.required(`${field}.limitResponse.type`);
  else causes.notSupported(`${field}.limitResponse.type`, asJson(type), ['Queue', 'Reject']);
}

function validateQueuing(queuing: Fields, field: string, causes: Causes): void {
  const [length, queues, handSize] = ['queueLengthLimit', 'queues', 'handSize'].map((name) => number(queuing, name)) as [
    number,
    number,
    number,
  ];
  if (length <= 0) causes.invalid(`${field}.queueLengthLimit`, length, 'must be positive');
  if (queues <= 0) causes.invalid(`${field}.queues`, queues, 'must be positive');
  else if (queues > maxQueues) causes.invalid(`${field}.queues`, queues, `must not be greater than ${maxQueues}`);
  if (handSize <= 0) causes.invalid(`${field}.handSize`, handSize, 'must be positive');
  else if (handSize > queues) causes.invalid(`${field}.handSize`, handSize, `should not be greater than queues (${queues})`);
  else if (entropyBitsOf(queues, handSize) > maxEntropyBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxEntropyBits}`;
    causes.invalid(`${field}.handSize`, handSize, detail);
  }
}

const maxQueues = 10_000_000;
const maxEntropyBits = 60;

/** The bits of a hash that deal a hand of queues. Mirrors RequiredEntropyBits (apiserver/pkg/util/shufflesharding, 1.36). */
const entropyBitsOf = (queues: number, handSize: number): number => Math.ceil(Math.log2(queues) * handSize);
