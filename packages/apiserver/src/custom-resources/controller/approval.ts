import { isSameCondition, type NewCondition, withCondition } from '../definition/conditions.ts';
import { conditionIn, type Definition } from '../definition/definition.ts';
import { type Approval, approvalOf, isProtectedGroup } from '../definition/validate/approval.ts';

/** Says of a definition in a group of the Kubernetes project whether that is approved of. Mirrors the controller apiapproval (1.36). */
export function withApproval(definition: Definition, now: string): Definition {
  if (!isProtectedGroup(definition.spec?.group ?? '')) return definition;
  const { state, reason: message } = approvalOf(definition);
  const condition: NewCondition = { type: 'KubernetesAPIApprovalPolicyConformant', ...byState[state], message };
  return isSameCondition(condition, conditionIn(definition, condition.type)) ? definition : withCondition(definition, condition, now);
}

const byState: Readonly<Record<Approval['state'], Pick<NewCondition, 'reason' | 'status'>>> = {
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
};
