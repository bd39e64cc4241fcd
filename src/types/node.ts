import type { ObjectMeta, Optional } from './meta.ts';

/** `corev1.NodeCondition`, as far as topology and explanations use it. */
export interface NodeCondition {
  readonly type?: Optional<string>;
  readonly status?: Optional<string>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
}

/**
 * `corev1.Node` as a structural type. Used are its name, its zone (label `topology.kubernetes.io/zone`), its readiness and its allocatable
 * CPU.
 */
export interface Node {
  readonly metadata?: Optional<ObjectMeta>;
  readonly status?: Optional<{
    readonly conditions?: Optional<readonly NodeCondition[]>;
    /** Quantities by resource name, as text ("500m", "4") or as a number. */
    readonly allocatable?: Optional<Readonly<Record<string, string | number>>>;
  }>;
}
