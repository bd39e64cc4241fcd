import type { AccessAttributes, AccessRule, Role, RoleBinding } from '../../../packages/apiserver/src/authorization/index.ts';
import type { User } from '../../../packages/apiserver/src/registry/index.ts';

/** Roles and bindings, and what to evaluate with them. */
export interface RbacCase {
  readonly id: string;
  readonly roles: readonly Role[];
  readonly clusterRoles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
  readonly clusterRoleBindings: readonly RoleBinding[];
  readonly requests: readonly AccessAttributes[];
  /** Users who write a role with these rules. */
  readonly grants: readonly { readonly user: User; readonly namespace: string; readonly rules: readonly AccessRule[] }[];
  /** Requests with headers that ask to act as another user. */
  readonly impersonations: readonly { readonly request: AccessAttributes; readonly headers: Readonly<Record<string, readonly string[]>> }[];
}

export interface RbacAnswer {
  readonly id: string;
  readonly decisions: readonly RbacDecision[];
  /** The rules of the user of each grant. */
  readonly rules: readonly { readonly rules: readonly AccessRule[]; readonly problem: string }[];
  /** The message of a refused grant; empty if it is allowed. */
  readonly grants: readonly string[];
  readonly impersonations: readonly ImpersonationResult[];
}

export interface RbacDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** The message of the error, if the request is denied. */
  readonly message?: string;
}

export interface ImpersonationResult {
  readonly user?: User;
  readonly code?: number;
  readonly message?: string;
}
