import { qualifiedName } from '../../../formats/names.ts';
import { asJson, type Causes, validateChoice, validateFormat } from '../../field/causes.ts';
import { validateLabelSelector } from '../../field/label-selector.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';

const actions: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];

/** Mirrors validateTopologySpreadConstraints (pkg/apis/core/validation, 1.36). */
export function validateSpread(constraints: readonly Fields[], causes: Causes): void {
  for (const [i, constraint] of constraints.entries()) {
    const field = `spec.topologySpreadConstraints[${i}]`;
    const [key, action] = [text(constraint, 'topologyKey'), text(constraint, 'whenUnsatisfiable')];
    validatePositive(constraint, 'maxSkew', field, causes);
    if (key === '') causes.required(`${field}.topologyKey`, 'can not be empty');
    if (!actions.includes(action)) causes.notSupported(`${field}.whenUnsatisfiable`, asJson(action), actions);
    const isDuplicate = (other: Fields): boolean => text(other, 'topologyKey') === key && text(other, 'whenUnsatisfiable') === action;
    if (constraints.slice(i + 1).some(isDuplicate)) causes.duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`);
    if (has(constraint, 'minDomains')) validateMinDomains(constraint, action, field, causes);
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      validateChoice(constraint, name, `${field}.${name}`, ['Honor', 'Ignore'], causes);
    }
    validateLabelKeys(constraint, field, causes);
    if (has(constraint, 'labelSelector')) validateLabelSelector(child(constraint, 'labelSelector'), `${field}.labelSelector`, causes);
  }
}

function validatePositive(constraint: Fields, name: string, field: string, causes: Causes): void {
  if (number(constraint, name) <= 0) causes.invalid(`${field}.${name}`, number(constraint, name), 'must be greater than zero');
}

function validateMinDomains(constraint: Fields, action: string, field: string, causes: Causes): void {
  validatePositive(constraint, 'minDomains', field, causes);
  if (action === 'DoNotSchedule') return;
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  causes.invalid(`${field}.minDomains`, number(constraint, 'minDomains'), detail);
}

/** Mirrors ValidateMatchLabelKeysAndMismatchLabelKeys. */
export function validateLabelKeys(term: Fields, field: string, causes: Causes): void {
  for (const name of ['matchLabelKeys', 'mismatchLabelKeys']) {
    const keys = texts(term, name);
    if (keys.length > 0 && !has(term, 'labelSelector')) {
      causes.forbidden(`${field}.${name}`, 'must not be specified when labelSelector is not set');
    } else for (const [i, key] of keys.entries()) validateFormat(key, qualifiedName, `${field}.${name}[${i}]`, causes);
  }
  const matchKeys = texts(term, 'matchLabelKeys');
  const selector = child(term, 'labelSelector');
  const selectorKeys = new Set(Object.keys(child(selector, 'matchLabels')));
  for (const requirement of list(selector, 'matchExpressions')) {
    const key = text(requirement, 'key');
    // Like upstream, the field path lacks matchLabelKeys.
    const index = matchKeys.lastIndexOf(key);
    if (index >= 0 && selectorKeys.has(key)) causes.invalid(`${field}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector');
    selectorKeys.add(key);
  }
  const mismatchKeys = texts(term, 'mismatchLabelKeys');
  for (const [i, key] of matchKeys.entries()) {
    if (mismatchKeys.includes(key))
      causes.invalid(`${field}.matchLabelKeys[${i}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  }
}
