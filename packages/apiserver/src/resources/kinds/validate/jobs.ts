import { type LabelSelector, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import { bytesOf, dns1123Label } from '../../../formats/names.ts';
import { asJson, type Causes } from '../../field/causes.ts';
import { validateLabelSelector } from '../../field/label-selector.ts';
import { child, type Draft, ensureChild, type Fields, has, number, text } from '../../field/read.ts';
import { isValidSelector } from '../tables/cells.ts';
import { findScheduleProblem } from './cron.ts';
import {
  selectorOf,
  toPrintedSelector,
  validateDomainPath,
  validateImmutable,
  validateNonNegative,
  validatePodTemplate,
  validateTemplateLabels,
} from './rules.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';
const uidLabels = ['controller-uid', uidLabel];
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];

/** Generates the selector and the labels of the template. Mirrors generateSelector (pkg/registry/batch/job/strategy.go, 1.36). */
export function generateJobSelector(draft: Draft): void {
  const spec = ensureChild(draft, 'spec');
  if (spec['manualSelector'] === true) return;
  const metadata = child(draft, 'metadata');
  const labels = ensureChild(ensureChild(ensureChild(spec, 'template'), 'metadata'), 'labels');
  for (const name of nameLabels) labels[name] ??= text(metadata, 'name');
  for (const name of uidLabels) labels[name] ??= text(metadata, 'uid');
  ensureChild(ensureChild(spec, 'selector'), 'matchLabels')[uidLabel] ??= text(metadata, 'uid');
}

/** Mirrors ValidateJob (pkg/apis/batch/validation, 1.36), without the rules of podFailurePolicy and successPolicy. */
export function validateJob(object: Fields, causes: Causes): void {
  const [metadata, spec] = [child(object, 'metadata'), child(object, 'spec')];
  validateGeneratedSelector(metadata, spec, causes);
  validateSpecWithSelector(spec, causes);
  const completions = number(spec, 'completions');
  if (text(spec, 'completionMode') !== 'Indexed' || completions <= 0) return;
  const hostname = `${text(metadata, 'name')}-${completions - 1}`;
  if (dns1123Label(hostname).length === 0) return;
  causes.invalid('metadata.name', text(metadata, 'name'), `will not able to create pod with invalid DNS label: ${hostname}`);
}

function validateSpecWithSelector(spec: Fields, causes: Causes): void {
  validateJobSpec(spec, 'spec', causes);
  const selector = selectorOf(spec);
  if (!selector) causes.required('spec.selector');
  else validateLabelSelector(selector, 'spec.selector', causes);
  if (!selector || isValidSelector(selector)) validateTemplateLabels(spec, causes);
}

/** Unless the selector is manual, requires the labels and the selector that `generateJobSelector` sets. */
function validateGeneratedSelector(metadata: Fields, spec: Fields, causes: Causes): void {
  const selector = selectorOf(spec);
  if (spec['manualSelector'] === true || !selector) return;
  const labels = child(child(child(spec, 'template'), 'metadata'), 'labels');
  const [name, uid] = [text(metadata, 'name'), text(metadata, 'uid')];
  const expectedLabels = Object.fromEntries([...uidLabels.map((label) => [label, uid]), ...nameLabels.map((label) => [label, name])]);
  for (const [label, expected] of Object.entries(expectedLabels) as [string, string][]) {
    const field = `spec.template.metadata.labels[${label}]`;
    if (labels[label] === undefined) causes.required(field, `must be '${expected}'`);
    else if (labels[label] !== expected) causes.invalid(field, labels, `must be '${expected}'`);
  }
  if (isValidSelector(selector) && !selectorMatches(selector as LabelSelector, expectedLabels)) {
    causes.invalid('spec.selector', toPrintedSelector(selector), '`selector` not auto-generated');
  }
}

const countFields = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

const maxIndexedCount = 100_000;

function validateJobSpec(spec: Fields, field: string, causes: Causes): void {
  validateNonNegative(spec, countFields, field, causes);
  if (has(spec, 'maxFailedIndexes') && !has(spec, 'backoffLimitPerIndex')) {
    causes.required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  }
  if (has(spec, 'managedBy')) {
    validateDomainPath(text(spec, 'managedBy'), `${field}.managedBy`, causes);
    if (bytesOf(text(spec, 'managedBy')) > maxManagerBytes) causes.tooLong(`${field}.managedBy`, maxManagerBytes);
  }
  const mode = text(spec, 'completionMode');
  if (has(spec, 'completionMode') && mode !== 'NonIndexed' && mode !== 'Indexed') {
    causes.notSupported(`${field}.completionMode`, asJson(mode), ['NonIndexed', 'Indexed']);
  }
  if (mode === 'Indexed') validateIndexed(spec, field, causes);
  if (mode === 'NonIndexed' || !has(spec, 'completionMode')) {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      if (has(spec, name)) causes.invalid(`${field}.${name}`, spec[name], 'requires indexed completion mode');
    }
  }
  validateReplacement(spec, field, causes);
  validatePodTemplate(child(spec, 'template'), `${field}.template`, causes);
  validateRestart(spec, `${field}.template.spec.restartPolicy`, causes);
}

const maxManagerBytes = 63;

function validateIndexed(spec: Fields, field: string, causes: Causes): void {
  if (!has(spec, 'completions')) causes.required(`${field}.completions`, 'when completion mode is Indexed');
  const [parallelism, failed] = [number(spec, 'parallelism'), number(spec, 'maxFailedIndexes')];
  if (parallelism > maxIndexedCount) {
    const detail = `must be less than or equal to ${maxIndexedCount} when completion mode is Indexed`;
    causes.invalid(`${field}.parallelism`, parallelism, detail);
  }
  if (has(spec, 'completions') && failed > number(spec, 'completions')) {
    causes.invalid(`${field}.maxFailedIndexes`, failed, 'must be less than or equal to completions');
  }
  if (failed > maxIndexedCount) causes.invalid(`${field}.maxFailedIndexes`, failed, `must be less than or equal to ${maxIndexedCount}`);
}

function validateReplacement(spec: Fields, field: string, causes: Causes): void {
  if (!has(spec, 'podReplacementPolicy')) return;
  const choices = has(spec, 'podFailurePolicy') ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  const policy = text(spec, 'podReplacementPolicy');
  if (!choices.includes(policy)) causes.notSupported(`${field}.podReplacementPolicy`, asJson(policy), choices);
}

function validateRestart(spec: Fields, field: string, causes: Causes): void {
  const policy = text(child(child(spec, 'template'), 'spec'), 'restartPolicy');
  if (policy === 'Always' || policy === '') causes.required(field, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') causes.notSupported(field, asJson(policy), ['OnFailure', 'Never']);
  else if (has(spec, 'podFailurePolicy') && policy !== 'Never') {
    causes.invalid(field, asJson(policy), 'only "Never" is supported when podFailurePolicy is specified');
  }
}

const immutableFields = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

/** Mirrors ValidateJobSpecUpdate, without the changes that suspended Jobs allow. */
export function validateJobUpdate(object: Fields, old: Fields, causes: Causes): void {
  const [spec, oldSpec] = [child(object, 'spec'), child(old, 'spec')];
  // Upstream validates the spec twice.
  validateSpecWithSelector(spec, causes);
  if (text(spec, 'completionMode') !== 'Indexed') {
    validateImmutable(spec['completions'], oldSpec['completions'], 'spec.completions', causes);
  } else if (has(spec, 'completions') && spec['completions'] !== oldSpec['completions'] && spec['completions'] !== spec['parallelism']) {
    causes.invalid('spec.completions', spec['completions'], 'can only be modified in tandem with spec.parallelism');
  }
  const selector = selectorOf(spec);
  validateImmutable(selector, selectorOf(oldSpec), 'spec.selector', causes, toPrintedSelector(selector));
  if (oldSpec['suspend'] !== true) validateImmutable(spec['template'], oldSpec['template'], 'spec.template', causes);
  for (const name of immutableFields) validateImmutable(spec[name], oldSpec[name], `spec.${name}`, causes);
}

/** Mirrors ValidateCronJobCreate. */
export function validateCronJob(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  const schedule = text(spec, 'schedule');
  if (schedule === '') causes.required('spec.schedule');
  else validateSchedule(schedule, causes);
  validateNonNegative(spec, ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], 'spec', causes);
  if (has(spec, 'timeZone')) validateTimeZone(text(spec, 'timeZone'), causes);
  const policy = text(spec, 'concurrencyPolicy');
  if (policy === '') causes.required('spec.concurrencyPolicy');
  else if (!concurrencyPolicies.includes(policy)) causes.notSupported('spec.concurrencyPolicy', asJson(policy), concurrencyPolicies);
  const jobSpec = child(child(spec, 'jobTemplate'), 'spec');
  validateJobSpec(jobSpec, 'spec.jobTemplate.spec', causes);
  const selector = selectorOf(jobSpec);
  if (selector) causes.invalid('spec.jobTemplate.spec.selector', toPrintedSelector(selector), '`selector` will be auto-generated');
  if (jobSpec['manualSelector'] === true) causes.notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']);
}

export function validateCronJobName(object: Fields, causes: Causes): void {
  const name = text(child(object, 'metadata'), 'name');
  if (bytesOf(name) > maxCronJobNameBytes) causes.invalid('metadata.name', name, `must be no more than ${maxCronJobNameBytes} characters`);
}

const maxCronJobNameBytes = 52;
const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'];

function validateSchedule(schedule: string, causes: Causes): void {
  const problem = findScheduleProblem(schedule);
  if (problem !== undefined) causes.invalid('spec.schedule', schedule, problem);
  if (schedule.includes('TZ')) {
    causes.invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  }
}

function validateTimeZone(timeZone: string, causes: Causes): void {
  const field = 'spec.timeZone';
  if (timeZone === '') causes.invalid(field, timeZone, 'timeZone must be nil or non-empty string');
  else if (timeZone.toLowerCase() === 'local') {
    causes.invalid(field, timeZone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  } else if (!isTimeZone(timeZone)) causes.invalid(field, timeZone, `unknown time zone ${timeZone}`);
}

function isTimeZone(timeZone: string): boolean {
  try {
    return !timeZone.startsWith('+') && !timeZone.startsWith('-') && Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}
