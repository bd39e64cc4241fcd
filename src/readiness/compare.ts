import type { Pod } from '../types/index.ts';
import { findCauses, namesOfGates } from '../versions/causes.ts';
import type { ReleaseOptions } from '../versions/index.ts';
import { computeConditionsWithSettings } from './conditions.ts';
import { type ReadinessGateName, type ReadinessSettings, readinessGates, readinessSettings } from './gates.ts';

/** A condition of a pod that two releases of the kubelet derive differently from the statuses of its containers. */
export interface ReadinessChange {
  /** "Ready" */
  readonly condition: string;
  /** "True" */
  readonly before: string;
  readonly after: string;
  /** The gates that cause the change. */
  readonly gates: readonly ReadinessGateName[];
}

/**
 * Compares the conditions Initialized, Ready and ContainersReady that the kubelets of two releases derive from a pod's container statuses.
 * Leaves out ContainersReady if one of the releases does not report it.
 * @throws RangeError for an unknown version, or an invalid feature gate
 */
export function compareReadiness(pod: Pod, from: ReleaseOptions, to: ReleaseOptions): ReadinessChange[] {
  const compute = (settings: ReadinessSettings): ReadonlyMap<string, string> =>
    new Map(computeConditionsWithSettings(pod, settings, {}).map(({ type, status }) => [type, status]));
  const [older, newer] = [readinessSettings(from), readinessSettings(to)];
  const [before, after] = [compute(older), compute(newer)];
  const findAspects = (a: typeof before, b: typeof before): string[] =>
    [...a.keys()].filter((type) => b.has(type) && a.get(type) !== b.get(type));
  return findCauses({ older, newer, before, after, gates: namesOfGates(readinessGates), compute, findAspects }).map(({ what, gates }) => ({
    condition: what,
    before: before.get(what) ?? '',
    after: after.get(what) ?? '',
    gates,
  }));
}
