import { ApiError } from 'kube-endpoints/port';
import {
  createForbiddenError,
  createImpersonator,
  createRbacAuthorizer,
  findEscalation,
  type Impersonator,
  type RoleLookup,
  readImpersonation,
} from '../../../packages/apiserver/src/authorization/index.ts';
import type { ImpersonationResult, RbacAnswer, RbacCase } from './case.ts';

/** Answers a case with the library. */
export function replayRbac(testCase: RbacCase): RbacAnswer {
  const lookup = createLookup(testCase);
  const authorizer = createRbacAuthorizer(lookup);
  const impersonate = createImpersonator(authorizer);
  return {
    id: testCase.id,
    decisions: testCase.requests.map((attributes) => {
      const { isAllowed: allowed, reason } = authorizer.authorize(attributes);
      return { allowed, reason, ...(!allowed && { message: String(createForbiddenError(attributes, reason).status.message) }) };
    }),
    rules: testCase.grants.map(({ user, namespace }) => {
      const { rules, problem } = authorizer.listRules(user, namespace);
      return { rules, problem };
    }),
    grants: testCase.grants.map(
      ({ user, namespace, rules }) => findEscalation({ ...lookup, usesPlural: true }, user, namespace, rules) ?? '',
    ),
    impersonations: testCase.impersonations.map((each) => toResult(impersonate, each)),
  };
}

function createLookup({ roles, clusterRoles, roleBindings, clusterRoleBindings }: RbacCase): RoleLookup {
  const isIn = (namespace: string | undefined, object: { readonly metadata: { readonly namespace?: string } }): boolean =>
    object.metadata.namespace === namespace;
  return {
    findRole: (namespace, name) =>
      (namespace === undefined ? clusterRoles : roles).find((role) => isIn(namespace, role) && role.metadata.name === name),
    listBindings: (namespace) =>
      (namespace === undefined ? clusterRoleBindings : roleBindings).filter((binding) => isIn(namespace, binding)),
  };
}

function toResult(impersonate: Impersonator, { request, headers }: RbacCase['impersonations'][number]): ImpersonationResult {
  try {
    const wanted = readImpersonation(headers);
    return { user: wanted ? impersonate(wanted, request) : request.user };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.status.code, message: String(error.status.message) };
  }
}
