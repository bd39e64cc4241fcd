import type { ApiObject } from 'kube-endpoints/port';
import { asJson, type Causes, collectCauses } from '../resources/field/causes.ts';
import { validateLabelRequirement } from '../resources/field/label-selector.ts';
import { child, type Fields, has, list, text, texts } from '../resources/field/read.ts';
import { invalidObject } from '../resources/status.ts';

/* Mirrors pkg/apis/authorization/validation/validation.go (1.36). */

/** @throws ApiError Invalid */
export function validateReview(review: ApiObject): void {
  validate(review, (spec, causes) => {
    validateAttributes(spec, causes);
    validateSubject(spec, causes);
    validateSelectors(spec, causes);
    requireEmptyMetadata(review, [], 'must be empty', causes);
  });
}

/** @throws ApiError Invalid */
export function validateSelfReview(review: ApiObject): void {
  validate(review, (spec, causes) => {
    validateAttributes(spec, causes);
    validateSelectors(spec, causes);
    requireEmptyMetadata(review, [], 'must be empty', causes);
  });
}

/** @throws ApiError Invalid */
export function validateLocalReview(review: ApiObject): void {
  const { namespace = '' } = review.metadata;
  validate(review, (spec, causes) => {
    validateAttributes(spec, causes);
    validateSubject(spec, causes);
    validateSelectors(spec, causes);
    requireEmptyMetadata(review, ['namespace'], 'must be empty except for namespace', causes);
    const requestedNamespace = text(child(spec, 'resourceAttributes'), 'namespace');
    if (has(spec, 'resourceAttributes') && requestedNamespace !== namespace)
      causes.invalid('spec.resourceAttributes.namespace', requestedNamespace, 'must match metadata.namespace');
    if (has(spec, 'nonResourceAttributes'))
      causes.invalid('spec.nonResourceAttributes', printedPath(spec), 'disallowed on this kind of request');
  });
}

function validate(review: ApiObject, collect: (spec: Fields, causes: Causes) => void): void {
  const causes = collectCauses();
  collect((review['spec'] ?? {}) as Fields, causes);
  // As upstream, the error names no kind.
  if (causes.list.length > 0) throw invalidObject({ group: 'authorization.k8s.io', kind: '' }, '', causes.list);
}

function validateAttributes(spec: Fields, causes: Causes): void {
  const hasResource = has(spec, 'resourceAttributes');
  const hasPath = has(spec, 'nonResourceAttributes');
  if (hasResource && hasPath)
    causes.invalid('spec.nonResourceAttributes', printedPath(spec), 'cannot be specified in combination with resourceAttributes');
  if (!hasResource && !hasPath)
    causes.invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified');
}

/** The names of the fields are those of the Go struct. */
function printedPath(spec: Fields): unknown {
  const attributes = child(spec, 'nonResourceAttributes');
  return asJson({ Path: text(attributes, 'path'), Verb: text(attributes, 'verb') });
}

function validateSubject(spec: Fields, causes: Causes): void {
  if (text(spec, 'user') === '' && texts(spec, 'groups').length === 0)
    causes.invalid('spec.user', '', 'at least one of user or group must be specified');
}

function requireEmptyMetadata({ metadata }: ApiObject, allowed: readonly string[], detail: string, causes: Causes): void {
  const names = Object.keys(metadata).filter((name) => has(metadata as Fields, name));
  if (names.some((name) => name !== 'managedFields' && !allowed.includes(name))) causes.invalid('metadata', metadata, detail);
}

function validateSelectors(spec: Fields, causes: Causes): void {
  const attributes = child(spec, 'resourceAttributes');
  for (const [name, validateRequirement] of Object.entries(requirementValidators)) {
    if (!has(attributes, name)) continue;
    const field = `spec.resourceAttributes.${name}`;
    const selector = child(attributes, name);
    const [rawSelector, requirements] = [text(selector, 'rawSelector'), list(selector, 'requirements')];
    if (rawSelector !== '' && requirements.length > 0)
      causes.invalid(`${field}.rawSelector`, rawSelector, 'may not specified at the same time as requirements');
    if (rawSelector === '' && requirements.length === 0)
      causes.required(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`);
    for (const [i, each] of requirements.entries()) validateRequirement(each, `${field}.requirements[${i}]`, causes);
  }
}

/** Operators that this release does not know are accepted. */
const requirementValidators: Readonly<Record<string, (requirement: Fields, field: string, causes: Causes) => void>> = {
  fieldSelector: validateFieldRequirement,
  labelSelector: (requirement, field, causes) => validateLabelRequirement(requirement, field, causes, { allowsUnknownOperators: true }),
};

function validateFieldRequirement(requirement: Fields, field: string, causes: Causes): void {
  const [operator, values] = [text(requirement, 'operator'), texts(requirement, 'values')];
  if (text(requirement, 'key') === '') causes.required(`${field}.key`, 'must be specified');
  if (['In', 'NotIn'].includes(operator) && values.length === 0)
    causes.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  if (['Exists', 'DoesNotExist'].includes(operator) && values.length > 0)
    causes.forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
}
