import type { Definition } from '../definition.ts';

/** Whether a group is the Kubernetes project's own. */
export const isProtectedGroup = (group: string): boolean => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);

export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'invalid' | 'missing';
  readonly reason: string;
  readonly annotation: string;
}

const key = 'api-approved.kubernetes.io';
const more = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** What a definition says of the approval of its API. Mirrors GetAPIApprovalState (apiextensions-apiserver/pkg/apihelpers, 1.36). */
export function approvalOf({ metadata }: Definition): Approval {
  const annotation = metadata.annotations?.[key] ?? '';
  if (annotation === '')
    return { annotation, state: 'missing', reason: `protected groups must have approval annotation "${key}", ${more}` };
  if (annotation.startsWith('unapproved')) return { annotation, state: 'bypassed', reason: `not approved: ${JSON.stringify(annotation)}` };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/\s]+/.test(annotation))
    return { annotation, state: 'approved', reason: `approved in ${annotation}` };
  const form = `protected groups must have approval annotation "${key}" with either a URL or a reason starting with "unapproved", ${more}`;
  return { annotation, state: 'invalid', reason: form };
}
