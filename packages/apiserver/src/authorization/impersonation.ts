import { quote } from 'kube-endpoints/internal/apimachinery';
import { dns1123Label, dns1123Subdomain, regexMessage } from '../formats/names.ts';
import type { User } from '../registry/index.ts';
import { badRequest } from '../store/index.ts';
import { type AccessAttributes, type Authorizer, createForbiddenError, privilegedGroup } from './attributes.ts';

/** The values of each header, by its name in lower case. */
type HeaderValues = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * Reads the user that a request asks to act as; undefined if it asks for none. Mirrors processImpersonationHeaders
 * (apiserver/pkg/endpoints/filters/impersonation/constrained_impersonation.go, 1.36).
 * @throws ApiError BadRequest if groups, a uid or extra values are given without a user name
 */
export function readImpersonation(headers: HeaderValues): User | undefined {
  const username = headers['impersonate-user']?.[0] ?? '';
  const uid = headers['impersonate-uid']?.[0] ?? '';
  const groups = headers['impersonate-group'] ?? [];
  const valuesByKey = new Map<string, readonly string[]>();
  for (const [name, values = []] of Object.entries(headers)) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = decodeExtraKey(name.slice(extraPrefix.length));
    valuesByKey.set(key, [...(valuesByKey.get(key) ?? []), ...values]);
  }
  const extra = Object.fromEntries(valuesByKey);
  const hasExtra = valuesByKey.size > 0;
  if (username !== '') return { username, groups, ...(uid !== '' && { uid }), ...(hasExtra && { extra }) };
  if (uid === '' && groups.length === 0 && !hasExtra) return undefined;
  throw badRequest(`requested ${printUser({ username, uid, groups, extra })} without impersonating a user name`);
}

const extraPrefix = 'impersonate-extra-';

/** Decodes percent signs; returns the key unchanged if they are malformed. */
function decodeExtraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Prints a user as Go's %#v prints a pointer to user.DefaultInfo. */
function printUser({ username, uid = '', groups, extra = {} }: User): string {
  const entries = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  const printList = (texts: readonly string[]): string =>
    texts.length === 0 ? '[]string(nil)' : `[]string{${texts.map(quote).join(', ')}}`;
  const printedExtra =
    entries.length === 0
      ? 'map[string][]string(nil)'
      : `map[string][]string{${entries.map(([key, values]) => `${quote(key)}:${printList(values)}`).join(', ')}}`;
  return `&user.DefaultInfo{Name:${quote(username)}, UID:${quote(uid)}, Groups:${printList(groups)}, Extra:${printedExtra}}`;
}

/** Returns the user that a request acts as. @param attributes the request, with the user that sends it. @throws ApiError Forbidden */
export type Impersonator = (wanted: User, attributes: AccessAttributes) => User;

/**
 * Creates the check of impersonation, with all modes of 1.36: one that allows certain requests as a node, a service account or another user
 * (KEP 5284), and the verb "impersonate" for all requests. If no mode allows the request, reports the error of the first one.
 *
 * Mirrors impersonationModesTracker (apiserver/pkg/endpoints/filters/impersonation, 1.36) without its cache of allowed requests.
 */
export function createImpersonator(authorizer: Authorizer): Impersonator {
  // The mode that last succeeded for a user is tried first, which determines the reported error.
  const lastModes = new Map<string, Mode>();
  return (wanted, attributes) => {
    const { username } = attributes.user;
    const lastMode = lastModes.get(username);
    let firstError: unknown;
    for (const mode of lastMode ? [lastMode, ...modes.filter((each) => each !== lastMode)] : modes) {
      if (!mode.applies(wanted, attributes.user)) continue;
      try {
        const user = impersonate(authorizer, mode, wanted, attributes);
        if (lastModes.size >= maxRememberedUsers) lastModes.clear();
        lastModes.set(username, mode);
        return user;
      } catch (error) {
        firstError ??= error;
      }
    }
    throw firstError;
  };
}

const maxRememberedUsers = 10_000;

interface Mode {
  /** Undefined for the verb "impersonate". */
  readonly name: string | undefined;
  readonly applies: (wanted: User, requestor: User) => boolean;
}

const hasOnlyName = ({ uid, groups, extra }: User): boolean => uid === undefined && groups.length === 0 && extra === undefined;

const modes: readonly Mode[] = [
  {
    name: 'associated-node',
    applies(wanted, requestor) {
      const nodeNames = requestor.extra?.['authentication.kubernetes.io/node-name'] ?? [];
      const isOwnNode = nodeNames.length === 1 && nodeNames[0] === nodeNameOf(wanted.username);
      return hasOnlyName(wanted) && isOwnNode && serviceAccountOf(requestor.username) !== undefined;
    },
  },
  { name: 'arbitrary-node', applies: (wanted) => hasOnlyName(wanted) && nodeNameOf(wanted.username) !== undefined },
  { name: 'serviceaccount', applies: (wanted) => hasOnlyName(wanted) && serviceAccountOf(wanted.username) !== undefined },
  {
    name: 'user-info',
    applies: ({ username }) => nodeNameOf(username) === undefined && serviceAccountOf(username) === undefined,
  },
  { name: undefined, applies: () => true },
];

/** Checks a request in a mode: first the request itself, then each part of the wanted user. */
function impersonate(authorizer: Authorizer, { name: mode }: Mode, wanted: User, attributes: AccessAttributes): User {
  const require = (required: AccessAttributes): void => {
    const { isAllowed, reason } = authorizer.authorize(required);
    if (!isAllowed) throw createForbiddenError(required, reason);
  };
  if (mode !== undefined) require({ ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` });
  const verb = mode === undefined ? 'impersonate' : `impersonate:${mode}`;
  const base: AccessAttributes = { user: attributes.user, verb, group: mode === undefined ? '' : authenticationGroup };
  const nodeName = mode === undefined ? undefined : nodeNameOf(wanted.username);
  const account = serviceAccountOf(wanted.username);
  if (account) require({ ...base, resource: 'serviceaccounts', ...account });
  else if (nodeName !== undefined) require({ ...base, resource: 'nodes', name: mode === 'associated-node' ? '*' : nodeName });
  else require({ ...base, resource: 'users', name: wanted.username });
  if (wanted.uid !== undefined) require({ ...base, group: authenticationGroup, resource: 'uids', name: wanted.uid });
  requireGroups(base, wanted.groups, mode !== undefined, require);
  requireExtra({ ...base, group: authenticationGroup }, wanted.extra ?? {}, mode !== undefined, require);
  const givenGroups = wanted.groups.length > 0 || !account ? wanted.groups : serviceAccountGroups(account.namespace);
  return { ...wanted, groups: withAuthenticatedGroup(wanted.username, nodeName === undefined ? givenGroups : ['system:nodes']) };
}

const authenticationGroup = 'authentication.k8s.io';

type Require = (attributes: AccessAttributes) => void;

function requireGroups(base: AccessAttributes, groups: readonly string[], isConstrained: boolean, require: Require): void {
  const attributes = { ...base, resource: 'groups' };
  if (isConstrained && groups.includes('')) throw createForbiddenError(attributes, 'impersonating the empty string group is not allowed');
  if (isConstrained && groups.includes(privilegedGroup))
    throw createForbiddenError({ ...attributes, name: privilegedGroup }, `impersonating the ${privilegedGroup} group is not allowed`);
  if (isConstrained && groups.length >= manyChecks && passes(require, { ...attributes, name: '*' })) return;
  for (const name of groups) require({ ...attributes, name });
}

function requireExtra(
  base: AccessAttributes,
  extra: Readonly<Record<string, readonly string[]>>,
  isConstrained: boolean,
  require: Require,
): void {
  const entries = Object.entries(extra);
  if (entries.length === 0) return;
  const attributes = { ...base, resource: 'userextras' };
  const problem = isConstrained ? findExtraProblem(extra) : undefined;
  if (problem !== undefined) throw createForbiddenError(attributes, problem);
  const isLarge = entries.length >= manyChecks || entries.flatMap(([, values]) => values).length >= manyChecks;
  if (isConstrained && isLarge && passes(require, { ...attributes, subresource: '*', name: '*' })) return;
  for (const [subresource, values] of entries) for (const name of values) require({ ...attributes, subresource, name });
}

/** Mirrors validateExtra (apiserver/pkg/endpoints/filters/impersonation/mode.go, 1.36). */
function findExtraProblem(extra: Readonly<Record<string, readonly string[]>>): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const problem = findDomainPathProblem(key);
    if (problem !== undefined) return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${problem}`;
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`;
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

/** Mirrors IsDomainPrefixedPath (apimachinery/pkg/util/validation, 1.36), but returns only the first problem. */
function findDomainPathProblem(key: string): string | undefined {
  const slash = key.indexOf('/');
  const [host, path] = [key.slice(0, Math.max(slash, 0)), key.slice(slash + 1)];
  if (host === '' || path === '') return `${quote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
  const [hostProblem] = dns1123Subdomain(host);
  if (hostProblem !== undefined) return `${quote(host)}: ${hostProblem}`;
  return httpPath.test(path) ? undefined : `${quote(path)}: ${regexMessage('Invalid path', httpPath.source.slice(1, -1))}`;
}

const httpPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** The number of groups or extra values from which on a permission for all of them is checked first. */
const manyChecks = 4;

function passes(require: Require, attributes: AccessAttributes): boolean {
  try {
    require(attributes);
    return true;
  } catch {
    return false;
  }
}

const nodePrefix = 'system:node:';

function nodeNameOf(username: string): string | undefined {
  const name = username.slice(nodePrefix.length);
  return username.startsWith(nodePrefix) && dns1123Subdomain(name).length === 0 ? name : undefined;
}

const serviceAccountPrefix = 'system:serviceaccount:';

function serviceAccountOf(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...rest] = username.slice(serviceAccountPrefix.length).split(':');
  const isValid = rest.length === 0 && dns1123Label(namespace).length === 0 && dns1123Subdomain(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}

const serviceAccountGroups = (namespace: string): readonly string[] => ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];

/** Adds the group of all authenticated users, or that of unauthenticated ones for the anonymous user. */
export function withAuthenticatedGroup(username: string, groups: readonly string[]): readonly string[] {
  if (groups.includes('system:unauthenticated')) return groups;
  const group = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return groups.includes(group) ? groups : [...groups, group];
}
