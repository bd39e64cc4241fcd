import { jsonSyntaxProblem } from '../../api-types/codec/json-syntax.ts';
import { structType } from '../../api-types/index.ts';
import { configMapKey, dns1123Subdomain } from '../../formats/names.ts';
import { type Description, metadataFields } from '../description.ts';
import { asJson, type Causes } from '../field/causes.ts';
import { child, type Draft, ensureChild, entries, type Fields, text } from '../field/read.ts';
import { immutableMessage, validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { ageColumn, ageOf, column, nameColumn } from '../table/columns.ts';
import { bytesOfBase64, maxDataBytes, validateImmutable } from './config-maps.ts';

/** Mirrors pkg/registry/core/secret/strategy.go and ValidateSecret (1.36). */
export const secrets: Description = {
  resource: { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
  singular: 'secret',
  type: structType('core.Secret'),
  strategy: {
    defaults(draft) {
      if (text(draft, 'type') === '') draft['type'] = 'Opaque';
      mergeStringData(draft);
    },
    validate,
    validateUpdate(object, old, causes) {
      validateMetadataUpdate(object, old, { knownFinalizers: true }, causes);
      if (text(object, 'type') !== text(old, 'type')) causes.invalid('type', asJson(text(object, 'type')), immutableMessage);
      validateImmutable(object, old, ['data'], causes);
      validate(object, causes);
    },
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  selectableFields: { ...metadataFields(true), type: (object) => text(object, 'type') },
  columns: [nameColumn, column('Type'), column('Data'), ageColumn],
  cells: (object, now) => [
    text(child(object, 'metadata'), 'name'),
    text(object, 'type'),
    entries(object, 'data').length,
    ageOf(object, now),
  ],
};

/** Merges stringData, which is write-only, into data. */
function mergeStringData(draft: Draft): void {
  const stringEntries = entries(draft, 'stringData');
  delete draft['stringData'];
  if (stringEntries.length === 0) return;
  const data = ensureChild(draft, 'data');
  for (const [key, value] of stringEntries) {
    // An assignment would not create the key `__proto__`.
    Object.defineProperty(data, key, {
      value: Buffer.from(value).toString('base64'),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

function validate(object: Fields, causes: Causes): void {
  validateMetadata(object, { namespaced: true, name: dns1123Subdomain, knownFinalizers: true }, causes);
  let size = 0;
  for (const [key, value] of entries(object, 'data')) {
    for (const message of configMapKey(key)) causes.invalid(`data[${key}]`, key, message);
    size += bytesOfBase64(value);
  }
  if (size > maxDataBytes) causes.tooLong('data', maxDataBytes);
  typeChecks[text(object, 'type')]?.(object, causes);
}

type Check = (object: Fields, causes: Causes) => void;

const createKeysCheck =
  (...keys: readonly string[]): Check =>
  (object, causes) => {
    for (const key of keys) if (!Object.hasOwn(child(object, 'data'), key)) causes.required(`data[${key}]`);
  };

const createJsonCheck =
  (key: string): Check =>
  (object, causes) => {
    const data = child(object, 'data');
    if (!Object.hasOwn(data, key)) return causes.required(`data[${key}]`);
    const problem = problemOfObject(Buffer.from(text(data, key), 'base64').toString('utf8'));
    if (problem !== undefined) causes.invalid(`data[${key}]`, '<secret contents redacted>', problem);
  };

/** Go's error for a text that is not a JSON object. */
function problemOfObject(text: string): string | undefined {
  const problem = jsonSyntaxProblem(text);
  if (problem !== undefined) return problem;
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && !Array.isArray(value)) return undefined;
  const kind = Array.isArray(value) ? 'array' : { string: 'string', number: 'number', boolean: 'bool' }[typeof value as 'string'];
  return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}

const typeChecks: Readonly<Record<string, Check>> = {
  'kubernetes.io/service-account-token': (object, causes) => {
    const key = 'kubernetes.io/service-account.name';
    if (text(child(child(object, 'metadata'), 'annotations'), key) === '') causes.required(`metadata.annotations[${key}]`);
  },
  'kubernetes.io/dockercfg': createJsonCheck('.dockercfg'),
  'kubernetes.io/dockerconfigjson': createJsonCheck('.dockerconfigjson'),
  'kubernetes.io/basic-auth': (object, causes) => {
    const data = child(object, 'data');
    if (!Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) createKeysCheck('username', 'password')(object, causes);
  },
  'kubernetes.io/ssh-auth': (object, causes) => {
    if (text(child(object, 'data'), 'ssh-privatekey') === '') causes.required('data[ssh-privatekey]');
  },
  'kubernetes.io/tls': createKeysCheck('tls.crt', 'tls.key'),
};
