import { structType } from '../../api-types/index.ts';
import { dns1123Subdomain } from '../../formats/names.ts';
import { type Description, metadataFields } from '../description.ts';
import type { Causes } from '../field/causes.ts';
import { child, type Draft, type Fields, list, text } from '../field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { ageColumn, ageOf, nameColumn } from '../table/columns.ts';

/** Mirrors pkg/registry/core/serviceaccount/strategy.go and ValidateServiceAccount (1.36). */
export const serviceAccounts: Description = {
  resource: { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true },
  singular: 'serviceaccount',
  shortNames: ['sa'],
  type: structType('core.ServiceAccount'),
  strategy: {
    prepareForCreate: keepOnlySecretNames,
    prepareForUpdate: keepOnlySecretNames,
    validate,
    validateUpdate(object, old, causes) {
      validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
      validate(object, causes);
    },
    warnings: (object, old) =>
      old && hasEnforceAnnotation(old)
        ? []
        : hasEnforceAnnotation(object)
          ? [
              `metadata.annotations[${enforceAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
            ]
          : [],
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  selectableFields: metadataFields(true),
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [text(child(object, 'metadata'), 'name'), ageOf(object, now)],
};

const enforceAnnotation = 'kubernetes.io/enforce-mountable-secrets';

const hasEnforceAnnotation = (object: Fields): boolean => Object.hasOwn(child(child(object, 'metadata'), 'annotations'), enforceAnnotation);

function keepOnlySecretNames(draft: Draft): void {
  const secrets = list(draft, 'secrets');
  if (secrets.length === 0) return;
  draft['secrets'] = secrets.map((secret) => (text(secret, 'name') === '' ? {} : { name: text(secret, 'name') }));
}

function validate(object: Fields, causes: Causes): void {
  validateMetadata(object, { namespaced: true, name: dns1123Subdomain, knownFinalizers: true }, causes);
}
