import { quote } from 'kube-endpoints/internal/apimachinery';
import type { Resource } from 'kube-endpoints/port';
import { decodeToken } from './continue-token.ts';
import { badRequest, type FieldProblem } from './errors.ts';
import { parseResourceVersion } from './resource-version.ts';
import type { SelectableFields } from './selectors/selection.ts';

/** The list options of a client, before validation. */
export interface ListParameters {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
  /** Overrides the selectable fields of the resource, if present. If present but undefined, only name and namespace are selectable. */
  readonly selectable?: SelectableFields | undefined;
}

/** Validated list options. */
export interface ListPlan {
  /** Revision to list; undefined for the newest revision. */
  readonly exactRevision: number | undefined;
  /** The minimum version that the store must have reached. */
  readonly requiredVersion: { readonly text: string; readonly value: number };
  /** First key of the page, relative to the prefix. */
  readonly startKey: string;
  /** Whether the request has a continue token. */
  readonly hasContinueToken: boolean;
  /** 0 means no limit. */
  readonly limit: number;
}

export const createForbiddenProblem = (field: string, detail: string): FieldProblem => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
  field,
});

export const createNotSupportedProblem = (field: string, value: string, supported: readonly string[]): FieldProblem => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quote(value)}: supported values: ${supported.map(quote).join(', ')}`,
  field,
});

/** Mirrors ValidateListOptions (1.36, apimachinery/pkg/apis/meta/internalversion/validation/validation.go). */
export function validateListOptions(options: ListParameters): FieldProblem[] {
  const { resourceVersion = '', resourceVersionMatch = '', continue: token = '', sendInitialEvents } = options;
  const field = 'resourceVersionMatch';
  const problems: FieldProblem[] = [];
  if (resourceVersionMatch !== '') {
    if (resourceVersion === '')
      problems.push(createForbiddenProblem(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (token !== '') problems.push(createForbiddenProblem(field, 'resourceVersionMatch is forbidden when continue is provided'));
    if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan')
      problems.push(createNotSupportedProblem(field, resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
    if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
      problems.push(createForbiddenProblem(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined)
    problems.push(createForbiddenProblem('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return problems;
}

/**
 * Interprets valid list options.
 *
 * Mirrors storage.ValidateListOptions (1.36, apiserver/pkg/storage/interfaces.go) and waitUntilFreshAndList (cacher/watch_cache.go), which
 * ignores a limit if any version is acceptable.
 * @param isSingle if true, the list selects one object, and a limit without resourceVersionMatch does not make the version exact
 * @throws ApiError BadRequest
 */
export function planList(options: ListParameters, isSingle: boolean): ListPlan {
  const { resourceVersion = '', resourceVersionMatch = '', continue: token = '', limit: requestedLimit = 0 } = options;
  const limit = resourceVersion === '0' ? 0 : Math.max(requestedLimit, 0);
  if (token !== '') return planPage(token, resourceVersion, limit);
  const version = parseResourceVersion(resourceVersion);
  if (version.problem !== undefined) throw badRequest(`invalid resource version: ${version.problem}`);
  const isExact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && version.value > 0 && !isSingle);
  const requiredVersion = { text: resourceVersion, value: version.value };
  return { exactRevision: isExact ? version.value : undefined, requiredVersion, startKey: '', hasContinueToken: false, limit };
}

function planPage(token: string, resourceVersion: string, limit: number): ListPlan {
  const decoded = decodeToken(token);
  if (decoded.problem !== undefined) throw badRequest(`invalid continue token: ${decoded.problem}`);
  if (resourceVersion !== '' && resourceVersion !== '0') throw badRequest('specifying resource version is not allowed when using continue');
  const { startKey, revision } = decoded;
  const exactRevision = revision > 0 ? revision : undefined;
  return {
    exactRevision,
    requiredVersion: { text: String(exactRevision ?? 0), value: exactRevision ?? 0 },
    startKey,
    hasContinueToken: true,
    limit,
  };
}

/** Returns the key of the only object that can match; undefined if several objects can. */
export function findSingleKey(resource: Resource, name: string | undefined, namespace: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!resource.namespaced) return name;
  return namespace ? `${namespace}/${name}` : undefined;
}
