import { compareText, quote } from 'kube-endpoints/internal/apimachinery';
import { status500 } from '../../store/errors.ts';
import { escapeHtml } from '../go-format.ts';
import { equal, getOwn, isMap, type JsonMap, valueAt } from '../json.ts';
import { createFieldSet, difference, isEmpty } from './field-set.ts';
import { createFieldsCache, type FieldsCache } from './fields-cache.ts';
import { createFieldElement } from './path-element.ts';
import type { Managers, VersionedSet } from './updater.ts';

/** The managers of an object's fields and the times of their last writes. */
export interface ManagedFields {
  readonly managers: Managers;
  /** RFC 3339, by manager identifier. */
  readonly times: ReadonlyMap<string, string>;
}

/** Identity of a manager. The apiVersion distinguishes updaters but not appliers. */
interface ManagerInfo {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
}

export const noManagers: ManagedFields = { managers: new Map(), times: new Map() };

/** `BuildManagerIdentifier` (1.36, apimachinery/pkg/util/managedfields/internal/managedfields.go). */
export function identifierOf(info: ManagerInfo, cache?: Pick<FieldsCache, 'getByText'>): string {
  const { manager, operation, apiVersion, subresource = '' } = info;
  return cache
    ? cache.getByText(`${operation} ${apiVersion} ${subresource} ${manager}`, () => formatIdentifier(info))
    : formatIdentifier(info);
}

function formatIdentifier({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  const parts = [
    ...(manager ? [`"manager":${JSON.stringify(manager)}`] : []),
    `"operation":"${operation}"`,
    ...(operation === 'Update' && apiVersion ? [`"apiVersion":${JSON.stringify(apiVersion)}`] : []),
    ...(subresource ? [`"subresource":${JSON.stringify(subresource)}`] : []),
  ];
  return escapeHtml(`{${parts.join(',')}}`);
}

export const parseIdentifier = (identifier: string): Partial<ManagerInfo> => JSON.parse(identifier) as Partial<ManagerInfo>;

/** Decodes `metadata.managedFields`. @throws ApiError 500 with upstream's message if they are invalid */
export function decodeManagedFields(entries: unknown, cache: FieldsCache = createFieldsCache()): ManagedFields {
  const managers = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const { identifier, versionedSet, time } = isMap(entry)
      ? cache.getEntry(entry, () => parseEntry(entry, index, cache))
      : parseEntry(entry, index, cache);
    managers.set(identifier, versionedSet);
    times.delete(identifier);
    if (time !== undefined) {
      times.set(identifier, time);
    }
  }
  return { managers, times };
}

export function decodeManagedFieldsOrNone(entries: unknown, cache: FieldsCache | undefined): ManagedFields {
  try {
    return decodeManagedFields(entries, cache);
  } catch {
    return noManagers;
  }
}

/**
 * Encodes and sorts `metadata.managedFields`; undefined if there are no managers. Reuses unchanged entries.
 * @param final the sets match their types, and the types never change
 */
export function encodeManagedFields(
  { managers, times }: ManagedFields,
  cache: FieldsCache = createFieldsCache(),
  final = false,
): JsonMap[] | undefined {
  if (managers.size === 0) return undefined;
  const entries = [...managers].map(([identifier, { set, apiVersion, applied, entry }]) => {
    const time = times.get(identifier);
    if (entry && valueAt(entry, 'time') === time) return entry;
    const { manager, operation, subresource } = cache.getByText(identifier, () => parseIdentifier(identifier));
    return {
      ...(manager && { manager }),
      operation: applied ? 'Apply' : operation,
      apiVersion,
      ...(time && { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: cache.format(set, final),
      ...(subresource && { subresource }),
    };
  });
  return entries.length === 1 ? entries : entries.sort(compareEntries);
}

/** Whether a write resets managed fields: an empty list, or a single empty entry. */
export const isResetRequest = (entries: unknown): boolean =>
  Array.isArray(entries) &&
  (entries.length === 0 ||
    (entries.length === 1 && isMap(entries[0]) && Object.values(entries[0]).every((value) => value === null || value === '')));

/** Seconds since the epoch, the precision by which entries are ordered; 0 if absent or invalid. */
export const secondsOf = (time: string | undefined): number => (time === undefined ? 0 : Math.floor(Date.parse(time) / 1000) || 0);

interface ParsedEntry {
  readonly identifier: string;
  readonly versionedSet: VersionedSet;
  readonly time: string | undefined;
}

function parseEntry(entry: unknown, index: number, cache: FieldsCache): ParsedEntry {
  const { info, fields } = validateEntry(entry, index);
  const time = valueAt(entry, 'time');
  const versionedSet = { set: parseSet(fields, cache), apiVersion: info.apiVersion, applied: info.operation === 'Apply' };
  // Only a frozen entry can be reused as is.
  const isFinal = isMap(entry) && Object.isFrozen(entry);
  return {
    identifier: identifierOf(info),
    versionedSet: isFinal ? { ...versionedSet, entry } : versionedSet,
    time: typeof time === 'string' ? time : undefined,
  };
}

function validateEntry(entry: unknown, index: number): { readonly info: ManagerInfo; readonly fields: unknown } {
  const text = (name: string) => String(valueAt(entry, name) ?? '');
  const [operation, apiVersion, fieldsType] = [text('operation'), text('apiVersion'), text('fieldsType')];
  if (operation !== 'Apply' && operation !== 'Update') throw status500('operation must be `Apply` or `Update`');
  if (apiVersion === '') throw status500('apiVersion must not be empty');
  if (fieldsType !== 'FieldsV1') {
    const problem = fieldsType === '' ? 'missing fieldsType' : `invalid fieldsType ${quote(fieldsType)}`;
    throw status500(`${problem} in managed fields entry ${index}`);
  }
  const info = { manager: text('manager'), operation, apiVersion, subresource: text('subresource') } as const;
  return { info, fields: isMap(entry) ? getOwn(entry, 'fieldsV1') : undefined };
}

function parseSet(fields: unknown, cache: FieldsCache): VersionedSet['set'] {
  try {
    return cache.parse(fields);
  } catch (error) {
    throw status500(`error decoding set: ${(error as Error).message}`);
  }
}

function compareEntries(left: JsonMap, right: JsonMap): number {
  const text = (name: string) => compareText(String(left[name] ?? ''), String(right[name] ?? ''));
  const [earlier, later] = [left['time'] as string | undefined, right['time'] as string | undefined];
  const seconds = earlier === later ? 0 : secondsOf(earlier) - secondsOf(later);
  return text('operation') || seconds || text('manager') || text('apiVersion') || text('subresource');
}

const maxManagerBytes = 128;

/** Determines the manager of a write: `fieldManager`, or else the printable characters of the user agent before its first slash. */
export function managerOf(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager) return fieldManager;
  let name = '';
  for (const char of userAgent.split('/')[0] ?? '') {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) continue;
    if (Buffer.byteLength(name + char) > maxManagerBytes) break;
    name += char;
  }
  return name;
}

/**
 * Whether a write changes only the times in managed fields, so that nothing is stored: `IgnoreManagedFieldsTimestampsTransformer` (1.36,
 * apiserver/pkg/endpoints/handlers/fieldmanager/equality.go).
 */
export function changesOnlyTimes(live: JsonMap, object: JsonMap): boolean {
  const [before, after] = [entriesOf(live), entriesOf(object)];
  return after.length > 0 && before.length === after.length && equal(withoutTimes(live), withoutTimes(object));
}

const entriesOf = (object: JsonMap): readonly unknown[] => {
  const entries = valueAt(object, 'metadata', 'managedFields');
  return Array.isArray(entries) ? entries : [];
};

const withoutTimes = (object: JsonMap): JsonMap => ({
  ...object,
  metadata: {
    ...(valueAt(object, 'metadata') as JsonMap | undefined),
    managedFields: entriesOf(object).map((entry) => (isMap(entry) ? { ...entry, time: undefined } : entry)),
  },
});

/** Removes the fields that never have owners, such as name and uid, from one manager: `NewStripMetaManager`. */
export function stripMeta(managers: Managers, manager: string, cache?: Pick<FieldsCache, 'subtract'>): Managers {
  const versionedSet = managers.get(manager);
  const subtract = cache?.subtract ?? ((from, removedFields, make) => make(from, removedFields));
  const set = versionedSet && subtract(versionedSet.set, unownedFields, difference);
  if (set === undefined || set === versionedSet?.set) return managers;
  const result = new Map(managers);
  if (isEmpty(set)) {
    result.delete(manager);
  } else {
    const { apiVersion, applied } = versionedSet as VersionedSet;
    result.set(manager, { set, apiVersion, applied });
  }
  return result;
}

const unownedMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

const unownedFields = createFieldSet(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [createFieldElement(name)]),
  ...unownedMetadata.map((name) => [createFieldElement('metadata'), createFieldElement(name)]),
);

export const withManagedFields = (object: JsonMap, managedFields: ManagedFields | undefined): JsonMap =>
  withEntries(object, managedFields && encodeManagedFields(managedFields));

export function withEntries(object: JsonMap, entries: readonly JsonMap[] | undefined): JsonMap {
  const metadata = getOwn(object, 'metadata');
  if (!isMap(metadata) || (entries === undefined && metadata['managedFields'] === undefined)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: entries === undefined ? rest : { ...rest, managedFields: entries } };
}
