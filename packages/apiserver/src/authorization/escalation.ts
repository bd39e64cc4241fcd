import { quote } from 'kube-endpoints/internal/apimachinery';
import { formatProblems, type User } from '../registry/index.ts';
import type { AccessRule } from './attributes.ts';
import { describeRules, findUncoveredRules, printQuotedList } from './coverage.ts';
import { type RoleLookup, resolveRules } from './rbac.ts';

/**
 * Returns why a user must not grant rules in a namespace; undefined if the user holds all of them there. Mirrors ConfirmNoEscalation
 * (pkg/registry/rbac/validation/rule.go, 1.36).
 * @throws RangeError if the rules have more than a million combinations
 */
export function findEscalation(
  lookup: RoleLookup,
  user: User,
  namespace: string | undefined,
  rules: readonly AccessRule[],
): string | undefined {
  const { rules: ownRules, problems } = resolveRules(lookup, user, namespace);
  const missingRules = findUncoveredRules(ownRules, rules);
  if (missingRules.length === 0) return undefined;
  const subject = `user ${quote(user.username)} (groups=${printQuotedList(user.groups)})`;
  const message = `${subject} is attempting to grant RBAC permissions not currently held:\n${describeRules(missingRules)}`;
  return problems.length > 0 ? `${message}; resolution errors: [${formatProblems(problems)}]` : message;
}
