import { quote } from 'kube-endpoints/internal/apimachinery';
import type { ApiError } from 'kube-endpoints/port';
import type { User } from '../registry/index.ts';
import { failure } from '../store/errors.ts';

/** What a request does, and who sends it. Mirrors AttributesRecord (apiserver/pkg/authorization/authorizer, 1.36). */
export interface AccessAttributes {
  readonly user: User;
  readonly verb: string;
  /** The plural name of the resource. Undefined if the request is not for a resource; then `path` is set. */
  readonly resource?: string;
  readonly group?: string;
  readonly version?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
}

/** The answer of an authorizer. */
export interface AccessDecision {
  readonly isAllowed: boolean;
  /** May be empty. */
  readonly reason: string;
}

/** A rule as in access reviews: verbs with resources, or verbs with paths. */
export interface AccessRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface AccessRules {
  readonly rules: readonly AccessRule[];
  /** Whether the user may have further permissions. */
  readonly isIncomplete: boolean;
  /** Why some rules could not be resolved; empty if all could. */
  readonly problem: string;
}

export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision;
  /** Lists the permissions of a user in a namespace. */
  listRules(user: User, namespace: string): AccessRules;
}

/** Allows every request. Mirrors alwaysAllowAuthorizer (apiserver/pkg/authorization/authorizerfactory/builtin.go, 1.36). */
export const allowAll: Authorizer = {
  authorize: () => ({ isAllowed: true, reason: '' }),
  listRules: () => ({
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
    isIncomplete: false,
    problem: '',
  }),
};

/** The group that may do everything. */
export const privilegedGroup = 'system:masters';

/** Creates the error for a denied request. Mirrors ForbiddenStatusError (apiserver/pkg/endpoints/handlers/responsewriters/errors.go, 1.36). */
export function createForbiddenError(attributes: AccessAttributes, reason: string): ApiError {
  const { resource = '', group = '', name = '' } = attributes;
  const qualifiedResource = group === '' ? resource : `${resource}.${group}`;
  const subject = qualifiedResource === '' ? '' : `${qualifiedResource} ${name === '' ? 'is ' : `${quote(name)} is `}`;
  return failure(403, 'Forbidden', `${subject}forbidden: ${escapeMarkup(describe(attributes))}${reason === '' ? '' : `: ${reason}`}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    ...(resource !== '' && { kind: resource }),
  });
}

function describe({ user, verb, resource, group = '', subresource = '', namespace = '', path = '' }: AccessAttributes): string {
  const action = `User ${quote(user.username)} cannot ${verb}`;
  if (resource === undefined) return `${action} path ${quote(path)}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `${action} resource ${quote(subresource === '' ? resource : `${resource}/${subresource}`)} in API group ${quote(group)} ${scope}`;
}

/** Escapes characters of HTML, because a browser might show the message. */
const escapeMarkup = (text: string): string => text.replace(/[&<>]/g, (char) => markup[char] as string);

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
