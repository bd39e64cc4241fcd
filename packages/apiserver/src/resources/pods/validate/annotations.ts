import { quote } from 'kube-endpoints/internal';
import { jsonSyntaxProblem } from '../../codec/json-syntax.ts';
import type { Causes } from '../../field/causes.ts';
import { child, entries, type Fields, list, text } from '../../field/read.ts';
import { containersWithPaths } from '../warnings/containers.ts';
import { validateDescending } from './paths.ts';
import { validateTolerations } from './tolerations.ts';

/** The annotation of mirror pods, which the kubelet creates for static pods. */
export const mirror = 'kubernetes.io/config.mirror';
const cost = 'controller.kubernetes.io/pod-deletion-cost';
const oldTolerations = 'scheduler.alpha.kubernetes.io/tolerations';

/** Mirrors ValidatePodSpecificAnnotations (pkg/apis/core/validation, 1.36). */
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
  validateSeccompProfiles(annotations, field, causes);
  validateAppArmorProfiles(annotations, child(object, 'spec'), field, causes);
}

const seccomp = ['seccomp.security.alpha.kubernetes.io/pod', 'container.seccomp.security.alpha.kubernetes.io/'] as const;
const seccompProfiles: readonly string[] = ['runtime/default', 'docker/default', 'unconfined'];

/** Mirrors ValidateSeccompPodAnnotations. */
function validateSeccompProfiles(annotations: Fields, field: string, causes: Causes): void {
  for (const [key, profile] of entries({ annotations }, 'annotations')) {
    if ((key !== seccomp[0] && !key.startsWith(seccomp[1])) || seccompProfiles.includes(profile)) continue;
    const own = `${field}.${key}`;
    if (profile.startsWith('localhost/')) validateDescending(profile.slice('localhost/'.length), own, causes);
    else causes.invalid(own, profile, 'must be a valid seccomp profile');
  }
}

/** Mirrors ValidateAppArmorPodAnnotations. */
function validateAppArmorProfiles(annotations: Fields, spec: Fields, field: string, causes: Causes): void {
  const names = containersWithPaths(spec).map(({ container }) => text(container, 'name'));
  for (const [key, profile] of entries({ annotations }, 'annotations')) {
    if (!key.startsWith(appArmor)) continue;
    const name = key.slice(appArmor.length);
    if (!names.includes(name)) causes.invalid(`${field}[${key}]`, name, 'container not found');
    if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) continue;
    causes.invalid(`${field}[${key}]`, profile, `invalid AppArmor profile name: ${quote(profile)}`);
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

/** Neither a leading plus nor leading zeros are valid. */
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
