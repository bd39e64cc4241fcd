import type { Causes } from '../../field/causes.ts';
import { child, type Fields, has, list, number, text } from '../../field/read.ts';
import { validateFieldRef, validateResourceRef } from './env.ts';
import { validateMode, validateNotReserved } from './paths.ts';

/** Mirrors validateKeyToPath (pkg/apis/core/validation, 1.36). */
export function validateKeyPath(item: Fields, field: string, causes: Causes): void {
  if (text(item, 'key') === '') causes.required(`${field}.key`);
  if (text(item, 'path') === '') causes.required(`${field}.path`);
  validateNotReserved(text(item, 'path'), `${field}.path`, causes);
  validateMode(item['mode'], `${field}.mode`, causes);
}

const inFiles: readonly string[] = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Mirrors validateDownwardAPIVolumeFile. */
export function validateFile(file: Fields, field: string, causes: Causes): void {
  if (text(file, 'path') === '') causes.required(`${field}.path`);
  validateNotReserved(text(file, 'path'), `${field}.path`, causes);
  if (has(file, 'fieldRef')) {
    validateFieldRef(child(file, 'fieldRef'), inFiles, `${field}.fieldRef`, causes);
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
  const once = (path: string, named: string): void => {
    if (path === '') return;
    if (paths.has(path)) causes.invalid(field, named, 'conflicting duplicate paths');
    paths.add(path);
  };
  for (const [i, source] of list(projected, 'sources').entries()) {
    const own = `${field}.sources[${i}]`;
    for (const kind of ['secret', 'configMap']) if (has(source, kind)) validateKeys(child(source, kind), `${own}.${kind}`, once, causes);
    for (const item of list(child(source, 'downwardAPI'), 'items')) {
      validateFile(item, `${own}.downwardAPI`, causes);
      once(text(item, 'path'), text(item, 'path'));
    }
    if (has(source, 'serviceAccountToken')) validateToken(child(source, 'serviceAccountToken'), own, field, causes);
    if (kinds.filter((kind) => has(source, kind)).length > 1) {
      causes.forbidden(own, 'may not specify more than 1 volume type per source');
    }
  }
}

const kinds: readonly string[] = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

function validateKeys(source: Fields, field: string, once: (path: string, named: string) => void, causes: Causes): void {
  const name = text(source, 'name');
  if (name === '') causes.required(`${field}.name`);
  for (const [i, item] of list(source, 'items').entries()) {
    validateKeyPath(item, `${field}.items[${i}]`, causes);
    once(text(item, 'path'), name);
  }
}

/** Errors about the token's path name the volume's path, as upstream. */
function validateToken(token: Fields, own: string, field: string, causes: Causes): void {
  const seconds = number(token, 'expirationSeconds');
  const secondsField = `${own}.serviceAccountToken.expirationSeconds`;
  if (seconds < 600) causes.invalid(secondsField, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32) causes.invalid(secondsField, seconds, 'may not specify a duration larger than 2^32 seconds');
  const path = text(token, 'path');
  if (path === '') causes.required(`${field}.path`);
  else validateNotReserved(path, `${field}.path`, causes);
}
