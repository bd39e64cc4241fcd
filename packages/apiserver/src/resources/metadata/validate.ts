import { isPrintable } from 'kube-endpoints/internal/apimachinery';
import { bytesOf, dns1123Label, type Format, labelValue, qualifiedName } from '../../formats/names.ts';
import { asJson, type Causes, printJson } from '../field/causes.ts';
import { child, entries, type Fields, flag, has, list, number, text, texts } from '../field/read.ts';

interface MetadataRules {
  readonly namespaced: boolean;
  readonly name: Format;
  /** Validates generateName; by default `name` validates it. */
  readonly prefix?: Format;
  /** Finalizers must be standard or qualified names, as in the core group. */
  readonly knownFinalizers?: boolean;
}

/** Mirrors ValidateObjectMeta (apimachinery/pkg/api/validation/objectmeta.go and pkg/apis/core/validation, 1.36). */
export function validateMetadata(object: Fields, rules: MetadataRules, causes: Causes): void {
  const metadata = child(object, 'metadata');
  const prefix = text(metadata, 'generateName');
  const validatePrefix = rules.prefix ?? ((value: string) => rules.name(maskTrailingDash(value)));
  if (prefix !== '') for (const message of validatePrefix(prefix)) causes.invalid('metadata.generateName', prefix, message);
  const name = text(metadata, 'name');
  if (name === '') causes.required('metadata.name', 'name or generateName is required');
  else for (const message of rules.name(name)) causes.invalid('metadata.name', name, message);
  validateNamespace(text(metadata, 'namespace'), rules.namespaced, causes);
  const generation = number(metadata, 'generation');
  if (generation < 0) causes.invalid('metadata.generation', generation, 'must be greater than or equal to 0');
  validateLabelsAnnotationsAndOwners(metadata, causes);
  validateFinalizers(texts(metadata, 'finalizers'), causes);
  validateManagedFields(list(metadata, 'managedFields'), causes);
  if (rules.knownFinalizers) validateKnownFinalizers(metadata, causes);
}

/** Mirrors ValidateObjectMetaUpdate. */
export function validateMetadataUpdate(object: Fields, old: Fields, rules: { readonly knownFinalizers?: boolean }, causes: Causes): void {
  const [metadata, oldMetadata] = [child(object, 'metadata'), child(old, 'metadata')];
  if (has(oldMetadata, 'deletionTimestamp'))
    validateNoNewFinalizers(texts(metadata, 'finalizers'), texts(oldMetadata, 'finalizers'), causes);
  if (text(metadata, 'resourceVersion') === '') {
    causes.invalid('metadata.resourceVersion', '', 'must be specified for an update');
  }
  if (number(metadata, 'generation') < number(oldMetadata, 'generation')) {
    causes.invalid('metadata.generation', number(metadata, 'generation'), 'must not be decremented');
  }
  for (const name of ['name', 'namespace', 'uid'] as const) {
    const value = text(metadata, name);
    if (value !== text(oldMetadata, name)) causes.invalid(`metadata.${name}`, value, immutableMessage);
  }
  for (const name of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (metadata[name] !== oldMetadata[name]) causes.invalid(`metadata.${name}`, nullIfAbsent(metadata[name]), immutableMessage);
  }
  validateLabelsAnnotationsAndOwners(metadata, causes);
  validateManagedFields(list(metadata, 'managedFields'), causes);
  if (rules.knownFinalizers) validateKnownFinalizers(metadata, causes);
}

export const immutableMessage = 'field is immutable';

/** Go prints an absent time or pointer as null. */
const nullIfAbsent = (value: unknown): unknown => value ?? null;

/**
 * Replaces a trailing dash of a generateName with "a", which stands for the random suffix. Like upstream, also drops the character before
 * the dash.
 */
export const maskTrailingDash = (name: string): string => (name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

function validateNamespace(namespace: string, namespaced: boolean, causes: Causes): void {
  if (!namespaced) {
    if (namespace !== '') causes.forbidden('metadata.namespace', 'not allowed on this type');
  } else if (namespace === '') causes.required('metadata.namespace');
  else for (const message of dns1123Label(namespace)) causes.invalid('metadata.namespace', namespace, message);
}

function validateLabelsAnnotationsAndOwners(metadata: Fields, causes: Causes): void {
  validateLabels(entries(metadata, 'labels'), 'metadata.labels', causes);
  validateAnnotations(entries(metadata, 'annotations'), 'metadata.annotations', causes);
  validateOwners(list(metadata, 'ownerReferences'), causes);
}

/** Mirrors ValidateLabels. */
export function validateLabels(labels: readonly (readonly [string, string])[], field: string, causes: Causes): void {
  for (const [key, value] of labels) {
    for (const message of qualifiedName(key)) causes.invalid(field, key, message);
    for (const message of labelValue(value)) causes.invalid(field, value, message);
  }
}

/** Mirrors ValidateAnnotations: upper case is allowed in the prefix of a key. */
export function validateAnnotations(annotations: readonly (readonly [string, string])[], field: string, causes: Causes): void {
  let size = 0;
  for (const [key, value] of annotations) {
    for (const message of qualifiedName(key.toLowerCase())) causes.invalid(field, key, message);
    size += bytesOf(key) + bytesOf(value);
  }
  if (size > maxAnnotationsBytes) causes.tooLong(field, maxAnnotationsBytes);
}

const maxAnnotationsBytes = 256 * 1024;

function validateOwners(owners: readonly Fields[], causes: Causes): void {
  const field = 'metadata.ownerReferences';
  let controller: string | undefined;
  for (const owner of owners) {
    const [apiVersion, kind, name, uid] = [text(owner, 'apiVersion'), text(owner, 'kind'), text(owner, 'name'), text(owner, 'uid')];
    if (!hasVersion(apiVersion)) causes.invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty');
    if (kind === '') causes.invalid(`${field}.kind`, kind, 'must not be empty');
    if (name === '') causes.invalid(`${field}.name`, name, 'must not be empty');
    if (uid === '') causes.invalid(`${field}.uid`, uid, 'must not be empty');
    if (apiVersion === 'v1' && kind === 'Event') {
      causes.invalid(field, toPrintedOwner(owner), '/v1, Kind=Event is disallowed from being an owner');
    }
    if (!flag(owner, 'controller')) continue;
    if (controller === undefined) controller = `${kind}/${name}`;
    else {
      const detail = `Found "true" in references for ${controller} and ${kind}/${name}`;
      causes.invalid(field, owners.map(toPrintedOwner), `Only one reference can have Controller set to true. ${detail}`);
    }
  }
}

/** False for "group/" and for values with two slashes. */
const hasVersion = (apiVersion: string): boolean => /^(?:[^/]+|[^/]*\/[^/]+)$/.test(apiVersion);

const toPrintedOwner = (owner: Fields): Fields => ({
  apiVersion: text(owner, 'apiVersion'),
  kind: text(owner, 'kind'),
  name: text(owner, 'name'),
  uid: text(owner, 'uid'),
  ...(has(owner, 'controller') && { controller: owner['controller'] }),
  ...(has(owner, 'blockOwnerDeletion') && { blockOwnerDeletion: owner['blockOwnerDeletion'] }),
});

function validateFinalizers(finalizers: readonly string[], causes: Causes): void {
  const field = 'metadata.finalizers';
  for (const finalizer of finalizers) {
    for (const message of qualifiedName(finalizer)) causes.invalid(field, finalizer, message);
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    causes.invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}

function validateNoNewFinalizers(finalizers: readonly string[], oldFinalizers: readonly string[], causes: Causes): void {
  const addedFinalizers = [...new Set(finalizers)].filter((finalizer) => !oldFinalizers.includes(finalizer)).sort();
  if (addedFinalizers.length === 0) return;
  const addedList = `[]string{${addedFinalizers.map((each) => printJson(each)).join(', ')}}`;
  causes.forbidden(
    'metadata.finalizers',
    `no new finalizers can be added if the object is being deleted, found new finalizers ${addedList}`,
  );
}

function validateKnownFinalizers(metadata: Fields, causes: Causes): void {
  for (const [i, finalizer] of texts(metadata, 'finalizers').entries()) {
    validateKnownFinalizer(finalizer, `metadata.finalizers[${i}]`, causes);
  }
}

/** Mirrors validateKubeFinalizerName. */
export function validateKnownFinalizer(finalizer: string, field: string, causes: Causes): void {
  if (finalizer.includes('/') || ['kubernetes', 'orphan', 'foregroundDeletion'].includes(finalizer)) return;
  causes.invalid(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
}

/** Mirrors ValidateManagedFields (apimachinery/pkg/apis/meta/v1/validation, 1.36). */
export function validateManagedFields(managedFields: readonly Fields[], causes: Causes): void {
  for (const [i, entry] of managedFields.entries()) {
    const field = `metadata.managedFields[${i}]`;
    const [operation, fieldsType] = [text(entry, 'operation'), text(entry, 'fieldsType')];
    if (operation !== 'Apply' && operation !== 'Update') {
      causes.invalid(`${field}.operation`, asJson(operation), 'must be `Apply` or `Update`');
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') causes.invalid(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`');
    validateFieldManager(text(entry, 'manager'), `${field}.manager`, causes);
    if (bytesOf(text(entry, 'subresource')) > maxSubresourceBytes) causes.tooLong(`${field}.subresource`, maxSubresourceBytes);
  }
}

/** Mirrors ValidateFieldManager, which also applies to the request parameter fieldManager. */
export function validateFieldManager(manager: string, field: string, causes: Causes): void {
  if (bytesOf(manager) > maxManagerBytes) causes.tooLong(field, maxManagerBytes);
  if (printableAscii.test(manager)) return;
  let position = 0;
  for (const char of manager) {
    if (!isPrintable(char)) causes.invalid(field, manager, `invalid character ${formatCodePoint(char)} (at position ${position})`);
    position += bytesOf(char);
  }
}

const maxSubresourceBytes = 256;
const maxManagerBytes = 128;
const printableAscii = /^[ -~]*$/;

/** Formats an unprintable character like Go's %#U. */
const formatCodePoint = (char: string): string => `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
