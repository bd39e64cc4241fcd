import { compareText } from 'kube-endpoints/internal/apimachinery';
import { labelValue, qualifiedName } from '../../formats/names.ts';
import { validateLabels } from '../metadata/validate.ts';
import { asJson, type Causes } from './causes.ts';
import { entries, type Fields, list, text, texts } from './read.ts';

/**
 * Mirrors ValidateLabelSelector (apimachinery/pkg/apis/meta/v1/validation, 1.36).
 * @param ignoreValues does not validate the values of requirements, for updates of objects that already have invalid values
 */
export function validateLabelSelector(selector: Fields, field: string, causes: Causes, ignoreValues = false): void {
  validateLabels(entries(selector, 'matchLabels'), `${field}.matchLabels`, causes);
  for (const [i, requirement] of list(selector, 'matchExpressions').entries()) {
    validateLabelRequirement(requirement, `${field}.matchExpressions[${i}]`, causes, { ignoreValues });
  }
}

/** Mirrors ValidateLabelSelectorRequirement (apimachinery/pkg/apis/meta/v1/validation, 1.36). */
export function validateLabelRequirement(
  requirement: Fields,
  field: string,
  causes: Causes,
  {
    ignoreValues = false,
    allowsUnknownOperators = false,
  }: { readonly ignoreValues?: boolean; readonly allowsUnknownOperators?: boolean } = {},
): void {
  const [key, operator, values] = [text(requirement, 'key'), text(requirement, 'operator'), texts(requirement, 'values')];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) causes.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) causes.forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (!allowsUnknownOperators) causes.invalid(`${field}.operator`, asJson(operator), 'not a valid selector operator');
  for (const message of qualifiedName(key)) causes.invalid(`${field}.key`, key, message);
  if (ignoreValues) return;
  for (const [i, value] of values.entries()) {
    for (const message of labelValue(value)) causes.invalid(`${field}.values[${i}]`, value, message);
  }
}

/** True if a requirement has an invalid label value. */
export const hasInvalidValue = (selector: Fields): boolean =>
  list(selector, 'matchExpressions').some((requirement) => texts(requirement, 'values').some((value) => labelValue(value).length > 0));

/** The selector as text, "" if it selects everything: "app=web,tier in (a,b),!canary". Mirrors labels.Selector.String (apimachinery, 1.36). */
export function formatLabelSelector(selector: Fields): string {
  const requirements = [
    ...entries(selector, 'matchLabels').map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...list(selector, 'matchExpressions').map((requirement) => {
      const key = text(requirement, 'key');
      const values = `(${[...texts(requirement, 'values')].sort().join(',')})`;
      const formats: Readonly<Record<string, string>> = {
        In: `${key} in ${values}`,
        NotIn: `${key} notin ${values}`,
        Exists: key,
        DoesNotExist: `!${key}`,
      };
      return { key, text: formats[text(requirement, 'operator')] ?? '' };
    }),
  ];
  return requirements
    .sort((a, b) => compareText(a.key, b.key))
    .map((each) => each.text)
    .join(',');
}
