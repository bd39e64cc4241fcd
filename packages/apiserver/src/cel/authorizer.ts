import type { CelPart } from '@kube-endpoints/cel/internal';
import { dns1123Label, dns1123Subdomain } from '../formats/names.ts';
import { loadPatternLibrary } from './library.ts';

/** The user of a request. */
export interface CelUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The request that an expression asks about: for a resource, or for a path. */
export interface CelAccess {
  readonly user: CelUser;
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Decides whether a user may send a request. */
export interface CelAuthorizer {
  authorize(access: CelAccess): { readonly isAllowed: boolean; readonly reason: string };
}

/** The resource of a request. */
export interface CelRequestResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The value of the variable `authorizer`: a user, and the resource of the request, which only the request's own user has. */
export class AuthorizerValue {
  readonly authorizer: CelAuthorizer;
  readonly user: CelUser;
  readonly requestResource: ResourceCheck | undefined;
  constructor(authorizer: CelAuthorizer, user: CelUser, requestResource?: CelRequestResource) {
    this.authorizer = authorizer;
    this.user = user;
    this.requestResource = requestResource && new ResourceCheck(this, requestResource);
  }
}

class PathCheck {
  readonly source: AuthorizerValue;
  readonly path: string;
  constructor(source: AuthorizerValue, path: string) {
    this.source = source;
    this.path = path;
  }
}

class GroupCheck {
  readonly source: AuthorizerValue;
  readonly group: string;
  constructor(source: AuthorizerValue, group: string) {
    this.source = source;
    this.group = group;
  }
}

class ResourceCheck {
  readonly source: AuthorizerValue;
  readonly access: CelRequestResource;
  constructor(source: AuthorizerValue, access: CelRequestResource) {
    this.source = source;
    this.access = access;
  }
  with(changes: Partial<CelRequestResource>): ResourceCheck {
    return new ResourceCheck(this.source, { ...this.access, ...changes });
  }
}

class Decision {
  readonly isAllowed: boolean;
  readonly reason: string;
  constructor({ isAllowed, reason }: ReturnType<CelAuthorizer['authorize']>) {
    this.isAllowed = isAllowed;
    this.reason = reason;
  }
}

const typePrefix = 'kubernetes.authorization.';
export const authorizerType: string = `${typePrefix}Authorizer`;

/** The cost of a check, as upstream. */
const checkCost = 350_000;

const isIdentical = (a: unknown, b: unknown): boolean => a === b;

/**
 * Mirrors the libraries Authz and AuthzSelectors (apiserver/pkg/cel/library/authz.go, 1.36). Selectors do not limit what RBAC allows, so they are ignored.
 * @param spend charges the running evaluation
 */
export function createAuthorizerFunctions(spend: (steps: number) => void): CelPart {
  const check = (source: AuthorizerValue, access: Omit<CelAccess, 'user'>): Decision => {
    spend(checkCost);
    return new Decision(source.authorizer.authorize({ user: source.user, ...access }));
  };
  return {
    types: [
      { name: `${typePrefix}PathCheck`, ctor: PathCheck, equals: isIdentical },
      { name: `${typePrefix}GroupCheck`, ctor: GroupCheck, equals: isIdentical },
      { name: `${typePrefix}ResourceCheck`, ctor: ResourceCheck, equals: isIdentical },
      { name: `${typePrefix}Decision`, ctor: Decision, equals: isIdentical },
      {
        name: authorizerType,
        ctor: AuthorizerValue,
        equals: isIdentical,
        fields: { requestResource: `${typePrefix}ResourceCheck` },
      },
    ],
    functions: [
      ...authorizerFunctions,
      ...resourceCheckFunctions,
      {
        signature: `${typePrefix}PathCheck.check(string): ${typePrefix}Decision`,
        run: ({ source, path }: PathCheck, verb: string) => check(source, { verb, path }),
      },
      {
        signature: `${typePrefix}ResourceCheck.check(string): ${typePrefix}Decision`,
        run: ({ source, access: { namespace, ...access } }: ResourceCheck, verb: string) =>
          check(source, { verb, version: '*', ...access, ...(namespace !== '' && { namespace }) }),
      },
      { signature: `${typePrefix}Decision.allowed(): bool`, run: ({ isAllowed }: Decision) => isAllowed },
      { signature: `${typePrefix}Decision.reason(): string`, run: ({ reason }: Decision) => reason },
      // The authorizers of this server report problems in their reason, never as an error.
      { signature: `${typePrefix}Decision.errored(): bool`, run: () => false },
      { signature: `${typePrefix}Decision.error(): string`, run: () => '' },
    ],
  };
}

const authorizerFunctions: CelPart['functions'] = [
  {
    signature: `${authorizerType}.path(string): ${typePrefix}PathCheck`,
    run: (source: AuthorizerValue, path: string) => new PathCheck(source, requireText(path, 'path')),
  },
  {
    signature: `${authorizerType}.group(string): ${typePrefix}GroupCheck`,
    run: (source: AuthorizerValue, group: string) => new GroupCheck(source, group),
  },
  { signature: `${authorizerType}.serviceAccount(string, string): ${authorizerType}`, run: asServiceAccount },
  {
    signature: `${typePrefix}GroupCheck.resource(string): ${typePrefix}ResourceCheck`,
    run: ({ source, group }: GroupCheck, resource: string) =>
      new ResourceCheck(source, { group, resource: requireText(resource, 'resource'), subresource: '', namespace: '', name: '' }),
  },
];

const resourceCheckFunctions: CelPart['functions'] = [
  ...(['subresource', 'namespace', 'name'] as const).map((field) => ({
    signature: `${typePrefix}ResourceCheck.${field}(string): ${typePrefix}ResourceCheck`,
    run: (resourceCheck: ResourceCheck, value: string) => resourceCheck.with({ [field]: value }),
  })),
  ...['fieldSelector', 'labelSelector'].map((name) => ({
    signature: `${typePrefix}ResourceCheck.${name}(string): ${typePrefix}ResourceCheck`,
    run: (resourceCheck: ResourceCheck) => resourceCheck,
  })),
];

function requireText(value: string, name: string): string {
  if (value.trim() !== '') return value;
  throw createFailure(`${name} must not be empty`);
}

function asServiceAccount({ authorizer }: AuthorizerValue, namespace: string, name: string): AuthorizerValue {
  if (dns1123Subdomain(name).length > 0) throw createFailure('Invalid service account name');
  if (dns1123Label(namespace).length > 0) throw createFailure('Invalid service account namespace');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return new AuthorizerValue(authorizer, { username: `system:serviceaccount:${namespace}:${name}`, groups });
}

function createFailure(message: string): Error {
  const { CelFailure } = loadPatternLibrary();
  return new CelFailure(message);
}
