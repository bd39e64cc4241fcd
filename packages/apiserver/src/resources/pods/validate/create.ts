import { dns1123Subdomain } from '../../../formats/names.ts';
import type { Causes } from '../../field/causes.ts';
import { child, type Fields, has, list, text } from '../../field/read.ts';
import { validateMetadata } from '../../metadata/validate.ts';
import { validatePodAnnotations } from './annotations.ts';
import { validateSpec } from './spec.ts';

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
  if (text(spec, 'serviceAccountName') === '') forbidServiceAccountTokens(spec, causes);
  for (const name of ['containers', 'initContainers']) {
    for (const [i, container] of list(spec, name).entries()) validateTrimmed(text(container, 'image'), `spec.${name}[${i}].image`, causes);
  }
}

export function validateTrimmed(image: string, field: string, causes: Causes): void {
  if (image.trim() !== image) causes.invalid(field, image, 'must not have leading or trailing whitespace');
}

function forbidServiceAccountTokens(spec: Fields, causes: Causes): void {
  for (const [i, volume] of list(spec, 'volumes').entries()) {
    for (const [j, source] of list(child(volume, 'projected'), 'sources').entries()) {
      if (!has(source, 'serviceAccountToken')) continue;
      const field = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      causes.forbidden(field, 'must not be specified when serviceAccountName is not set');
    }
  }
}
