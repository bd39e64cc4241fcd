import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { dns1123Subdomain } from '../../formats/names.ts';
import { type Description, metadataFields } from '../description.ts';
import type { Causes } from '../field/causes.ts';
import { child, type Draft, type Fields, has, number, text } from '../field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { ageColumn, ageOf, column, nameColumn } from '../table/columns.ts';

/** Mirrors pkg/registry/coordination/lease/strategy.go and ValidateLease (1.36), with coordinated leader election off, its default. */
export const leases: Description = {
  resource: resources.leases,
  singular: 'lease',
  type: structType('coordination.Lease'),
  strategy: {
    prepareForCreate: (draft) => dropCoordination(draft, {}),
    prepareForUpdate: dropCoordination,
    validate(object, causes) {
      validateMetadata(object, { namespaced: true, name: dns1123Subdomain }, causes);
      validateSpec(child(object, 'spec'), causes);
    },
    validateUpdate(object, old, causes) {
      validateMetadataUpdate(object, old, {}, causes);
      validateSpec(child(object, 'spec'), causes);
    },
    createOnUpdate: true,
    unconditionalUpdate: false,
  },
  selectableFields: metadataFields(true),
  columns: [nameColumn, column('Holder'), ageColumn],
  cells: (object, now) => [text(child(object, 'metadata'), 'name'), text(child(object, 'spec'), 'holderIdentity'), ageOf(object, now)],
};

function dropCoordination(draft: Draft, old: Fields): void {
  const spec = child(draft, 'spec') as Draft;
  for (const name of ['strategy', 'preferredHolder']) if (!has(child(old, 'spec'), name)) delete spec[name];
}

function validateSpec(spec: Fields, causes: Causes): void {
  if (has(spec, 'leaseDurationSeconds') && number(spec, 'leaseDurationSeconds') <= 0) {
    causes.invalid('spec.leaseDurationSeconds', spec['leaseDurationSeconds'], 'must be greater than 0');
  }
  if (has(spec, 'leaseTransitions') && number(spec, 'leaseTransitions') < 0) {
    causes.invalid('spec.leaseTransitions', spec['leaseTransitions'], 'must be greater than or equal to 0');
  }
}
