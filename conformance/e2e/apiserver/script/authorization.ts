import type { Topic } from '../compare/step.ts';
import { bootstrapRoles } from './authorization-bootstrap.ts';
import { escalation } from './authorization-escalation.ts';
import { impersonation } from './authorization-impersonation.ts';
import { permissions } from './authorization-permissions.ts';
import { reviews } from './authorization-reviews.ts';
import { roles } from './authorization-roles.ts';

/** The topics for servers with RBAC, in order. */
export const authorizationScript: readonly Topic[] = [bootstrapRoles, roles, permissions, escalation, impersonation, reviews];
