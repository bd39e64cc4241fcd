import { semanticEqual } from 'kube-endpoints/internal/apimachinery';
import type { Steps } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import type { Taint } from '../../nodes/taints.ts';
import { catchFailure } from '../errors.ts';
import { type Backoff, retryOnConflict } from '../retry.ts';
import { formatTime } from '../time.ts';
import { type Node, nameOf } from './objects.ts';

/** A taint without its value and time. */
export type TaintKind = Pick<Taint, 'key' | 'effect'>;

export const unreachable: TaintKind = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
export const notReady: TaintKind = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };

export const hasTaint = ({ spec }: Node, kind: TaintKind): boolean => (spec?.taints ?? []).some((taint) => isOfKind(taint, kind));

export const isOfKind = (taint: TaintKind, { key, effect }: TaintKind): boolean => taint.key === key && taint.effect === effect;

/** UpdateTaintBackoff (1.36, pkg/controller/controller_utils.go), without its random part. */
const backoff: Backoff = { steps: 5, duration: 100, factor: 1 };

/**
 * Adds taints to a node and removes others. Returns whether it succeeded. Mirrors SwapNodeControllerTaint (1.36, pkg/controller/util/node).
 * @param node its last known state: if it has none of the taints to remove, none is removed
 */
export function* swapTaints(node: Node, added: readonly TaintKind[], removed: readonly TaintKind[], now: number): Steps<boolean> {
  const taints = added.map((kind) => ({ ...kind, timeAdded: formatTime(now) }));
  if (taints.length > 0 && (yield* catchFailure(changeTaints(node, (current) => taints.reduce(addTaint, current))))) return false;
  return !(yield* catchFailure(removeTaints(node, removed)));
}

/**
 * Removes taints from a node, unless its last known state has none of them. Mirrors RemoveTaintOffNode (1.36, pkg/controller/controller_utils.go).
 * @throws ApiError
 */
export function* removeTaints(node: Node, removed: readonly TaintKind[]): Steps {
  if (!removed.some((kind) => hasTaint(node, kind))) return;
  yield* changeTaints(node, (current) => {
    const others = current.filter((taint) => !removed.some((kind) => isOfKind(taint, kind)));
    return others.length < current.length ? others : current;
  });
}

/** Reads a node and patches its taints, unless `change` returns the same list. */
function changeTaints(node: Node, change: (taints: readonly Taint[]) => readonly Taint[]): Steps {
  const target = { kind: 'Node', namespace: '', name: nameOf(node) };
  return retryOnConflict(backoff, function* attempt() {
    const { metadata, spec } = yield* perform<Node>({ do: 'get', ...target });
    const current = spec?.taints ?? [];
    const taints = change(current);
    if (taints === current) return;
    const { resourceVersion } = metadata;
    // A taint that was added in the same second is the same text.
    const hasChanged = !semanticEqual(taints, current);
    const patch = { metadata: { resourceVersion }, ...(hasChanged && { spec: { taints: taints.length > 0 ? taints : null } }) };
    yield* perform({ do: 'patch', ...target, patch, type: 'strategic' });
  });
}

/** Mirrors AddOrUpdateTaint (1.36, pkg/util/taints): the time of an existing taint changes. */
function addTaint(taints: readonly Taint[], added: Taint): readonly Taint[] {
  return taints.some((taint) => isOfKind(taint, added))
    ? taints.map((taint) => (isOfKind(taint, added) ? added : taint))
    : [...taints, added];
}
