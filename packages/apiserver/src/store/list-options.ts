import { quote } from 'kube-endpoints/internal';
import type { Resource } from 'kube-endpoints/port';
import { decodeToken } from './continue-token.ts';
import { badRequest, type FieldProblem } from './errors.ts';
import { parseResourceVersion } from './resource-version.ts';
import type { SelectableFields } from './selectors/selection.ts';

/** The options of a list as a client sends them, before anything is known of them. */
export interface ListParameters {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
  /** What a field selector may name instead of the fields of the resource; undefined: no more than name and namespace. */
  readonly selectable?: SelectableFields | undefined;
}

/** Which world a list shows, and which part of it. */
export interface ListPlan {
  /** The revision to show; absent: the newest. */
  readonly exact: number | undefined;
  /** The version that the store must have come to. */
  readonly required: { readonly text: string; readonly value: number };
  /** The key, relative to the prefix, that the page begins with. */
  readonly start: string;
  readonly continues: boolean;
  /** Zero: no limit. */
  readonly limit: number;
}

export const forbidden = (field: string, detail: string): FieldProblem => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
  field,
});

export const notSupported = (field: string, value: string, supported: readonly string[]): FieldProblem => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quote(value)}: supported values: ${supported.map(quote).join(', ')}`,
  field,
});

/** Mirrors ValidateListOptions (1.36, apimachinery/pkg/apis/meta/internalversion/validation/validation.go). */
export function problemsOfList(options: ListParameters): FieldProblem[] {
  const { resourceVersion = '', resourceVersionMatch: match = '', continue: token = '', sendInitialEvents } = options;
  const field = 'resourceVersionMatch';
  const problems: FieldProblem[] = [];
  if (match !== '') {
    if (resourceVersion === '') problems.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (token !== '') problems.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') problems.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0') {
      problems.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) problems.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return problems;
}

/**
 * Says what options mean that are valid.
 *
 * Mirrors storage.ValidateListOptions (1.36, apiserver/pkg/storage/interfaces.go) and waitUntilFreshAndList
 * (cacher/watch_cache.go), which ignores a limit where any version will do.
 * @param single only one object is asked for: without a match, a limit then does not make the version exact
 * @throws ApiError BadRequest
 */
export function planOf(options: ListParameters, single: boolean): ListPlan {
  const { resourceVersion = '', resourceVersionMatch: match = '', continue: token = '', limit: asked = 0 } = options;
  const limit = resourceVersion === '0' ? 0 : Math.max(asked, 0);
  if (token !== '') return planOfPage(token, resourceVersion, limit);
  const version = parseResourceVersion(resourceVersion);
  if (version.problem !== undefined) throw badRequest(`invalid resource version: ${version.problem}`);
  const exact = match === 'Exact' || (match === '' && limit > 0 && version.value > 0 && !single);
  const required = { text: resourceVersion, value: version.value };
  return { exact: exact ? version.value : undefined, required, start: '', continues: false, limit };
}

function planOfPage(token: string, resourceVersion: string, limit: number): ListPlan {
  const decoded = decodeToken(token);
  if (decoded.problem !== undefined) throw badRequest(`invalid continue token: ${decoded.problem}`);
  if (resourceVersion !== '' && resourceVersion !== '0') throw badRequest('specifying resource version is not allowed when using continue');
  const { start, revision } = decoded;
  const exact = revision > 0 ? revision : undefined;
  return { exact, required: { text: String(exact ?? 0), value: exact ?? 0 }, start, continues: true, limit };
}

/** Where only one object can be in the list: which. */
export function singleKey(resource: Resource, name: string | undefined, namespace: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!resource.namespaced) return name;
  return namespace ? `${namespace}/${name}` : undefined;
}
