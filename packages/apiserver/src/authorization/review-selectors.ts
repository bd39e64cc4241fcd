import { parseLabelSelector } from 'kube-endpoints/internal/apimachinery';
import { child, type Fields, has, list, text, texts } from '../resources/field/read.ts';
import { parseFieldSelector } from '../store/index.ts';

/**
 * Returns which selectors of a review cannot be evaluated, wholly or partially. RBAC does not read them. Mirrors BuildEvaluationError
 * (pkg/registry/authorization/util/helpers.go, 1.36).
 */
export function findSelectorProblems(spec: Fields): readonly string[] {
  const attributes = child(spec, 'resourceAttributes');
  return ['fieldSelector', 'labelSelector'].flatMap((name) => {
    if (!has(attributes, name)) return [];
    const usability = usabilityOf(child(attributes, name), name === 'fieldSelector');
    if (usability === 'usable') return [];
    return [`spec.resourceAttributes.${name} ${usability} due to parse error`];
  });
}

type Usability = 'usable' | 'partially ignored' | 'ignored';

function usabilityOf(selector: Fields, isFieldSelector: boolean): Usability {
  const requirements = list(selector, 'requirements');
  if (requirements.length === 0) {
    const rawSelector = text(selector, 'rawSelector');
    const { problem } = isFieldSelector ? parseFieldSelector(rawSelector) : parseLabelSelector(rawSelector);
    return problem === undefined ? 'usable' : 'ignored';
  }
  const usableCount = requirements.filter(isFieldSelector ? isUsableForFields : isUsableForLabels).length;
  return usableCount === requirements.length ? 'usable' : usableCount > 0 ? 'partially ignored' : 'ignored';
}

const isUsableForFields = (requirement: Fields): boolean =>
  ['In', 'NotIn'].includes(text(requirement, 'operator')) && texts(requirement, 'values').length === 1;

const isUsableForLabels = (requirement: Fields): boolean =>
  ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(text(requirement, 'operator'));
