import { jsonSyntaxProblem } from '../../codec/json-syntax.ts';
import type { Causes } from '../../field/causes.ts';
import { dns1123Subdomain } from '../../field/formats.ts';
import { child, entries, type Fields, has, list, text } from '../../field/read.ts';
import { validateMetadata } from '../../metadata/validate.ts';
import { validateSpec } from './spec.ts';
import { validateTolerations } from './tolerations.ts';

/** Mirrors ValidatePodCreate (pkg/apis/core/validation, 1.36). */
export function validatePodCreate(object: Fields, causes: Causes): void {
  validateMetadataAndSpec(object, causes);
  const spec = child(object, 'spec');
  if (list(spec, 'ephemeralContainers').length > 0) causes.forbidden('spec.ephemeralContainers', 'cannot be set on create');
  if (text(spec, 'nodeName') !== '' && list(spec, 'schedulingGates').length > 0) {
    causes.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  }
}

/** Mirrors validatePodMetadataAndSpec. */
export function validateMetadataAndSpec(object: Fields, causes: Causes): void {
  validateMetadata(object, { namespaced: true, name: dns1123Subdomain, knownFinalizers: true }, causes);
  validatePodAnnotations(object, causes);
  const spec = child(object, 'spec');
  validateSpec(object, causes);
  if (text(spec, 'serviceAccountName') === '') forbidTokens(spec, causes);
  for (const name of ['containers', 'initContainers']) {
    for (const [i, container] of list(spec, name).entries()) validateTrimmed(text(container, 'image'), `spec.${name}[${i}].image`, causes);
  }
}

export function validateTrimmed(image: string, field: string, causes: Causes): void {
  if (image.trim() !== image) causes.invalid(field, image, 'must not have leading or trailing whitespace');
}

function forbidTokens(spec: Fields, causes: Causes): void {
  for (const [i, volume] of list(spec, 'volumes').entries()) {
    for (const [j, source] of list(child(volume, 'projected'), 'sources').entries()) {
      if (!has(source, 'serviceAccountToken')) continue;
      const field = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      causes.forbidden(field, 'must not be specified when serviceAccountName is not set');
    }
  }
}

const mirror = 'kubernetes.io/config.mirror';
const cost = 'controller.kubernetes.io/pod-deletion-cost';
const oldTolerations = 'scheduler.alpha.kubernetes.io/tolerations';

/** Mirrors ValidatePodSpecificAnnotations, but for profiles of seccomp and AppArmor that are said in annotations. */
export function validatePodAnnotations(object: Fields, causes: Causes): void {
  const annotations = child(child(object, 'metadata'), 'annotations');
  const field = 'metadata.annotations';
  if (Object.hasOwn(annotations, mirror) && text(child(object, 'spec'), 'nodeName') === '') {
    causes.invalid(`${field}[${mirror}]`, annotations[mirror], 'must set spec.nodeName if mirror pod annotation is set');
  }
  const old = text(annotations, oldTolerations);
  if (old !== '') validateOldTolerations(old, `${field}.${oldTolerations}`, causes);
  if (Object.hasOwn(annotations, cost) && !isInt32(text(annotations, cost))) {
    causes.invalid(`${field}[${cost}]`, annotations[cost], 'must be a 32bit integer');
  }
}

function validateOldTolerations(value: string, field: string, causes: Causes): void {
  const problem = jsonSyntaxProblem(value) ?? problemOfList(JSON.parse(value));
  if (problem !== undefined) causes.invalid('metadata.annotations', oldTolerations, problem);
  else validateTolerations(list({ tolerations: JSON.parse(value) }, 'tolerations'), field, causes);
}

function problemOfList(value: unknown): string | undefined {
  if (value === null || Array.isArray(value)) return undefined;
  const kind = typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type []core.Toleration`;
}

/** Without a plus in front and without leading zeros. */
const isInt32 = (value: string): boolean => /^(?:0|-?[1-9]\d*)$/.test(value) && Math.abs(Number(value)) <= 2 ** 31 - 1;

const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

/** Mirrors ValidatePodSpecificAnnotationUpdates. */
export function validateAnnotationsUpdate(object: Fields, old: Fields, causes: Causes): void {
  const [after, before] = [child(child(object, 'metadata'), 'annotations'), child(child(old, 'metadata'), 'annotations')];
  for (const [key, value] of entries(child(old, 'metadata'), 'annotations')) {
    if (after[key] !== value) forbidChange(key, 'remove or update', causes);
  }
  for (const key of Object.keys(after)) if (!Object.hasOwn(before, key)) forbidChange(key, 'add', causes);
  validatePodAnnotations(object, causes);
}

function forbidChange(key: string, what: string, causes: Causes): void {
  const field = `metadata.annotations[${key}]`;
  if (key.startsWith(appArmor)) causes.forbidden(field, `may not ${what} AppArmor annotations`);
  if (key === mirror) causes.forbidden(field, `may not ${what} mirror pod annotation`);
}
