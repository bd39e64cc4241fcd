import type { CompiledExpression } from '../../cel/compile.ts';
import { createMatchConditions } from '../../cel/match-conditions.ts';
import { dns1035Label, dns1123Subdomain, qualifiedName } from '../../formats/names.ts';
import { asJson, type Causes, validateChoice, validateRequiredFormat } from '../field/causes.ts';
import { hasInvalidValue, validateLabelSelector } from '../field/label-selector.ts';
import { child, type Fields, has, list, number, text, texts } from '../field/read.ts';
import { validateMetadata } from '../metadata/validate.ts';
import { validateClientConfig } from './client-config.ts';

/**
 * Mirrors ValidateMutatingWebhookConfiguration and ValidateValidatingWebhookConfiguration
 * (pkg/apis/admissionregistration/validation, 1.36). An update may keep some kinds of errors of the old object.
 */
export function validateWebhooks(object: Fields, old: Fields | undefined, causes: Causes): void {
  validateMetadata(object, { namespaced: false, name: dns1123Subdomain }, causes);
  const leniency = leniencyFor(list(old ?? {}, 'webhooks'));
  const names = new Set<string>();
  for (const [i, hook] of list(object, 'webhooks').entries()) {
    const field = `webhooks[${i}]`;
    validateHook(hook, leniency, field, causes);
    validateVersions(texts(hook, 'admissionReviewVersions'), leniency, `${field}.admissionReviewVersions`, causes);
    const name = text(hook, 'name');
    if (name === '' || leniency.duplicateNames) continue;
    if (names.has(name)) causes.duplicate(`${field}.name`, name);
    names.add(name);
  }
}

/** The errors that are accepted, because the old object has them. */
interface Leniency {
  readonly sideEffects: boolean;
  readonly versions: boolean;
  readonly duplicateNames: boolean;
  readonly labelValues: boolean;
}

const acceptedVersions: readonly string[] = ['v1', 'v1beta1'];
const harmlessSideEffects: readonly string[] = ['None', 'NoneOnDryRun'];

function leniencyFor(hooks: readonly Fields[]): Leniency {
  const names = hooks.map((hook) => text(hook, 'name'));
  return {
    sideEffects: hooks.some((hook) => !harmlessSideEffects.includes(text(hook, 'sideEffects'))),
    versions: hooks.some((hook) => {
      const versions = texts(hook, 'admissionReviewVersions');
      return versions.length > 0 && !versions.some((version) => acceptedVersions.includes(version));
    }),
    duplicateNames: new Set(names).size < names.length,
    labelValues: hooks.some((hook) => ['namespaceSelector', 'objectSelector'].some((name) => hasInvalidValue(child(hook, name)))),
  };
}

function validateHook(hook: Fields, leniency: Leniency, field: string, causes: Causes): void {
  validateName(text(hook, 'name'), `${field}.name`, causes);
  for (const [i, rule] of list(hook, 'rules').entries()) validateRule(rule, `${field}.rules[${i}]`, causes);
  validateChoice(hook, 'failurePolicy', `${field}.failurePolicy`, ['Fail', 'Ignore'], causes);
  validateChoice(hook, 'matchPolicy', `${field}.matchPolicy`, ['Equivalent', 'Exact'], causes);
  const effects = leniency.sideEffects ? [...harmlessSideEffects, 'Some', 'Unknown'] : harmlessSideEffects;
  if (!has(hook, 'sideEffects')) causes.required(`${field}.sideEffects`, `must specify one of ${effects.join(', ')}`);
  else validateChoice(hook, 'sideEffects', `${field}.sideEffects`, effects, causes);
  const timeout = number(hook, 'timeoutSeconds');
  if (has(hook, 'timeoutSeconds') && (timeout > 30 || timeout < 1)) {
    causes.invalid(`${field}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds');
  }
  for (const name of ['namespaceSelector', 'objectSelector']) {
    if (has(hook, name)) validateLabelSelector(child(hook, name), `${field}.${name}`, causes, leniency.labelValues);
  }
  validateChoice(hook, 'reinvocationPolicy', `${field}.reinvocationPolicy`, ['IfNeeded', 'Never'], causes);
  validateClientConfig(child(hook, 'clientConfig'), `${field}.clientConfig`, causes);
  const matchConditions = createMatchConditions();
  validateMatchConditions(
    list(hook, 'matchConditions'),
    `${field}.matchConditions`,
    causes,
    (source) => matchConditions.compile(source).compiled,
  );
}

/** Mirrors IsFullyQualifiedName. */
function validateName(name: string, field: string, causes: Causes): void {
  const messages = dns1123Subdomain(name);
  if (name === '') causes.required(field);
  else if (messages.length > 0) causes.invalid(field, name, messages.join(','));
  else if (name.split('.').length < 3) causes.invalid(field, name, 'should be a domain with at least three segments separated by dots');
}

function validateVersions(versions: readonly string[], leniency: Leniency, field: string, causes: Causes): void {
  if (versions.length === 0) {
    causes.required(field, `must specify one of ${acceptedVersions.join(', ')}`);
    return;
  }
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) causes.invalid(`${field}[${i}]`, version, 'duplicate version');
    else for (const message of dns1035Label(version)) causes.invalid(`${field}[${i}]`, version, message);
  }
  if (!leniency.versions && !versions.some((version) => acceptedVersions.includes(version))) {
    causes.invalid(field, versions, `must include at least one of ${acceptedVersions.join(', ')}`);
  }
}

/** Validates the match conditions of a webhook or policy. */
export function validateMatchConditions(
  conditions: readonly Fields[],
  field: string,
  causes: Causes,
  compile: (expression: string) => CompiledExpression,
): void {
  if (conditions.length > 64) causes.tooMany(field, conditions.length, 64);
  const names = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const name = text(condition, 'name');
    const expression = text(condition, 'expression').trim();
    if (expression === '') causes.required(`${field}[${i}].expression`);
    else {
      const { problem } = compile(expression);
      if (problem !== undefined) causes.invalid(`${field}[${i}].expression`, expression, problem);
    }
    validateRequiredFormat(name, qualifiedName, `${field}[${i}].name`, causes);
    if (name !== '' && names.has(name)) causes.duplicate(`${field}[${i}].name`, name);
    names.add(name);
  }
}

const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced'];

/** Mirrors validateRuleWithOperations (pkg/apis/admissionregistration/validation, 1.36). */
export function validateRule(rule: Fields, field: string, causes: Causes): void {
  const ruleOperations = texts(rule, 'operations');
  validateWildcard(ruleOperations, 'operations', `${field}.operations`, causes);
  for (const [i, operation] of ruleOperations.entries()) {
    if (!operations.includes(operation)) causes.notSupported(`${field}.operations[${i}]`, asJson(operation), operations);
  }
  validateWildcard(texts(rule, 'apiGroups'), 'API groups', `${field}.apiGroups`, causes);
  const versions = texts(rule, 'apiVersions');
  validateWildcard(versions, 'API versions', `${field}.apiVersions`, causes);
  for (const [i, version] of versions.entries()) if (version === '') causes.required(`${field}.apiVersions[${i}]`);
  validateResources(texts(rule, 'resources'), `${field}.resources`, causes);
  validateChoice(rule, 'scope', `${field}.scope`, scopes, causes);
}

function validateWildcard(values: readonly string[], valuesName: string, field: string, causes: Causes): void {
  if (values.length === 0) causes.required(field);
  if (values.length > 1 && values.includes('*')) causes.invalid(field, values, `if '*' is present, must not specify other ${valuesName}`);
}

/** Mirrors validateResources: a wildcard must not be combined with entries that it covers. */
function validateResources(resources: readonly string[], field: string, causes: Causes): void {
  if (resources.length === 0) causes.required(field);
  const coveredResources = new Set<string>();
  const coveredSubresources = new Set<string>();
  let hasPlainResource = false;
  for (const [i, each] of resources.entries()) {
    if (each === '') {
      causes.required(`${field}[${i}]`);
      continue;
    }
    const slash = each.indexOf('/');
    if (slash < 0) {
      // Like upstream, only the last resource without a subresource counts.
      hasPlainResource = each !== '*';
      continue;
    }
    const [resource, sub] = [each.slice(0, slash), each.slice(slash + 1)];
    if (coveredResources.has(resource)) causes.invalid(`${field}[${i}]`, each, `if '${resource}/*' is present, must not specify ${each}`);
    if (coveredSubresources.has(sub)) causes.invalid(`${field}[${i}]`, each, `if '*/${sub}' is present, must not specify ${each}`);
    if (sub === '*') coveredResources.add(resource);
    if (resource === '*') coveredSubresources.add(sub);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    causes.invalid(field, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && hasPlainResource) {
    causes.invalid(field, resources, "if '*' is present, must not specify other resources without subresources");
  }
}
