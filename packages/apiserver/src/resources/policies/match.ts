import { dns1035Label, dns1123Subdomain, pathSegment } from '../../formats/names.ts';
import { asJson, type Causes, validateChoice, validateFormat } from '../field/causes.ts';
import { validateLabelSelector } from '../field/label-selector.ts';
import { child, type Fields, has, list, text, texts } from '../field/read.ts';
import { validateRule } from '../webhooks/validate.ts';

/** Mirrors validateMatchResources (pkg/apis/admissionregistration/validation, 1.36). */
export function validateMatchResources(match: Fields, field: string, causes: Causes): void {
  validateChoice(match, 'matchPolicy', `${field}.matchPolicy`, ['Equivalent', 'Exact'], causes);
  for (const name of ['namespaceSelector', 'objectSelector']) validateLabelSelector(child(match, name), `${field}.${name}`, causes);
  for (const name of ['resourceRules', 'excludeResourceRules'])
    for (const [i, rule] of list(match, name).entries()) validateNamedRule(rule, `${field}.${name}[${i}]`, causes);
}

function validateNamedRule(rule: Fields, field: string, causes: Causes): void {
  const names = texts(rule, 'resourceNames');
  for (const [i, name] of names.entries()) {
    validateFormat(name, pathSegment, `${field}.resourceNames[${i}]`, causes);
    if (names.indexOf(name) < i) causes.duplicate(`${field}.resourceNames[${i}]`, name);
  }
  validateRule(rule, field, causes);
}

/** Validates the required field matchConstraints. */
export function validateConstraints(spec: Fields, causes: Causes): void {
  if (!has(spec, 'matchConstraints')) {
    causes.required('spec.matchConstraints');
    return;
  }
  const constraints = child(spec, 'matchConstraints');
  validateMatchResources(constraints, 'spec.matchConstraints', causes);
  if (list(constraints, 'resourceRules').length === 0) causes.required('spec.matchConstraints.resourceRules');
}

const mutatedOperations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Refuses deletions, which cannot be mutated. */
export function validateMutatedOperations(match: Fields, field: string, causes: Causes): void {
  for (const operation of list(match, 'resourceRules').flatMap((rule) => texts(rule, 'operations')))
    if (!mutatedOperations.includes(operation))
      causes.notSupported(`${field}.resourceRules.operations`, asJson(operation), mutatedOperations);
}

/** Mirrors validateParamKind. */
export function validateParamKind(paramKind: Fields, causes: Causes): void {
  const field = 'spec.paramKind';
  const apiVersion = text(paramKind, 'apiVersion');
  if (apiVersion === '') causes.required(`${field}.apiVersion`);
  else validateGroupVersion(apiVersion, `${field}.apiVersion`, causes);
  const kind = text(paramKind, 'kind');
  if (kind === '') causes.required(`${field}.kind`);
  else {
    const messages = dns1035Label(kind.toLowerCase());
    if (messages.length > 0)
      causes.invalid(`${field}.kind`, kind, `may have mixed case, but should otherwise match: ${messages.join(',')}`);
  }
}

function validateGroupVersion(apiVersion: string, field: string, causes: Causes): void {
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (parts.length > 2) {
    causes.invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
    return;
  }
  const [group = '', version = ''] = parts.length === 1 ? ['', parts[0]] : parts;
  const groupMessages = group === '' ? [] : dns1123Subdomain(group);
  if (groupMessages.length > 0) causes.invalid(field, group, groupMessages.join(','));
  const versionMessages = version === '' ? [] : dns1035Label(version);
  if (version === '') causes.invalid(field, apiVersion, 'version must be specified');
  else if (versionMessages.length > 0) causes.invalid(field, version, versionMessages.join(','));
}

/** Mirrors validateParamRef. */
export function validateParamRef(paramRef: Fields, causes: Causes): void {
  const field = 'spec.paramRef';
  const name = text(paramRef, 'name');
  const hasBoth = name !== '' && has(paramRef, 'selector');
  if (name !== '') validateFormat(name, pathSegment, `${field}.name`, causes);
  if (hasBoth) causes.forbidden(`${field}.name`, 'name and selector are mutually exclusive');
  if (has(paramRef, 'selector')) validateLabelSelector(child(paramRef, 'selector'), `${field}.selector`, causes);
  if (hasBoth) causes.forbidden(`${field}.selector`, 'name and selector are mutually exclusive');
  if (name === '' && !has(paramRef, 'selector')) causes.required(field, 'one of name or selector must be specified');
  if (text(paramRef, 'parameterNotFoundAction') === '') causes.required(`${field}.parameterNotFoundAction`);
  else validateChoice(paramRef, 'parameterNotFoundAction', `${field}.parameterNotFoundAction`, ['Deny', 'Allow'], causes);
}

/** Validates the fields of both kinds of bindings. */
export function validateBinding(spec: Fields, causes: Causes): void {
  const policyName = text(spec, 'policyName');
  if (policyName === '') causes.required('spec.policyName');
  else validateFormat(policyName, dns1123Subdomain, 'spec.policyName', causes);
  if (has(spec, 'paramRef')) validateParamRef(child(spec, 'paramRef'), causes);
  if (has(spec, 'matchResources')) validateMatchResources(child(spec, 'matchResources'), 'spec.matchResources', causes);
}
