import type { Pod } from '../types/index.ts';
import { createCauseReason } from './all-reasons.ts';
import type { Reason } from './explanation.ts';
import type { DiagnosisInput } from './root-cause.ts';

/** Finds what is wrong with the node of a pod; undefined if nothing is, or if nodes are unknown. */
export function findNodeReason({ spec }: Pod, { objects, cluster, profile }: DiagnosisInput): Reason | undefined {
  const name = spec?.nodeName ?? '';
  if (!objects.nodes || name === '') return undefined;
  const node = cluster.node(name);
  if (!node) return createCauseReason('NodeNotFound', 'pod.spec.nodeName', profile, { node: name });
  const condition = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (!condition || condition.status === 'True') return undefined;
  const { reason, message } = condition;
  const details = [reason, message].filter(Boolean).join(': ').replace(/\.$/, '');
  return createCauseReason('NodeNotReady', 'node.status.conditions[Ready]', profile, { node: name, why: details && ` (${details})` });
}
