import type { GateName } from '../versions/index.ts';

/** "error": no traffic reaches the pods; "warning": some does not, or will not after an upgrade; "info": worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * A reason: what it is about (a pod in Endpoints, a whole Service, its slices, their hints), how bad it is where it stands
 * for a whole Service, its sentence (values in braces), and the gates it hangs on.
 */
export interface ReasonRow {
  readonly about: 'pod' | 'service' | 'slices' | 'hints';
  readonly severity?: Severity;
  readonly message: string;
  /** What mends it, for docs/reasons.md. */
  readonly remedy: string;
  /** The gate that has to be open for it, and the one that has to be closed. */
  readonly from?: GateName;
  readonly until?: GateName;
}
