import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { dns1123Label, qualifiedName } from '../../formats/names.ts';
import { createTextReader, type Description, metadataFields } from '../description.ts';
import { asJson, type Causes } from '../field/causes.ts';
import { child, copyOf, type Draft, ensureChild, type Fields, has, text, texts } from '../field/read.ts';
import { validateKnownFinalizer, validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { ageColumn, ageOf, column, nameColumn } from '../table/columns.ts';

/** Mirrors pkg/registry/core/namespace/strategy.go and ValidateNamespace (1.36). */
export const namespaces: Description = {
  resource: resources.namespaces,
  singular: 'namespace',
  shortNames: ['ns'],
  type: structType('core.Namespace'),
  strategy: {
    resetFields: ['status'],
    defaults(draft) {
      if (text(child(draft, 'metadata'), 'name') !== '') labelByName(draft);
      const status = ensureChild(draft, 'status');
      if (text(status, 'phase') === '') status['phase'] = 'Active';
    },
    prepareForCreate(draft) {
      draft['status'] = { phase: 'Active' };
      const spec = ensureChild(draft, 'spec');
      const finalizers = texts(spec, 'finalizers');
      if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
    },
    prepareForUpdate(draft, old) {
      const spec = ensureChild(draft, 'spec');
      spec['finalizers'] = copyOf(child(old, 'spec')['finalizers']);
      draft['status'] = copyOf(old['status']);
    },
    validate,
    validateUpdate(object, old, causes) {
      validate(object, causes);
      validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
    },
    canonicalize: labelByName,
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  subresources: {
    status: { resetFields: ['spec'], prepareForUpdate: (draft, old) => restoreField(draft, old, 'spec'), validateUpdate: validateStatus },
    finalize: {
      resetFields: ['status'],
      prepareForUpdate: (draft, old) => restoreField(draft, old, 'status'),
      validateUpdate: validateFinalize,
    },
  },
  selectableFields: { ...metadataFields(false), 'status.phase': createTextReader('status', 'phase') },
  columns: [nameColumn, column('Status'), ageColumn],
  cells: (object, now) => [text(child(object, 'metadata'), 'name'), text(child(object, 'status'), 'phase'), ageOf(object, now)],
};

function labelByName(draft: Draft): void {
  const metadata = ensureChild(draft, 'metadata');
  ensureChild(metadata, 'labels')['kubernetes.io/metadata.name'] = text(metadata, 'name');
}

function restoreField(draft: Draft, old: Fields, name: string): void {
  draft[name] = copyOf(old[name]);
}

function validate(object: Fields, causes: Causes): void {
  validateMetadata(object, { namespaced: false, name: dns1123Label, knownFinalizers: true }, causes);
  for (const finalizer of texts(child(object, 'spec'), 'finalizers')) validateFinalizer(finalizer, 'spec.finalizers', causes);
}

function validateFinalizer(finalizer: string, field: string, causes: Causes): void {
  for (const message of qualifiedName(finalizer)) causes.invalid(field, finalizer, message);
  validateKnownFinalizer(finalizer, field, causes);
}

function validateStatus(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  const phase = text(child(object, 'status'), 'phase');
  const isTerminating = has(child(object, 'metadata'), 'deletionTimestamp');
  if (!isTerminating && phase !== 'Active')
    causes.invalid('status.Phase', asJson(phase), "may only be 'Active' if `deletionTimestamp` is empty");
  if (isTerminating && phase !== 'Terminating') {
    causes.invalid('status.Phase', asJson(phase), "may only be 'Terminating' if `deletionTimestamp` is not empty");
  }
}

function validateFinalize(object: Fields, old: Fields, causes: Causes): void {
  validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
  for (const [i, finalizer] of texts(child(object, 'spec'), 'finalizers').entries()) {
    validateFinalizer(finalizer, `spec.finalizers[${i}]`, causes);
  }
}
