import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../../formats/names.ts';
import { asJson, type Causes, validateFormat } from '../../field/causes.ts';
import { validateLabelSelector } from '../../field/label-selector.ts';
import { child, type Fields, has, list, number, text, texts } from '../../field/read.ts';
import { validateLabelKeys } from './spread.ts';

export const requiredDuringScheduling = 'requiredDuringSchedulingIgnoredDuringExecution';
export const preferredDuringScheduling = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Mirrors validateAffinity (pkg/apis/core/validation, 1.36). */
export function validateAffinity(affinity: Fields, causes: Causes): void {
  if (has(affinity, 'nodeAffinity')) validateNodeAffinity(child(affinity, 'nodeAffinity'), 'spec.affinity.nodeAffinity', causes);
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const terms = child(affinity, name);
    const field = `spec.affinity.${name}`;
    for (const [i, term] of list(terms, requiredDuringScheduling).entries())
      validatePodTerm(term, `${field}.${requiredDuringScheduling}[${i}]`, causes);
    for (const [i, each] of list(terms, preferredDuringScheduling).entries()) {
      validateWeight(each, `${field}.${preferredDuringScheduling}[${i}]`, causes);
      validatePodTerm(child(each, 'podAffinityTerm'), `${field}.${preferredDuringScheduling}[${i}].podAffinityTerm`, causes);
    }
  }
}

function validateNodeAffinity(affinity: Fields, field: string, causes: Causes): void {
  if (has(affinity, requiredDuringScheduling)) {
    const termsField = `${field}.${requiredDuringScheduling}.nodeSelectorTerms`;
    const terms = list(child(affinity, requiredDuringScheduling), 'nodeSelectorTerms');
    if (terms.length === 0) causes.required(termsField, 'must have at least one node selector term');
    for (const [i, term] of terms.entries()) validateNodeTerm(term, { checkValues: true }, `${termsField}[${i}]`, causes);
  }
  for (const [i, each] of list(affinity, preferredDuringScheduling).entries()) {
    validateWeight(each, `${field}.${preferredDuringScheduling}[${i}]`, causes);
    validateNodeTerm(child(each, 'preference'), { checkValues: false }, `${field}.${preferredDuringScheduling}[${i}].preference`, causes);
  }
}

function validateWeight(term: Fields, field: string, causes: Causes): void {
  const weight = number(term, 'weight');
  if (weight <= 0 || weight > 100) causes.invalid(`${field}.weight`, weight, 'must be in the range 1-100');
}

interface RequirementOptions {
  /** Whether values must be valid label values; true only for required terms. */
  readonly checkValues: boolean;
}

function validateNodeTerm(term: Fields, options: RequirementOptions, field: string, causes: Causes): void {
  for (const [i, each] of list(term, 'matchExpressions').entries())
    validateRequirement(each, options, `${field}.matchExpressions[${i}]`, causes);
  for (const [i, each] of list(term, 'matchFields').entries()) validateFieldRequirement(each, `${field}.matchFields[${i}]`, causes);
}

/** Mirrors ValidateNodeSelectorRequirement. */
function validateRequirement(requirement: Fields, { checkValues }: RequirementOptions, field: string, causes: Causes): void {
  const [operator, values] = [text(requirement, 'operator'), texts(requirement, 'values')];
  const valuesField = `${field}.values`;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) causes.required(valuesField, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) causes.forbidden(valuesField, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) causes.required(valuesField, "must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else causes.invalid(`${field}.operator`, asJson(operator), 'not a valid selector operator');
  validateFormat(text(requirement, 'key'), qualifiedName, `${field}.key`, causes);
  if (checkValues) for (const [i, value] of values.entries()) validateFormat(value, labelValue, `${valuesField}[${i}]`, causes);
}

/** Mirrors ValidateNodeFieldSelectorRequirement. */
function validateFieldRequirement(requirement: Fields, field: string, causes: Causes): void {
  const [operator, key, values] = [text(requirement, 'operator'), text(requirement, 'key'), texts(requirement, 'values')];
  if (operator !== 'In' && operator !== 'NotIn') causes.invalid(`${field}.operator`, asJson(operator), 'not a valid selector operator');
  else if (values.length !== 1) {
    causes.required(`${field}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  if (key !== 'metadata.name') {
    causes.invalid(`${field}.key`, key, 'not a valid field selector key');
    return;
  }
  for (const [i, value] of values.entries()) validateFormat(value, dns1123Subdomain, `${field}.values[${i}]`, causes);
}

/** Mirrors validatePodAffinityTerm. */
function validatePodTerm(term: Fields, field: string, causes: Causes): void {
  for (const name of ['labelSelector', 'namespaceSelector']) {
    if (has(term, name)) validateLabelSelector(child(term, name), `${field}.${name}`, causes);
  }
  // The path "namespace" is upstream's.
  for (const name of texts(term, 'namespaces')) validateFormat(name, dns1123Label, `${field}.namespace`, causes);
  validateLabelKeys(term, field, causes);
  const key = text(term, 'topologyKey');
  if (key === '') causes.required(`${field}.topologyKey`, 'can not be empty');
  validateFormat(key, qualifiedName, `${field}.topologyKey`, causes);
}
