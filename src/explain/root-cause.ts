import type { ObjectMeta, Optional, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { reasons } from './all-reasons.ts';
import type { ClusterIndex } from './cluster-index.ts';
import type { DiagnosisObjects } from './diagnosis-objects.ts';
import type { Problem, Reason, ServiceExplanation } from './explanation.ts';

/** A cause, before it has evidence and a fix. */
export interface RootCause {
  readonly reason: Reason;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly objects: readonly string[];
  /** The object that `reason.path` starts at, and its name: "Pod shop/web-1". */
  readonly subject: Subject;
}

export interface Subject {
  readonly name: string;
  readonly kind: string;
  readonly object: { readonly metadata?: Optional<ObjectMeta> };
}

/** What the search for causes reads. */
export interface DiagnosisInput {
  readonly service: Service;
  readonly explanation: ServiceExplanation;
  readonly objects: DiagnosisObjects;
  readonly cluster: ClusterIndex;
  /** The pods in the namespace of the Service that its selector matches. */
  readonly selectedPods: readonly Pod[];
  /** Those of them that are ready endpoints. */
  readonly readyPods: readonly Pod[];
  readonly profile: Profile;
}

export const createServiceCause = (
  reason: Reason & { readonly severity?: Problem['severity'] },
  service: Service,
  severity: Problem['severity'] | undefined = reason.severity ?? reasons[reason.code].severity,
): RootCause => createObjectCause(reason, 'Service', service, severity);

/** Creates a cause in one object, which the path of the reason starts at. */
export function createObjectCause(
  reason: Reason,
  kind: string,
  object: Subject['object'],
  severity: Problem['severity'] | undefined = reasons[reason.code].severity,
): RootCause {
  const { namespace, name = '' } = object.metadata ?? {};
  const key = namespace ? `${namespace}/${name}` : name;
  return {
    reason,
    severity: severity === 'error' ? 'error' : 'warning',
    message: reason.message,
    objects: [`${kind.toLowerCase()}/${key}`],
    subject: { kind: kind.toLowerCase(), name: `${kind} ${key}`, object },
  };
}
