import type { ApiObject, ObjectList, Resource } from 'kube-endpoints/port';
import { encodeToken, tokenAfter } from './continue-token.ts';
import { expired, invalidListOptions } from './errors.ts';
import { type ListParameters, type ListPlan, planOf, problemsOfList, singleKey } from './list-options.ts';
import { firstAfter } from './log.ts';
import type { StoredVersion, Table } from './records.ts';
import { requireFresh } from './resource-version.ts';
import { type Predicate, predicateOf, readSelection } from './selectors/selection.ts';
import { type StoreState, selectableOf } from './state.ts';
import { lowerBound, merge, prefixOf } from './table.ts';

const tooOld = 'The resourceVersion for the provided list is too old.';
const inconsistent =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted ' +
  'between the time the first chunk was returned and now may show up in the list.';

/** Lists objects. @throws ApiError */
export function list(state: StoreState, resource: Resource, options: ListParameters): ObjectList {
  const read = readSelection(options);
  const problems = problemsOfList(options);
  if (problems.length > 0) throw invalidListOptions(problems);
  const predicate = predicateOf(read, resource, selectableOf(state, resource, options));
  const continues = (options.continue ?? '') !== '';
  const namespace = options.namespace || predicate.namespace;
  const single = continues ? undefined : singleKey(resource, predicate.name, namespace);
  const plan = planOf(options, single !== undefined);
  requireFresh(state, plan.required.text, plan.required.value);
  if (plan.exact !== undefined && plan.exact < state.log.compacted) {
    throw plan.continues ? expired(inconsistent, encodeToken({ start: plan.start, revision: -1 })) : expired(tooOld);
  }
  const view = viewAt(state.tableOf(resource), plan.exact ?? state.revision);
  const revision = plan.exact ?? state.revision;
  if (single !== undefined) {
    const found = view.get(single);
    const inScope = found && single.startsWith(prefixOf(resource, options.namespace)) && predicate.matches(found.object);
    return { items: inScope ? [found.object] : [], metadata: { resourceVersion: String(revision) } };
  }
  return pageOf(view, prefixOf(resource, options.namespace), predicate, plan, revision);
}

function pageOf(view: View, prefix: string, predicate: Predicate, { start, limit }: ListPlan, revision: number): ObjectList {
  const { keys } = view;
  const first = lowerBound(keys, prefix + start);
  const end = endOf(keys, prefix);
  const items: ApiObject[] = [];
  let at = first;
  for (; at < end && (limit === 0 || items.length < limit); at++) {
    const { object } = view.get(keys[at] as string) as { readonly object: ApiObject };
    if (predicate.matches(object)) items.push(object);
  }
  const resourceVersion = String(revision);
  if (at >= end || items.length === 0) return { items, metadata: { resourceVersion } };
  const token = tokenAfter((keys[at - 1] as string).slice(prefix.length), revision);
  const remaining = predicate.empty ? { remainingItemCount: end - first - limit } : {};
  return { items, metadata: { resourceVersion, continue: token, ...remaining } };
}

/** Index after the last key with the prefix. */
export const endOf = (keys: readonly string[], prefix: string): number => (prefix === '' ? keys.length : lowerBound(keys, after(prefix)));

/** The smallest string greater than every key with the prefix ("0" follows "/"). */
const after = (prefix: string): string => `${prefix.slice(0, -1)}0`;

/** The objects of a table at one revision. */
export interface View {
  /** Sorted. */
  readonly keys: readonly string[];
  get(key: string): StoredVersion | undefined;
}

/**
 * Reconstructs a table at a revision within the log: starts from the current objects and undoes the later events.
 * The cost of a page grows with the writes since that revision; writes cost nothing extra.
 */
function viewAt(table: Table, revision: number): View {
  const { versions, events } = table;
  const before = new Map<string, StoredVersion | undefined>();
  const first = firstAfter(table, revision);
  for (let number = events.end - 1; number >= first; number--) {
    const { key, previous } = events.at(number);
    before.set(key, previous);
  }
  const keys = table.sortedKeys();
  if (before.size === 0) return { keys, get: (key) => versions.get(key) };
  return {
    keys: keysOf(keys, before),
    get: (key) => (before.has(key) ? before.get(key) : versions.get(key)),
  };
}

/** The current sorted keys, without those created since and with those deleted since. */
function keysOf(keys: readonly string[], before: ReadonlyMap<string, StoredVersion | undefined>): readonly string[] {
  const gone = [...before].filter(([key, version]) => version !== undefined && keys[lowerBound(keys, key)] !== key).map(([key]) => key);
  const kept = keys.filter((key) => !before.has(key) || before.get(key) !== undefined);
  return gone.length === 0 ? kept : merge(kept, gone.sort());
}
