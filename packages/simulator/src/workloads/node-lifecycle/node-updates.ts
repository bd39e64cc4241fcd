import type { Controller, ControllerContext, Steps } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import { type Node, nameOf } from './objects.ts';
import { isOfKind, swapTaints, type TaintKind } from './swap-taints.ts';

/** The part of the controller that follows changes of nodes: their NoSchedule taints and labels. It does not try again after failures. */
export const createNodeUpdateController = ({ cache, now }: ControllerContext, onDeletion: (node: string) => void): Controller => ({
  name: 'node-lifecycle-updates',
  kinds: ['Node'],
  concurrentSyncs: 8,
  handle({ previous, current }, queue) {
    if (current) queue.add(nameOf(current));
    else if (previous) onDeletion(nameOf(previous));
  },
  *sync(name) {
    const node = cache.get<Node>('Node', '', name);
    if (node) yield* updateTaints(node, now());
    const newest = cache.get<Node>('Node', '', name);
    if (newest) yield* catchFailure(reconcileLabels(newest));
  },
});

const conditionTaints: readonly { readonly type: string; readonly status: string; readonly key: string }[] = [
  { type: 'Ready', status: 'False', key: 'node.kubernetes.io/not-ready' },
  { type: 'Ready', status: 'Unknown', key: 'node.kubernetes.io/unreachable' },
  { type: 'MemoryPressure', status: 'True', key: 'node.kubernetes.io/memory-pressure' },
  { type: 'DiskPressure', status: 'True', key: 'node.kubernetes.io/disk-pressure' },
  { type: 'NetworkUnavailable', status: 'True', key: 'node.kubernetes.io/network-unavailable' },
  { type: 'PIDPressure', status: 'True', key: 'node.kubernetes.io/pid-pressure' },
];

const unschedulable = 'node.kubernetes.io/unschedulable';
const effect = 'NoSchedule';

/** Makes the NoSchedule taints of a node follow its conditions: doNoScheduleTaintingPass. */
function* updateTaints(node: Node, now: number): Steps {
  const { conditions = [] } = node.status ?? {};
  const keys = conditions.flatMap(
    ({ type, status }) => conditionTaints.find((row) => row.type === type && row.status === status)?.key ?? [],
  );
  const wanted = [...keys, ...(node.spec?.unschedulable ? [unschedulable] : [])].map((key): TaintKind => ({ key, effect }));
  const managed = (node.spec?.taints ?? []).filter(
    (taint) => taint.effect === effect && (taint.key === unschedulable || conditionTaints.some(({ key }) => key === taint.key)),
  );
  const added = wanted.filter((kind) => !managed.some((taint) => isOfKind(taint, kind)));
  const removed = managed.filter((taint) => !wanted.some((kind) => isOfKind(taint, kind)));
  if (added.length > 0 || removed.length > 0) yield* swapTaints(node, added, removed, now);
}

/** The labels whose values follow others. */
const labelPairs: readonly { readonly primary: string; readonly secondary: string }[] = [
  { primary: 'kubernetes.io/os', secondary: 'beta.kubernetes.io/os' },
  { primary: 'kubernetes.io/arch', secondary: 'beta.kubernetes.io/arch' },
];

/** Sets the labels of the beta names: reconcileNodeLabels. */
function* reconcileLabels({ metadata }: Node): Steps {
  const { labels, name = '' } = metadata;
  const wanted = labelPairs.flatMap(({ primary, secondary }): (readonly [string, string])[] => {
    const value = labels?.[primary];
    return value === undefined || labels?.[secondary] === value ? [] : [[secondary, value]];
  });
  if (wanted.length === 0) return;
  const target = { kind: 'Node', namespace: '', name };
  const current = (yield* perform<Node>({ do: 'get', ...target })).metadata.labels;
  const changed = wanted.filter(([label, value]) => current?.[label] !== value);
  const patch = changed.length > 0 ? { metadata: { labels: Object.fromEntries(changed) } } : {};
  yield* perform({ do: 'patch', ...target, patch, type: 'strategic' });
}
