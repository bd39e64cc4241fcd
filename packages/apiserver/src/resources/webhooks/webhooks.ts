import { structType } from '../../api-types/index.ts';
import { type Description, metadataFields } from '../description.ts';
import { child, type Draft, draftList, ensureChild, type Fields, has, list, number, sameValue, text } from '../field/read.ts';
import { ageColumn, ageOf, column, nameColumn } from '../table/columns.ts';
import { validateWebhooks } from './validate.ts';

const groupVersion = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;

/** Mirrors pkg/registry/admissionregistration/mutatingwebhookconfiguration (1.36). */
export const mutatingWebhookConfigurations: Description = {
  resource: { ...groupVersion, plural: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration' },
  singular: 'mutatingwebhookconfiguration',
  categories: ['api-extensions'],
  type: structType('admissionregistration.MutatingWebhookConfiguration'),
  strategy: {
    defaults: (draft) => {
      for (const hook of draftList(draft, 'webhooks')) {
        defaultHook(hook);
        if (!has(hook, 'reinvocationPolicy')) hook['reinvocationPolicy'] = 'Never';
      }
    },
    prepareForCreate(draft) {
      ensureChild(draft, 'metadata')['generation'] = 1;
    },
    prepareForUpdate: incrementGeneration,
    validate: (object, causes) => validateWebhooks(object, undefined, causes),
    validateUpdate: validateWebhooks,
    createOnUpdate: false,
    unconditionalUpdate: false,
  },
  selectableFields: metadataFields(false),
  columns: [nameColumn, column('Webhooks', 'integer'), ageColumn],
  cells: (object, now) => [text(child(object, 'metadata'), 'name'), list(object, 'webhooks').length, ageOf(object, now)],
};

/** Mirrors pkg/registry/admissionregistration/validatingwebhookconfiguration (1.36). */
export const validatingWebhookConfigurations: Description = {
  ...mutatingWebhookConfigurations,
  resource: { ...groupVersion, plural: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration' },
  singular: 'validatingwebhookconfiguration',
  type: structType('admissionregistration.ValidatingWebhookConfiguration'),
  strategy: {
    ...mutatingWebhookConfigurations.strategy,
    defaults: (draft) => {
      for (const hook of draftList(draft, 'webhooks')) defaultHook(hook);
    },
  },
};

function incrementGeneration(draft: Draft, old: Fields): void {
  if (sameValue(draft['webhooks'], old['webhooks'])) return;
  ensureChild(draft, 'metadata')['generation'] = number(child(old, 'metadata'), 'generation') + 1;
}

const defaults: Readonly<Record<string, () => unknown>> = {
  failurePolicy: () => 'Fail',
  matchPolicy: () => 'Equivalent',
  namespaceSelector: () => ({}),
  objectSelector: () => ({}),
  timeoutSeconds: () => 10,
};

/** Mirrors SetDefaults_MutatingWebhook, _Rule and _ServiceReference (pkg/apis/admissionregistration/v1/defaults.go, 1.36). */
function defaultHook(hook: Draft): void {
  for (const [name, value] of Object.entries(defaults)) if (!has(hook, name)) hook[name] = value();
  for (const rule of draftList(hook, 'rules')) if (!has(rule, 'scope')) rule['scope'] = '*';
  const config = child(hook, 'clientConfig');
  if (!has(config, 'service')) return;
  const service = child(config, 'service') as Draft;
  if (!has(service, 'port')) service['port'] = 443;
}
