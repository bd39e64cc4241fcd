import { child, copyOf, type Draft, draftOf, type Fields, has, list, sameValue, text, texts } from '../../resources/field/read.ts';
import { metadataFields } from '../../resources/field/selectable.ts';
import type { Description } from '../../resources/index.ts';
import { column, nameColumn } from '../../resources/table/columns.ts';
import { type Definition, definitions } from './definition.ts';
import { definitionType } from './types.ts';
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './validate/definition.ts';
import { definitionWarnings } from './warnings.ts';

/** Mirrors the strategy of CustomResourceDefinitions (apiextensions-apiserver/pkg/registry/customresourcedefinition, 1.36). */
export const definitionDescription: Description = {
  resource: definitions,
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  type: definitionType,
  strategy: {
    resetFields: ['status'],
    defaults,
    prepareForCreate(draft) {
      draftOf(draft, 'metadata')['generation'] = 1;
      draft['status'] = {};
      rememberStorageVersion(draft);
    },
    prepareForUpdate(draft, old) {
      draft['status'] = copyOf(old['status']) ?? {};
      if (!sameValue(draft['spec'], old['spec'])) {
        const metadata = draftOf(draft, 'metadata');
        metadata['generation'] = Number(metadata['generation'] ?? 0) + 1;
      }
      rememberStorageVersion(draft);
    },
    validate: (object, causes) => validateDefinition(asDefinition(object), causes),
    validateUpdate: (object, old, causes) => validateDefinitionUpdate(asDefinition(object), asDefinition(old), causes),
    warnings: (object, old) => definitionWarnings(asDefinition(object), old && asDefinition(old)),
    createOnUpdate: false,
    unconditionalUpdate: false,
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      prepareForUpdate(draft, old) {
        draft['spec'] = copyOf(old['spec']);
      },
      validateUpdate: (object, old, causes) => validateDefinitionStatus(asDefinition(object), asDefinition(old), causes),
    },
  },
  selectableFields: metadataFields(false),
  columns: [nameColumn, column('Created At', 'date')],
  cells: (object) => [text(child(object, 'metadata'), 'name'), text(child(object, 'metadata'), 'creationTimestamp')],
};

const asDefinition = (object: Fields): Definition => object as unknown as Definition;

/** Mirrors SetDefaults_CustomResourceDefinition. */
function defaults(draft: Draft): void {
  const spec = draftOf(draft, 'spec');
  const names = draftOf(spec, 'names');
  const kind = text(names, 'kind');
  if (text(names, 'singular') === '' && kind !== '') names['singular'] = kind.toLowerCase();
  if (text(names, 'listKind') === '' && kind !== '') names['listKind'] = `${kind}List`;
  if (!has(spec, 'conversion')) spec['conversion'] = { strategy: 'None' };
  const config = child(child(child(spec, 'conversion'), 'webhook'), 'clientConfig');
  if (has(config, 'service') && !has(child(config, 'service'), 'port')) draftOf(config as Draft, 'service')['port'] = 443;
  if (texts(child(draft, 'status'), 'storedVersions').length === 0) rememberStorageVersion(draft);
}

/** The version of the storage is among those that objects may be stored in. */
function rememberStorageVersion(draft: Draft): void {
  const storage = list(child(draft, 'spec'), 'versions').find((version) => version['storage'] === true);
  if (!storage) return;
  const status = draftOf(draft, 'status');
  const stored = texts(status, 'storedVersions');
  const name = text(storage, 'name');
  if (!stored.includes(name)) status['storedVersions'] = [...stored, name];
}
