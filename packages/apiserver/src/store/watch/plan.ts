import type { Resource } from 'kube-endpoints/port';
import { type FieldProblem, invalidListOptions, unclassified } from '../errors.ts';
import { forbidden, notSupported } from '../list-options.ts';
import { parseResourceVersion } from '../resource-version.ts';
import { type Predicate, predicateOf, readSelection, type SelectableFields } from '../selectors/selection.ts';
import { type StoreState, selectableOf } from '../state.ts';
import { prefixOf } from '../table.ts';

/** The options of a watch as a client sends them. */
export interface WatchParameters {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly continue?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  /** What a field selector may name instead of the fields of the resource; undefined: no more than name and namespace. */
  readonly selectable?: SelectableFields | undefined;
}

/** What a watch shows, and from where on. */
export interface WatchPlan {
  readonly resource: Resource;
  readonly predicate: Predicate;
  /** What the keys begin with that it shows. */
  readonly prefix: string;
  /** All objects come first, as if they had just been added. */
  readonly initial: boolean;
  /** The version that the store must have come to for that. */
  readonly required: { readonly text: string; readonly value: number };
  /** Events after this revision are shown, where the objects do not come first. */
  readonly from: number;
  readonly bookmarks: boolean;
  /** Milliseconds since the epoch. */
  readonly deadline: number | undefined;
}

/**
 * Says what the options of a watch mean.
 * @throws ApiError where they mean nothing
 */
export function planOfWatch(state: StoreState, resource: Resource, given: WatchParameters): WatchPlan {
  const read = readSelection(given);
  const options = withDefaults(given);
  const problems = problemsOfWatch(options);
  if (problems.length > 0) throw invalidListOptions(problems);
  const predicate = predicateOf(read, resource, selectableOf(state, resource, options));
  const { resourceVersion = '', sendInitialEvents, timeoutSeconds = 0 } = options;
  const version = parseResourceVersion(resourceVersion);
  if (version.problem !== undefined) throw unclassified(version.problem);
  return {
    resource,
    predicate,
    prefix: prefixOf(resource, options.namespace || predicate.namespace),
    initial: sendInitialEvents === true,
    required: { text: resourceVersion, value: version.value },
    from: version.value || state.revision,
    bookmarks: options.allowWatchBookmarks === true,
    deadline: timeoutSeconds > 0 ? state.clock.now() + timeoutSeconds * 1000 : undefined,
  };
}

/**
 * A watch from nowhere in particular gets all objects first.
 *
 * Mirrors SetListOptionsDefaults (1.36, apimachinery/pkg/apis/meta/internalversion/defaults.go).
 */
function withDefaults(options: WatchParameters): WatchParameters {
  const { sendInitialEvents, resourceVersionMatch = '', resourceVersion = '' } = options;
  if (sendInitialEvents !== undefined || resourceVersionMatch !== '' || !['', '0'].includes(resourceVersion)) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

/** Mirrors validateWatchOptions (1.36, apimachinery/pkg/apis/meta/internalversion/validation/validation.go). */
function problemsOfWatch({ resourceVersionMatch: match = '', sendInitialEvents, continue: token = '' }: WatchParameters): FieldProblem[] {
  const field = 'resourceVersionMatch';
  const problems: FieldProblem[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    problems.push(forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match === '') return problems;
  if (sendInitialEvents === undefined) {
    problems.push(forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (match !== 'NotOlderThan') problems.push(notSupported(field, match, ['NotOlderThan']));
  if (token !== '') problems.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
  return problems;
}
