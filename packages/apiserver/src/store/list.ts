import type { ApiObject, ObjectList, Resource } from 'kube-endpoints/port';
import { createTokenAfter, encodeToken } from './continue-token.ts';
import { expired, invalidListOptions } from './errors.ts';
import { findSingleKey, type ListParameters, type ListPlan, planList, validateListOptions } from './list-options.ts';
import { firstEventAfter } from './log.ts';
import type { StoredVersion, Table } from './records.ts';
import { requireFresh } from './resource-version.ts';
import { compilePredicate, type Predicate, parseSelection } from './selectors/selection.ts';
import { type StoreState, selectableOf, visibleRevisionOf } from './state.ts';
import { lowerBound, merge, prefixOf } from './table.ts';

const tooOldMessage = 'The resourceVersion for the provided list is too old.';
const inconsistentMessage =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted ' +
  'between the time the first chunk was returned and now may show up in the list.';

/** Lists objects. @throws ApiError */
export function list(state: StoreState, resource: Resource, options: ListParameters): ObjectList {
  const selection = parseSelection(options);
  const problems = validateListOptions(options);
  if (problems.length > 0) throw invalidListOptions(problems);
  const predicate = compilePredicate(selection, resource, selectableOf(state, resource, options));
  const isContinuation = (options.continue ?? '') !== '';
  const namespace = options.namespace || predicate.namespace;
  const onlyKey = isContinuation ? undefined : findSingleKey(resource, predicate.name, namespace);
  const plan = planList(options, onlyKey !== undefined);
  requireFresh(state, plan.requiredVersion.text, plan.requiredVersion.value);
  if (plan.exactRevision !== undefined && plan.exactRevision < state.log.compactedRevision) {
    throw plan.hasContinueToken
      ? expired(inconsistentMessage, encodeToken({ startKey: plan.startKey, revision: -1 }))
      : expired(tooOldMessage);
  }
  const view = createView(state.tableOf(resource), plan.exactRevision ?? visibleRevisionOf(state));
  const revision = plan.exactRevision ?? visibleRevisionOf(state);
  if (onlyKey !== undefined) {
    const version = view.get(onlyKey);
    const isSelected = version && onlyKey.startsWith(prefixOf(resource, options.namespace)) && predicate.matches(version.object);
    return { items: isSelected ? [version.object] : [], metadata: { resourceVersion: String(revision) } };
  }
  return readPage(view, prefixOf(resource, options.namespace), predicate, plan, revision);
}

function readPage(view: View, prefix: string, predicate: Predicate, { startKey, limit }: ListPlan, revision: number): ObjectList {
  const { keys } = view;
  const firstIndex = lowerBound(keys, prefix + startKey);
  const end = findPrefixEnd(keys, prefix);
  const items: ApiObject[] = [];
  let index = firstIndex;
  for (; index < end && (limit === 0 || items.length < limit); index++) {
    const { object } = view.get(keys[index] as string) as { readonly object: ApiObject };
    if (predicate.matches(object)) items.push(object);
  }
  const resourceVersion = String(revision);
  if (index >= end || items.length === 0) return { items, metadata: { resourceVersion } };
  const token = createTokenAfter((keys[index - 1] as string).slice(prefix.length), revision);
  const remainingMetadata = predicate.matchesAll ? { remainingItemCount: end - firstIndex - limit } : {};
  return { items, metadata: { resourceVersion, continue: token, ...remainingMetadata } };
}

/** Index after the last key with the prefix. */
export const findPrefixEnd = (keys: readonly string[], prefix: string): number =>
  prefix === '' ? keys.length : lowerBound(keys, prefixSuccessor(prefix));

/** The smallest string greater than every key with the prefix, which ends with "/": "0" is the character after "/". */
const prefixSuccessor = (prefix: string): string => `${prefix.slice(0, -1)}0`;

export interface View {
  /** Sorted. */
  readonly keys: readonly string[];
  get(key: string): StoredVersion | undefined;
}

/**
 * Reconstructs a table at a revision within the log from the current objects, by undoing the later events.
 * The cost of a page grows with the number of writes since that revision.
 */
export function createView(table: Table, revision: number): View {
  const { versions, events } = table;
  const previousVersions = new Map<string, StoredVersion | undefined>();
  const firstIndex = firstEventAfter(table, revision);
  for (let number = events.endIndex - 1; number >= firstIndex; number--) {
    const { key, previous } = events.at(number);
    previousVersions.set(key, previous);
  }
  const keys = table.sortedKeys();
  if (previousVersions.size === 0) return { keys, get: (key) => versions.get(key) };
  return {
    keys: keysAtRevision(keys, previousVersions),
    get: (key) => (previousVersions.has(key) ? previousVersions.get(key) : versions.get(key)),
  };
}

/** The sorted keys at a revision: the current keys without the keys created since, and with the keys deleted since. */
function keysAtRevision(keys: readonly string[], previousVersions: ReadonlyMap<string, StoredVersion | undefined>): readonly string[] {
  const deletedKeys = [...previousVersions]
    .filter(([key, version]) => version !== undefined && keys[lowerBound(keys, key)] !== key)
    .map(([key]) => key);
  const remainingKeys = keys.filter((key) => !previousVersions.has(key) || previousVersions.get(key) !== undefined);
  return deletedKeys.length === 0 ? remainingKeys : merge(remainingKeys, deletedKeys.sort());
}
