import { dns1123Subdomain, pathSegment } from '../../../formats/names.ts';
import { type Causes, validateFormat, validateRequiredFormat } from '../../field/causes.ts';
import { validateLabelSelector } from '../../field/label-selector.ts';
import { child, type Fields, has, list, sameValue, text, texts } from '../../field/read.ts';
import { isValidSelector } from '../tables/cells.ts';

const group = 'rbac.authorization.k8s.io';

/** Mirrors ValidateRole and ValidateClusterRole (pkg/apis/rbac/validation, 1.36), as do the other functions of this file. */
export const validateRole =
  (isNamespaced: boolean) =>
  (object: Fields, causes: Causes): void => {
    for (const [i, rule] of list(object, 'rules').entries()) validateRule(rule, isNamespaced, `rules[${i}]`, causes);
    if (!has(object, 'aggregationRule')) return;
    const field = 'aggregationRule.clusterRoleSelectors';
    const selectors = list(child(object, 'aggregationRule'), 'clusterRoleSelectors');
    if (selectors.length === 0) causes.required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
    for (const [i, selector] of selectors.entries()) {
      validateLabelSelector(selector, `${field}[${i}]`, causes);
      if (!isValidSelector(selector)) causes.invalid(`${field}[${i}]`, null, 'invalid label selector.');
    }
  };

function validateRule(rule: Fields, isNamespaced: boolean, field: string, causes: Causes): void {
  if (texts(rule, 'verbs').length === 0) causes.required(`${field}.verbs`, 'verbs must contain at least one value');
  const urls = texts(rule, 'nonResourceURLs');
  const [hasGroups, hasResources] = [texts(rule, 'apiGroups').length > 0, texts(rule, 'resources').length > 0];
  if (urls.length > 0) {
    const urlField = `${field}.nonResourceURLs`;
    if (isNamespaced) causes.invalid(urlField, urls, 'namespaced rules cannot apply to non-resource URLs');
    if (hasGroups || hasResources || texts(rule, 'resourceNames').length > 0) {
      causes.invalid(urlField, urls, 'rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (!hasGroups) causes.required(`${field}.apiGroups`, 'resource rules must supply at least one api group');
  if (!hasResources) causes.required(`${field}.resources`, 'resource rules must supply at least one resource');
}

export const validateRoleBinding =
  (isNamespaced: boolean) =>
  (object: Fields, causes: Causes): void => {
    const role = child(object, 'roleRef');
    const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
    if (text(role, 'apiGroup') !== group) causes.notSupported('roleRef.apiGroup', text(role, 'apiGroup'), [group]);
    if (!kinds.includes(text(role, 'kind'))) causes.notSupported('roleRef.kind', text(role, 'kind'), kinds);
    validateRequiredFormat(text(role, 'name'), pathSegment, 'roleRef.name', causes);
    for (const [i, subject] of list(object, 'subjects').entries()) validateSubject(subject, isNamespaced, `subjects[${i}]`, causes);
  };

function validateSubject(subject: Fields, isNamespaced: boolean, field: string, causes: Causes): void {
  const [kind, name, apiGroup] = [text(subject, 'kind'), text(subject, 'name'), text(subject, 'apiGroup')];
  if (name === '') causes.required(`${field}.name`);
  if (kind === 'ServiceAccount') {
    if (name !== '') validateFormat(name, dns1123Subdomain, `${field}.name`, causes);
    if (apiGroup !== '') causes.notSupported(`${field}.apiGroup`, apiGroup, ['']);
    if (!isNamespaced && text(subject, 'namespace') === '') causes.required(`${field}.namespace`);
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) causes.notSupported(`${field}.apiGroup`, apiGroup, [group]);
  } else causes.notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']);
}

export function validateRoleBindingUpdate(object: Fields, old: Fields, causes: Causes): void {
  if (!sameValue(object['roleRef'], old['roleRef'])) causes.invalid('roleRef', object['roleRef'], 'cannot change roleRef');
}
