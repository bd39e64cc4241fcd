import type { Causes } from '../../field/causes.ts';
import { child, type Fields, has, list, number, text } from '../../field/read.ts';
import { validateFieldRef, validateResourceRef } from './env.ts';
import { validateMode, validateNonReservedPath } from './paths.ts';

/** Mirrors validateKeyToPath (pkg/apis/core/validation, 1.36). */
export function validateKeyToPath(item: Fields, field: string, causes: Causes): void {
  if (text(item, 'key') === '') causes.required(`${field}.key`);
  if (text(item, 'path') === '') causes.required(`${field}.path`);
  validateNonReservedPath(text(item, 'path'), `${field}.path`, causes);
  validateMode(item['mode'], `${field}.mode`, causes);
}

const fileFieldPaths: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Mirrors validateDownwardAPIVolumeFile. */
export function validateDownwardAPIFile(file: Fields, field: string, causes: Causes): void {
  if (text(file, 'path') === '') causes.required(`${field}.path`);
  validateNonReservedPath(text(file, 'path'), `${field}.path`, causes);
  if (has(file, 'fieldRef')) {
    validateFieldRef(child(file, 'fieldRef'), fileFieldPaths, `${field}.fieldRef`, causes);
    if (has(file, 'resourceFieldRef')) {
      causes.invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (has(file, 'resourceFieldRef')) {
    validateResourceRef(child(file, 'resourceFieldRef'), true, `${field}.resourceFieldRef`, causes);
  } else causes.required(field, 'one of fieldRef and resourceFieldRef is required');
  validateMode(file['mode'], `${field}.mode`, causes);
}

/** Mirrors validateProjectionSources; clusterTrustBundle and podCertificate are not validated. */
export function validateProjected(projected: Fields, field: string, causes: Causes): void {
  const paths = new Set<string>();
  const checkUnique = (path: string, reportedValue: string): void => {
    if (path === '') return;
    if (paths.has(path)) causes.invalid(field, reportedValue, 'conflicting duplicate paths');
    paths.add(path);
  };
  for (const [i, source] of list(projected, 'sources').entries()) {
    const sourceField = `${field}.sources[${i}]`;
    for (const sourceType of ['secret', 'configMap'])
      if (has(source, sourceType)) validateKeys(child(source, sourceType), `${sourceField}.${sourceType}`, checkUnique, causes);
    for (const item of list(child(source, 'downwardAPI'), 'items')) {
      validateDownwardAPIFile(item, `${sourceField}.downwardAPI`, causes);
      checkUnique(text(item, 'path'), text(item, 'path'));
    }
    if (has(source, 'serviceAccountToken')) validateToken(child(source, 'serviceAccountToken'), sourceField, field, causes);
    if (sourceTypes.filter((sourceType) => has(source, sourceType)).length > 1) {
      causes.forbidden(sourceField, 'may not specify more than 1 volume type per source');
    }
  }
}

const sourceTypes: readonly string[] = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

function validateKeys(source: Fields, field: string, checkUnique: (path: string, reportedValue: string) => void, causes: Causes): void {
  const name = text(source, 'name');
  if (name === '') causes.required(`${field}.name`);
  for (const [i, item] of list(source, 'items').entries()) {
    validateKeyToPath(item, `${field}.items[${i}]`, causes);
    checkUnique(text(item, 'path'), name);
  }
}

/** Like upstream, errors about the token's path have the field path of the volume. */
function validateToken(token: Fields, sourceField: string, volumeField: string, causes: Causes): void {
  const seconds = number(token, 'expirationSeconds');
  const secondsField = `${sourceField}.serviceAccountToken.expirationSeconds`;
  if (seconds < 600) causes.invalid(secondsField, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32) causes.invalid(secondsField, seconds, 'may not specify a duration larger than 2^32 seconds');
  const path = text(token, 'path');
  if (path === '') causes.required(`${volumeField}.path`);
  else validateNonReservedPath(path, `${volumeField}.path`, causes);
}
