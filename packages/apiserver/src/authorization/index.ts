/** Which requests a user may send: RBAC, impersonation, access reviews, and the check of privilege escalation. */
export {
  type AccessAttributes,
  type AccessDecision,
  type AccessRule,
  type AccessRules,
  type Authorizer,
  allowAll,
  createForbiddenError,
} from './attributes.ts';
export { bootstrapPolicy, createBootstrapPolicy } from './bootstrap/policy.ts';
export { findEscalation } from './escalation.ts';
export { createImpersonator, type Impersonator, readImpersonation, withAuthenticatedGroup } from './impersonation.ts';
export { createRoleLookup, roleResources } from './lookup.ts';
export { createParamsCheck } from './params-check.ts';
export { createRbacAuthorizer, type Role, type RoleBinding, type RoleLookup, type RoleRef, resolveRules, type Subject } from './rbac.ts';
export { createReviews } from './reviews.ts';
export { createRoleWriteCheck } from './write-check.ts';
