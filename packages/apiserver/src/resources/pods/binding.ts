import { collectCauses, type FieldCause } from '../field/causes.ts';
import { child, copyOf, type Draft, draftList, ensureChild, entries, type Fields, has, list, text } from '../field/read.ts';

/**
 * Result of a binding: the bound pod; validation errors, which the server returns as a 500 with only the messages; or the reason of a
 * Conflict for "pods/binding".
 */
export type BindResult =
  | { readonly object: Fields }
  | { readonly object?: undefined; readonly causes: readonly FieldCause[] }
  | { readonly object?: undefined; readonly causes?: undefined; readonly conflict: string };

/**
 * Binds a pod to a node, once. Mirrors BindingREST (pkg/registry/core/pod/storage/storage.go, 1.36).
 * @param now RFC 3339, for the condition PodScheduled
 */
export function bindPod(pod: Fields, binding: Fields, now: string): BindResult {
  const causes = validateBinding(binding);
  if (causes.length > 0) return { causes };
  const conflict = conflictOf(pod);
  if (conflict !== undefined) return { conflict };
  const draft = copyOf(pod) as Draft;
  ensureChild(draft, 'spec')['nodeName'] = text(child(binding, 'target'), 'name');
  const metadata = ensureChild(draft, 'metadata');
  for (const name of ['annotations', 'labels']) {
    for (const [key, value] of entries(child(binding, 'metadata'), name)) ensureChild(metadata, name)[key] = value;
  }
  const status = ensureChild(draft, 'status');
  delete status['nominatedNodeName'];
  setScheduledCondition(status, now);
  return { object: draft };
}

/** Mirrors ValidatePodBinding. */
export function validateBinding(binding: Fields): readonly FieldCause[] {
  const causes = collectCauses();
  const [kind, name] = [text(child(binding, 'target'), 'kind'), text(child(binding, 'target'), 'name')];
  if (kind !== '' && kind !== 'Node') causes.notSupported('target.kind', kind, ['Node', '<empty>']);
  if (name === '') causes.required('target.name');
  return causes.list;
}

function conflictOf(pod: Fields): string | undefined {
  const name = text(child(pod, 'metadata'), 'name');
  const spec = child(pod, 'spec');
  if (has(child(pod, 'metadata'), 'deletionTimestamp')) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (text(spec, 'nodeName') !== '') return `pod ${name} is already assigned to node "${text(spec, 'nodeName')}"`;
  if (list(spec, 'schedulingGates').length > 0) return `pod ${name} has non-empty .spec.schedulingGates`;
  return undefined;
}

/** Sets the condition PodScheduled. lastTransitionTime changes only if the status changes. */
function setScheduledCondition(status: Draft, now: string): void {
  const conditions = draftList(status, 'conditions');
  const old = conditions.find((condition) => text(condition, 'type') === 'PodScheduled');
  const transitionTime = old && text(old, 'status') === 'True' && has(old, 'lastTransitionTime') ? old['lastTransitionTime'] : now;
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: transitionTime };
  status['conditions'] = old ? conditions.map((each) => (each === old ? scheduled : each)) : [...conditions, scheduled];
}
