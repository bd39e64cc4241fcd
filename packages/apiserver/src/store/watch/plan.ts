import type { Resource } from 'kube-endpoints/port';
import { type FieldProblem, invalidListOptions, status500 } from '../errors.ts';
import { createForbiddenProblem, createNotSupportedProblem, type ListParameters } from '../list-options.ts';
import { parseResourceVersion } from '../resource-version.ts';
import { compilePredicate, type Predicate, parseSelection } from '../selectors/selection.ts';
import { type StoreState, selectableOf } from '../state.ts';
import { prefixOf } from '../table.ts';

export interface WatchParameters extends Omit<ListParameters, 'limit'> {
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

/** Validated watch options. */
export interface WatchPlan {
  readonly resource: Resource;
  readonly predicate: Predicate;
  /** Prefix of the keys that the watch shows. */
  readonly prefix: string;
  /** The watch starts with an ADDED event for each existing object. */
  readonly sendsInitialEvents: boolean;
  /** The store must have reached this version first. */
  readonly requiredVersion: { readonly text: string; readonly value: number };
  /** Without initial events, only events after this revision are shown. */
  readonly afterRevision: number;
  readonly sendsBookmarks: boolean;
  /** Milliseconds since the epoch. */
  readonly deadline: number | undefined;
}

/**
 * Validates and interprets watch options.
 * @throws ApiError if they are invalid
 */
export function planWatch(state: StoreState, resource: Resource, requestedOptions: WatchParameters): WatchPlan {
  const selection = parseSelection(requestedOptions);
  const options = withDefaults(requestedOptions);
  const problems = validateWatchOptions(options);
  if (problems.length > 0) throw invalidListOptions(problems);
  const predicate = compilePredicate(selection, resource, selectableOf(state, resource, options));
  const { resourceVersion = '', sendInitialEvents, timeoutSeconds = 0 } = options;
  const version = parseResourceVersion(resourceVersion);
  if (version.problem !== undefined) throw status500(version.problem);
  return {
    resource,
    predicate,
    prefix: prefixOf(resource, options.namespace || predicate.namespace),
    sendsInitialEvents: sendInitialEvents === true,
    requiredVersion: { text: resourceVersion, value: version.value },
    afterRevision: version.value || state.publishedRevision,
    sendsBookmarks: options.allowWatchBookmarks === true,
    deadline: timeoutSeconds > 0 ? state.clock.now() + timeoutSeconds * 1000 : undefined,
  };
}

/**
 * Makes a watch without a resourceVersion, or with "0", start with all objects.
 *
 * Mirrors SetListOptionsDefaults (1.36, apimachinery/pkg/apis/meta/internalversion/defaults.go).
 */
function withDefaults(options: WatchParameters): WatchParameters {
  const { sendInitialEvents, resourceVersionMatch = '', resourceVersion = '' } = options;
  if (sendInitialEvents !== undefined || resourceVersionMatch !== '' || !['', '0'].includes(resourceVersion)) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

/** Mirrors validateWatchOptions (1.36, apimachinery/pkg/apis/meta/internalversion/validation/validation.go). */
function validateWatchOptions({ resourceVersionMatch = '', sendInitialEvents, continue: token = '' }: WatchParameters): FieldProblem[] {
  const field = 'resourceVersionMatch';
  const problems: FieldProblem[] = [];
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan') {
    problems.push(createForbiddenProblem(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (resourceVersionMatch === '') return problems;
  if (sendInitialEvents === undefined) {
    problems.push(createForbiddenProblem(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (resourceVersionMatch !== 'NotOlderThan') problems.push(createNotSupportedProblem(field, resourceVersionMatch, ['NotOlderThan']));
  if (token !== '') problems.push(createForbiddenProblem(field, 'resourceVersionMatch is forbidden when continue is provided'));
  return problems;
}
