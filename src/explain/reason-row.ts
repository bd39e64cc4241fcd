import type { GateName } from '../versions/index.ts';

/** "error": no traffic reaches the pods; "warning": some traffic does not, or will not after an upgrade; "info": no traffic is affected. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * A reason: its subject (a pod in Endpoints, a whole Service, its slices, their hints, or a cause in other objects), its severity if it can be a problem of a
 * whole Service, its message (values in braces), and the gates it depends on.
 */
export interface ReasonRow {
  readonly about: 'pod' | 'service' | 'slices' | 'hints' | 'cause';
  readonly severity?: Severity;
  readonly message: string;
  /** How to fix the problem, for docs/reasons.md. */
  readonly remedy: string;
  /** The gate that must be on for this reason. */
  readonly from?: GateName;
  /** The gate that must be off for this reason. */
  readonly until?: GateName;
}
