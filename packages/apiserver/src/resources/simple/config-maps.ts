import { structType } from '../../api-types/index.ts';
import { bytesOf, configMapKey, dns1123Subdomain } from '../../formats/names.ts';
import { type Description, metadataFields } from '../description.ts';
import type { Causes } from '../field/causes.ts';
import { child, entries, type Fields, flag, sameValue, text } from '../field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { ageColumn, ageOf, column, nameColumn } from '../table/columns.ts';

/** Mirrors pkg/registry/core/configmap/strategy.go and ValidateConfigMap (1.36). */
export const configMaps: Description = {
  resource: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
  singular: 'configmap',
  shortNames: ['cm'],
  type: structType('core.ConfigMap'),
  strategy: {
    validate,
    validateUpdate(object, old, causes) {
      validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
      validateImmutable(object, old, ['data', 'binaryData'], causes);
      validate(object, causes);
    },
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  selectableFields: metadataFields(true),
  columns: [nameColumn, column('Data'), ageColumn],
  cells: (object, now) => [
    text(child(object, 'metadata'), 'name'),
    entries(object, 'data').length + entries(object, 'binaryData').length,
    ageOf(object, now),
  ],
};

/** The limit of the data of a ConfigMap or Secret: 1 MiB. */
export const maxDataBytes: number = 1024 * 1024;

function validate(object: Fields, causes: Causes): void {
  validateMetadata(object, { namespaced: true, name: dns1123Subdomain, knownFinalizers: true }, causes);
  const binary = child(object, 'binaryData');
  let size = 0;
  for (const [key, value] of entries(object, 'data')) {
    for (const message of configMapKey(key)) causes.invalid(`data[${key}]`, key, message);
    if (Object.hasOwn(binary, key)) causes.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
    size += bytesOf(value);
  }
  for (const [key, value] of entries(object, 'binaryData')) {
    for (const message of configMapKey(key)) causes.invalid(`binaryData[${key}]`, key, message);
    size += bytesOfBase64(value);
  }
  // Upstream's empty field path prints as "[]".
  if (size > maxDataBytes) causes.tooLong('[]', maxDataBytes);
}

export const bytesOfBase64 = (value: string): number => (value.length * 3) / 4 - (/=*$/.exec(value)?.[0].length ?? 0);

/** If the old object is immutable, neither `immutable` nor the given fields may change. */
export function validateImmutable(object: Fields, old: Fields, fields: readonly string[], causes: Causes): void {
  if (!flag(old, 'immutable')) return;
  const forbidChange = (field: string): void => causes.forbidden(field, 'field is immutable when `immutable` is set');
  if (!flag(object, 'immutable')) forbidChange('immutable');
  for (const field of fields) if (!sameValue(object[field], old[field])) forbidChange(field);
}
