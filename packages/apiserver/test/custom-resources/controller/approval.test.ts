import { describe, expect, it } from 'vitest';
import { withApproval } from '../../../src/custom-resources/controller/approval.ts';
import { conditionIn } from '../../../src/custom-resources/definition/definition.ts';
import { definition } from '../support.ts';

const type = 'KubernetesAPIApprovalPolicyConformant';
const inGroup = (group: string, approved?: string) =>
  definition({ group }, approved === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': approved } });

describe('withApproval', () => {
  it.each([
    [undefined, 'False', 'MissingAnnotation'],
    ['https://example.com/1', 'True', 'ApprovedAnnotation'],
    ['unapproved', 'False', 'UnapprovedAnnotation'],
    ['odd', 'False', 'InvalidAnnotation'],
  ])('tells of %s', (approved, status, reason) => {
    const told = withApproval(inGroup('x.k8s.io', approved), 'now');
    expect(conditionIn(told, type)).toMatchObject({ status, reason });
    expect(withApproval(told, 'later')).toBe(told);
  });

  it('says nothing of other groups', () => {
    const own = inGroup('example.com');
    expect(withApproval(own, 'now')).toBe(own);
  });
});
