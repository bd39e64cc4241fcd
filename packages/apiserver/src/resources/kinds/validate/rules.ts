import { compareText, type LabelSelector, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import { encode } from '../../../api-types/codec/printer.ts';
import { structType } from '../../../api-types/index.ts';
import { dns1123Subdomain, regexMessage } from '../../../formats/names.ts';
import { asJson, type Causes, collectCauses, type FieldCause } from '../../field/causes.ts';
import { validateLabelSelector } from '../../field/label-selector.ts';
import { child, entries, type Fields, has, list, number, sameValue } from '../../field/read.ts';
import { immutableMessage, validateLabels } from '../../metadata/validate.ts';
import { validatePodAnnotations } from '../../pods/validate/annotations.ts';
import { validateSpec } from '../../pods/validate/spec.ts';
import { isValidSelector } from '../tables/cells.ts';

export const negativeMessage = 'must be greater than or equal to 0';

/** Refuses negative integers in fields of an object; absent ones count as 0. */
export function validateNonNegative(object: Fields, names: readonly string[], field: string, causes: Causes): void {
  for (const name of names) {
    if (number(object, name) < 0) causes.invalid(field === '' ? name : `${field}.${name}`, number(object, name), negativeMessage);
  }
}

/** Refuses an integer above that of another field. */
export function validateAtMost(
  object: Fields,
  names: readonly string[],
  limitName: string,
  field: string,
  detail: string,
  causes: Causes,
): void {
  for (const name of names) {
    if (number(object, name) > number(object, limitName)) causes.invalid(`${field}.${name}`, number(object, name), detail);
  }
}

/** Refuses a change. `shown` is the printed value; by default the new one. */
export function validateImmutable(value: unknown, old: unknown, field: string, causes: Causes, shown: unknown = value ?? null): void {
  if (!sameValue(value, old)) causes.invalid(field, typeof shown === 'string' ? asJson(shown) : shown, immutableMessage);
}

/** A selector with its fields in the order of Go's struct. */
export function toPrintedSelector(selector: Fields | undefined): unknown {
  if (!selector) return null;
  const printed = encode(structType('meta.LabelSelector'), selector);
  return has(printed, 'matchLabels') ? { ...printed, matchLabels: sortKeys(child(printed, 'matchLabels')) } : printed;
}

const sortKeys = (map: Fields): Fields => Object.fromEntries(Object.entries(map).sort(([a], [b]) => compareText(a, b)));

export const selectorOf = (object: Fields): Fields | undefined => (has(object, 'selector') ? child(object, 'selector') : undefined);

/** Whether the selector has requirements. */
export const hasRequirements = (selector: Fields): boolean =>
  entries(selector, 'matchLabels').length > 0 || list(selector, 'matchExpressions').length > 0;

/** Validates the required, non-empty selector of a workload. */
export function validateRequiredSelector(spec: Fields, kind: string, causes: Causes): void {
  const selector = selectorOf(spec);
  if (!selector) {
    causes.required('spec.selector');
    return;
  }
  validateLabelSelector(selector, 'spec.selector', causes);
  if (!hasRequirements(selector)) causes.invalid('spec.selector', toPrintedSelector(selector), `empty selector is invalid for ${kind}`);
}

/** Requires that a valid selector matches the labels of the template; an absent selector matches nothing. */
export function validateTemplateLabels(spec: Fields, causes: Causes): void {
  const selector = selectorOf(spec);
  if (selector && !isValidSelector(selector)) return;
  const labels = child(child(child(spec, 'template'), 'metadata'), 'labels');
  if (selector && selectorMatches(selector as LabelSelector, labels as Readonly<Record<string, string>>)) return;
  const printedLabels = has(child(child(spec, 'template'), 'metadata'), 'labels') ? sortKeys(labels) : null;
  causes.invalid('spec.template.metadata.labels', printedLabels, '`selector` does not match template `labels`');
}

/** Validates a pod template like a pod, with paths that start with `field`. Mirrors ValidatePodTemplateSpec (pkg/apis/core/validation, 1.36). */
export function validatePodTemplate(template: Fields, field: string, causes: Causes): void {
  const { labels, annotations } = child(template, 'metadata');
  validateLabels(entries({ labels }, 'labels'), `${field}.labels`, causes);
  const podCauses = collectCauses();
  const pod = { metadata: { annotations }, spec: child(template, 'spec') };
  validatePodAnnotations(pod, podCauses);
  validateSpec(pod, podCauses, true);
  causes.add(
    podCauses.list
      .filter(isTemplateCause)
      .map((cause) => ({ ...cause, field: `${field}.${cause.field.replace(/^metadata\.annotations/, 'annotations')}` })),
  );
  if (list(child(template, 'spec'), 'ephemeralContainers').length > 0) {
    causes.forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
  }
}

/** The host ports of a template may be absent, because pods get them as defaults. */
const isTemplateCause = ({ message }: FieldCause): boolean => !message.startsWith('Invalid value: 0: must match `containerPort`');

/** Requires restartPolicy Always and no deadline, as workloads that run forever do. */
export function validateAlwaysRestarted(spec: Fields, kind: string, causes: Causes): void {
  const podSpec = child(child(spec, 'template'), 'spec');
  const policy = podSpec['restartPolicy'];
  if (policy !== 'Always') causes.notSupported('spec.template.spec.restartPolicy', asJson(policy ?? ''), ['Always']);
  if (has(podSpec, 'activeDeadlineSeconds')) {
    causes.forbidden('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}

const percentMessage = regexMessage("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%');

/** Mirrors ValidatePositiveIntOrPercent (pkg/apis/apps/validation, 1.36). */
export function validateIntOrPercent(value: unknown, field: string, causes: Causes): void {
  if (typeof value === 'string') {
    if (!/^[0-9]+%$/.test(value)) causes.invalid(field, asJson(value), percentMessage);
  } else if (typeof value === 'number' && value < 0) causes.invalid(field, value, negativeMessage);
}

export function validateAtMost100Percent(value: unknown, field: string, causes: Causes): void {
  if (typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100) {
    causes.invalid(field, asJson(value), 'must not be greater than 100%');
  }
}

/** The number of an integer or percentage; 0 if it is neither. */
export const intOrPercent = (value: unknown): number => {
  if (typeof value === 'number') return value;
  const match = /^[+-]?\d+(%?)$/.exec(String(value ?? ''));
  return match ? Number.parseInt(String(value), 10) : 0;
};

/** Mirrors IsDomainPrefixedPath (apimachinery/pkg/util/validation, 1.36). */
export function validateDomainPath(value: string, field: string, causes: Causes): void {
  const [, host, path] = /^([^/]*)\/(.*)$/s.exec(value) ?? [];
  if (value === '') causes.required(field);
  else if (!host || !path) causes.invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    for (const message of dns1123Subdomain(host)) causes.invalid(field, host, message);
    if (!pathPattern.test(path)) causes.invalid(field, path, regexMessage('Invalid path', printedPathPattern));
  }
}

const printedPathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${printedPathPattern}$`);
