import type { Causes } from '../../field/causes.ts';
import { child, type Fields, has, list, number, sameValue, text } from '../../field/read.ts';
import { validateMetadataUpdate } from '../../metadata/validate.ts';
import { validateAnnotationsUpdate } from './annotations.ts';
import { validateMetadataAndSpec, validateTrimmed } from './create.ts';
import { gatedChanges } from './gated.ts';
import { validateTolerations } from './tolerations.ts';

/**
 * Mirrors ValidatePodUpdate (pkg/apis/core/validation, 1.36): few fields of a pod's spec may change. Upstream's error also lists the
 * difference; here it is omitted.
 */
export function validatePodUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  validateMetadataAndSpec(object, causes);
  validateAnnotationsUpdate(object, old, causes);
  const [spec, before] = [child(object, 'spec'), child(old, 'spec')];
  if (!validateImages(spec, before, causes)) return;
  if (!validateDeadline(spec, before, causes)) return;
  validateOnlyAdded(spec, before, causes);
  validateOnlyRemoved(spec, before, causes);
  if (sameValue(spec, before)) return;
  const rest = list(before, 'schedulingGates').length > 0 ? gatedChanges(spec, before, causes) : spec;
  if (!sameValue(withoutMutable(rest, before), withoutMutable(before, before))) {
    causes.forbidden('spec', `pod updates may not change fields other than ${mutable.join(',')}\n`);
  }
}

const mutable: readonly string[] = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** @returns true if the number of containers is unchanged */
function validateImages(spec: Fields, before: Fields, causes: Causes): boolean {
  for (const name of ['containers', 'initContainers']) {
    const containers = list(spec, name);
    if (containers.length !== list(before, name).length) {
      causes.forbidden(`spec.${name}`, 'pod updates may not add or remove containers');
      return false;
    }
    for (const [i, container] of containers.entries()) {
      if (text(container, 'image') === '') causes.required(`spec.${name}[${i}].image`);
      validateTrimmed(text(container, 'image'), `spec.${name}[${i}].image`, causes);
    }
  }
  return true;
}

/** activeDeadlineSeconds may be set or reduced. @returns false if validation must stop */
function validateDeadline(spec: Fields, before: Fields, causes: Causes): boolean {
  const field = 'spec.activeDeadlineSeconds';
  const had = has(before, 'activeDeadlineSeconds');
  if (!has(spec, 'activeDeadlineSeconds')) {
    if (had) causes.invalid(field, null, 'must not update from a positive integer to nil value');
    return true;
  }
  const seconds = number(spec, 'activeDeadlineSeconds');
  if (seconds < 0 || seconds > 2 ** 31 - 1) causes.invalid(field, seconds, `must be between 0 and ${2 ** 31 - 1}, inclusive`);
  else if (had && number(before, 'activeDeadlineSeconds') < seconds) {
    causes.invalid(field, seconds, 'must be less than or equal to previous value');
  } else return true;
  return false;
}

/** Mirrors validateOnlyAddedTolerations. */
function validateOnlyAdded(spec: Fields, before: Fields, causes: Causes): void {
  const field = 'spec.tolerations';
  const untimed = ({ tolerationSeconds: _seconds, ...rest }: Fields): Fields => rest;
  const tolerations = list(spec, 'tolerations');
  const kept = list(before, 'tolerations').every((old) => tolerations.some((each) => sameValue(untimed(each), untimed(old))));
  if (!kept) causes.forbidden(field, 'existing toleration can not be modified except its tolerationSeconds');
  else validateTolerations(tolerations, field, causes);
}

/** Mirrors validateOnlyDeletedSchedulingGates. */
function validateOnlyRemoved(spec: Fields, before: Fields, causes: Causes): void {
  const had = new Set(list(before, 'schedulingGates').map((gate) => text(gate, 'name')));
  const places = new Map(list(spec, 'schedulingGates').map((gate, i) => [text(gate, 'name'), i]));
  for (const [name, i] of places) {
    if (had.has(name)) continue;
    causes.forbidden(`spec.schedulingGates[${i}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`);
  }
}

function withoutMutable(spec: Fields, before: Fields): Fields {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const imageless = (name: string): unknown =>
    has(spec, name) ? list(spec, name).map(({ image: _image, ...container }) => container) : undefined;
  const grace = number(before, 'terminationGracePeriodSeconds') < 0 && number(spec, 'terminationGracePeriodSeconds') === 1;
  return {
    ...rest,
    containers: imageless('containers'),
    initContainers: imageless('initContainers'),
    ...(grace && { terminationGracePeriodSeconds: before['terminationGracePeriodSeconds'] }),
  };
}
