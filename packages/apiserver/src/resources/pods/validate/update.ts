import type { Causes } from '../../field/causes.ts';
import { child, type Fields, has, list, number, sameValue, text } from '../../field/read.ts';
import { validateMetadataUpdate } from '../../metadata/validate.ts';
import { validateAnnotationsUpdate } from './annotations.ts';
import { validateMetadataAndSpec, validateTrimmed } from './create.ts';
import { validateGatedChanges } from './gated.ts';
import { validateTolerations } from './tolerations.ts';

/**
 * Mirrors ValidatePodUpdate (pkg/apis/core/validation, 1.36): few fields of a pod's spec may change. Upstream's error also lists the
 * difference; here it is omitted.
 */
export function validatePodUpdate(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  validateMetadataAndSpec(object, causes);
  validateAnnotationsUpdate(object, old, causes);
  const [spec, oldSpec] = [child(object, 'spec'), child(old, 'spec')];
  if (!validateImages(spec, oldSpec, causes)) return;
  if (!validateDeadline(spec, oldSpec, causes)) return;
  validateOnlyAddedTolerations(spec, oldSpec, causes);
  validateOnlyDeletedGates(spec, oldSpec, causes);
  if (sameValue(spec, oldSpec)) return;
  const specWithoutGatedChanges = list(oldSpec, 'schedulingGates').length > 0 ? validateGatedChanges(spec, oldSpec, causes) : spec;
  if (!sameValue(withoutMutableFields(specWithoutGatedChanges, oldSpec), withoutMutableFields(oldSpec, oldSpec))) {
    causes.forbidden('spec', `pod updates may not change fields other than ${mutableFields.join(',')}\n`);
  }
}

const mutableFields: readonly string[] = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** @returns true if the number of containers is unchanged */
function validateImages(spec: Fields, oldSpec: Fields, causes: Causes): boolean {
  for (const name of ['containers', 'initContainers']) {
    const containers = list(spec, name);
    if (containers.length !== list(oldSpec, name).length) {
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
function validateDeadline(spec: Fields, oldSpec: Fields, causes: Causes): boolean {
  const field = 'spec.activeDeadlineSeconds';
  const wasSet = has(oldSpec, 'activeDeadlineSeconds');
  if (!has(spec, 'activeDeadlineSeconds')) {
    if (wasSet) causes.invalid(field, null, 'must not update from a positive integer to nil value');
    return true;
  }
  const seconds = number(spec, 'activeDeadlineSeconds');
  if (seconds < 0 || seconds > 2 ** 31 - 1) causes.invalid(field, seconds, `must be between 0 and ${2 ** 31 - 1}, inclusive`);
  else if (wasSet && number(oldSpec, 'activeDeadlineSeconds') < seconds) {
    causes.invalid(field, seconds, 'must be less than or equal to previous value');
  } else return true;
  return false;
}

/** Mirrors validateOnlyAddedTolerations. */
function validateOnlyAddedTolerations(spec: Fields, oldSpec: Fields, causes: Causes): void {
  const field = 'spec.tolerations';
  const withoutSeconds = ({ tolerationSeconds: _seconds, ...rest }: Fields): Fields => rest;
  const tolerations = list(spec, 'tolerations');
  const areAllKept = list(oldSpec, 'tolerations').every((old) =>
    tolerations.some((each) => sameValue(withoutSeconds(each), withoutSeconds(old))),
  );
  if (!areAllKept) causes.forbidden(field, 'existing toleration can not be modified except its tolerationSeconds');
  else validateTolerations(tolerations, field, causes);
}

/** Mirrors validateOnlyDeletedSchedulingGates. */
function validateOnlyDeletedGates(spec: Fields, oldSpec: Fields, causes: Causes): void {
  const oldNames = new Set(list(oldSpec, 'schedulingGates').map((gate) => text(gate, 'name')));
  const indexByName = new Map(list(spec, 'schedulingGates').map((gate, i) => [text(gate, 'name'), i]));
  for (const [name, i] of indexByName) {
    if (oldNames.has(name)) continue;
    causes.forbidden(`spec.schedulingGates[${i}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`);
  }
}

function withoutMutableFields(spec: Fields, oldSpec: Fields): Fields {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const withoutImages = (name: string): unknown =>
    has(spec, name) ? list(spec, name).map(({ image: _image, ...container }) => container) : undefined;
  const fixesNegativeGrace = number(oldSpec, 'terminationGracePeriodSeconds') < 0 && number(spec, 'terminationGracePeriodSeconds') === 1;
  return {
    ...rest,
    containers: withoutImages('containers'),
    initContainers: withoutImages('initContainers'),
    ...(fixesNegativeGrace && { terminationGracePeriodSeconds: oldSpec['terminationGracePeriodSeconds'] }),
  };
}
