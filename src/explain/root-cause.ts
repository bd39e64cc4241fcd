import { createLabelMatcher } from '../spec/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, ObjectMeta, Optional, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import type { Problem, Reason, ServiceExplanation } from './explanation.ts';
import { reasons } from './reasons.ts';
import type { Workload } from './workload.ts';

/** `corev1.Event`, as far as evidence uses it. */
export interface ObjectEvent {
  readonly type?: Optional<string>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
  readonly involvedObject?: Optional<{
    readonly kind?: Optional<string>;
    readonly namespace?: Optional<string>;
    readonly name?: Optional<string>;
  }>;
  readonly lastTimestamp?: Optional<string | Date>;
}

/** The objects of a cluster. May include unrelated namespaces and objects. An absent list means that its objects are unknown. */
export interface DiagnosisObjects {
  readonly pods?: readonly Pod[] | undefined;
  readonly nodes?: readonly Node[] | undefined;
  readonly workloads?: readonly Workload[] | undefined;
  readonly events?: readonly ObjectEvent[] | undefined;
  readonly services?: readonly Service[] | undefined;
  readonly endpoints?: readonly EndpointsInput[] | undefined;
  readonly slices?: readonly EndpointSliceInput[] | undefined;
  /** Lists the fields of an object that its kind does not have, such as "spec.ports[0].targetport", with the most similar known field. */
  readonly unknownFields?: ((object: object) => readonly { readonly path: string; readonly nearest?: string }[]) | undefined;
  /** Lists the policies that deny all traffic to a port of a pod; empty if some traffic may be allowed. */
  readonly denyingPolicies?: ((pod: Pod, port: number, protocol: string) => readonly string[]) | undefined;
}

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
  readonly profile: Profile;
}

export function createServiceCause(reason: Reason & { readonly severity?: Problem['severity'] }, service: Service): RootCause {
  const name = `${service.metadata?.namespace ?? ''}/${service.metadata?.name ?? ''}`;
  return {
    reason,
    severity: (reason.severity ?? reasons[reason.code].severity) === 'error' ? 'error' : 'warning',
    message: reason.message,
    objects: [`service/${name}`],
    subject: { kind: 'service', name: `Service ${name}`, object: service },
  };
}

/** The pods in the namespace of a Service that its selector matches. */
export function selectPods({ metadata, spec }: Service, pods: readonly Pod[]): Pod[] {
  const matches = createLabelMatcher(spec?.selector);
  return pods.filter((pod) => (pod.metadata?.namespace ?? '') === (metadata?.namespace ?? '') && matches(pod.metadata?.labels ?? {}));
}
