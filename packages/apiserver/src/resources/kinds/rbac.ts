import { dns1123Subdomain, pathSegment } from '../../formats/names.ts';
import { asJson, type Causes } from '../field/causes.ts';
import { validateLabelSelector } from '../field/label-selector.ts';
import { child, type Fields, has, list, sameValue, text, texts } from '../field/read.ts';
import type { KindExtension } from './description.ts';

const group = 'rbac.authorization.k8s.io';

/** Validates roles and bindings. Mirrors pkg/apis/rbac/validation/validation.go (1.36). */
export const rbacExtensions: Readonly<Record<string, KindExtension>> = {
  [`roles.${group}`]: { validate: (role, causes) => validateRules(role, true, causes) },
  [`clusterroles.${group}`]: {
    validate(role, causes) {
      validateRules(role, false, causes);
      if (has(role, 'aggregationRule')) validateAggregation(child(role, 'aggregationRule'), causes);
    },
  },
  [`rolebindings.${group}`]: createBindingExtension(['Role', 'ClusterRole']),
  [`clusterrolebindings.${group}`]: createBindingExtension(['ClusterRole']),
};

function validateRules(role: Fields, isNamespaced: boolean, causes: Causes): void {
  for (const [i, rule] of list(role, 'rules').entries()) validateRule(rule, `rules[${i}]`, isNamespaced, causes);
}

function validateRule(rule: Fields, field: string, isNamespaced: boolean, causes: Causes): void {
  if (texts(rule, 'verbs').length === 0) causes.required(`${field}.verbs`, 'verbs must contain at least one value');
  const urls = texts(rule, 'nonResourceURLs');
  const isEmpty = (name: string): boolean => texts(rule, name).length === 0;
  if (urls.length > 0) {
    const refuse = (detail: string): void => causes.invalid(`${field}.nonResourceURLs`, urls, detail);
    if (isNamespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (!['apiGroups', 'resources', 'resourceNames'].every(isEmpty))
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    return;
  }
  if (isEmpty('apiGroups')) causes.required(`${field}.apiGroups`, 'resource rules must supply at least one api group');
  if (isEmpty('resources')) causes.required(`${field}.resources`, 'resource rules must supply at least one resource');
}

function validateAggregation(rule: Fields, causes: Causes): void {
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = list(rule, 'clusterRoleSelectors');
  if (selectors.length === 0) causes.required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const [i, selector] of selectors.entries()) validateLabelSelector(selector, `${field}[${i}]`, causes);
}

function createBindingExtension(kinds: readonly string[]): KindExtension {
  return {
    validate(binding, causes) {
      validateRoleRef(child(binding, 'roleRef'), kinds, causes);
      for (const [i, subject] of list(binding, 'subjects').entries())
        validateSubject(subject, `subjects[${i}]`, kinds.includes('Role'), causes);
    },
    validateUpdate(binding, old, causes) {
      const roleRef = child(binding, 'roleRef');
      if (sameValue(roleRef, old['roleRef'])) return;
      const printed = { APIGroup: text(roleRef, 'apiGroup'), Kind: text(roleRef, 'kind'), Name: text(roleRef, 'name') };
      causes.invalid('roleRef', asJson(printed), 'cannot change roleRef');
    },
  };
}

function validateRoleRef(roleRef: Fields, kinds: readonly string[], causes: Causes): void {
  const [apiGroup, kind, name] = [text(roleRef, 'apiGroup'), text(roleRef, 'kind'), text(roleRef, 'name')];
  if (apiGroup !== group) causes.notSupported('roleRef.apiGroup', apiGroup, [group]);
  if (!kinds.includes(kind)) causes.notSupported('roleRef.kind', kind, kinds);
  if (name === '') causes.required('roleRef.name');
  for (const message of pathSegment(name)) causes.invalid('roleRef.name', name, message);
}

function validateSubject(subject: Fields, field: string, isNamespaced: boolean, causes: Causes): void {
  const [kind, name, apiGroup] = [text(subject, 'kind'), text(subject, 'name'), text(subject, 'apiGroup')];
  if (name === '') causes.required(`${field}.name`);
  if (kind === 'ServiceAccount') {
    if (name !== '') for (const message of dns1123Subdomain(name)) causes.invalid(`${field}.name`, name, message);
    if (apiGroup !== '') causes.notSupported(`${field}.apiGroup`, apiGroup, ['']);
    if (!isNamespaced && text(subject, 'namespace') === '') causes.required(`${field}.namespace`);
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) causes.notSupported(`${field}.apiGroup`, apiGroup, [group]);
  } else causes.notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']);
}
