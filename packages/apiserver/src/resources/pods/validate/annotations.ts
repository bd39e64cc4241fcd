import { quote } from 'kube-endpoints/internal/apimachinery';
import { jsonSyntaxProblem } from '../../../api-types/codec/json-syntax.ts';
import type { Causes } from '../../field/causes.ts';
import { child, entries, type Fields, list, text } from '../../field/read.ts';
import { containersWithPaths } from '../warnings/containers.ts';
import { validateDescendingPath } from './paths.ts';
import { validateTolerations } from './tolerations.ts';

/** The annotation of mirror pods, which the kubelet creates for static pods. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations';

/** Mirrors ValidatePodSpecificAnnotations (pkg/apis/core/validation, 1.36). */
export function validatePodAnnotations(object: Fields, causes: Causes): void {
  const annotations = child(child(object, 'metadata'), 'annotations');
  const field = 'metadata.annotations';
  if (Object.hasOwn(annotations, mirrorAnnotation) && text(child(object, 'spec'), 'nodeName') === '') {
    causes.invalid(
      `${field}[${mirrorAnnotation}]`,
      annotations[mirrorAnnotation],
      'must set spec.nodeName if mirror pod annotation is set',
    );
  }
  const tolerations = text(annotations, tolerationsAnnotation);
  if (tolerations !== '') validateAnnotatedTolerations(tolerations, `${field}.${tolerationsAnnotation}`, causes);
  if (Object.hasOwn(annotations, deletionCostAnnotation) && !isInt32(text(annotations, deletionCostAnnotation))) {
    causes.invalid(`${field}[${deletionCostAnnotation}]`, annotations[deletionCostAnnotation], 'must be a 32bit integer');
  }
  validateSeccompProfiles(annotations, field, causes);
  validateAppArmorProfiles(annotations, child(object, 'spec'), field, causes);
}

const seccompPrefixes = ['seccomp.security.alpha.kubernetes.io/pod', 'container.seccomp.security.alpha.kubernetes.io/'] as const;
const seccompProfiles: readonly string[] = ['runtime/default', 'docker/default', 'unconfined'];

/** Mirrors ValidateSeccompPodAnnotations. */
function validateSeccompProfiles(annotations: Fields, field: string, causes: Causes): void {
  for (const [key, profile] of entries({ annotations }, 'annotations')) {
    if ((key !== seccompPrefixes[0] && !key.startsWith(seccompPrefixes[1])) || seccompProfiles.includes(profile)) continue;
    const keyField = `${field}.${key}`;
    if (profile.startsWith('localhost/')) validateDescendingPath(profile.slice('localhost/'.length), keyField, causes);
    else causes.invalid(keyField, profile, 'must be a valid seccomp profile');
  }
}

/** Mirrors ValidateAppArmorPodAnnotations. */
function validateAppArmorProfiles(annotations: Fields, spec: Fields, field: string, causes: Causes): void {
  const names = containersWithPaths(spec).map(({ container }) => text(container, 'name'));
  for (const [key, profile] of entries({ annotations }, 'annotations')) {
    if (!key.startsWith(appArmorPrefix)) continue;
    const name = key.slice(appArmorPrefix.length);
    if (!names.includes(name)) causes.invalid(`${field}[${key}]`, name, 'container not found');
    if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) continue;
    causes.invalid(`${field}[${key}]`, profile, `invalid AppArmor profile name: ${quote(profile)}`);
  }
}

function validateAnnotatedTolerations(value: string, field: string, causes: Causes): void {
  const problem = jsonSyntaxProblem(value) ?? problemOfList(JSON.parse(value));
  if (problem !== undefined) causes.invalid('metadata.annotations', tolerationsAnnotation, problem);
  else validateTolerations(list({ tolerations: JSON.parse(value) }, 'tolerations'), field, causes);
}

function problemOfList(value: unknown): string | undefined {
  if (value === null || Array.isArray(value)) return undefined;
  const kind = typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type []core.Toleration`;
}

/** Mirrors GetDeletionCostFromPodAnnotations (pkg/apis/core/helper, 1.36): a leading zero is refused, but not after a minus sign. */
const isInt32 = (value: string): boolean => /^(?:0|-\d+|[1-9]\d*)$/.test(value) && Number(value) === (Number(value) | 0);

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** Mirrors ValidatePodSpecificAnnotationUpdates. */
export function validateAnnotationsUpdate(object: Fields, old: Fields, causes: Causes): void {
  const [annotations, oldAnnotations] = [child(child(object, 'metadata'), 'annotations'), child(child(old, 'metadata'), 'annotations')];
  for (const [key, value] of entries(child(old, 'metadata'), 'annotations')) {
    if (annotations[key] !== value) forbidChange(key, 'remove or update', causes);
  }
  for (const key of Object.keys(annotations)) if (!Object.hasOwn(oldAnnotations, key)) forbidChange(key, 'add', causes);
  validatePodAnnotations(object, causes);
}

function forbidChange(key: string, verb: string, causes: Causes): void {
  const field = `metadata.annotations[${key}]`;
  if (key.startsWith(appArmorPrefix)) causes.forbidden(field, `may not ${verb} AppArmor annotations`);
  if (key === mirrorAnnotation) causes.forbidden(field, `may not ${verb} mirror pod annotation`);
}
