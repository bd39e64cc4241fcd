import type { EndpointSliceInput, EndpointsInput, Node, ObjectMeta, Optional, Pod, Service } from '../types/index.ts';
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
  readonly eventTime?: Optional<string | Date>;
}

/** `corev1.Namespace`, as far as a diagnosis uses it. */
export interface Namespace {
  readonly metadata?: Optional<ObjectMeta>;
  readonly status?: Optional<{ readonly phase?: Optional<string> }>;
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
  /** Whether `slices` has all slices of the Services, so that a Service without a slice has none. */
  readonly areSlicesComplete?: boolean | undefined;
  readonly namespaces?: readonly Namespace[] | undefined;
  /** Lists the fields of an object that its kind does not have, such as "spec.ports[0].targetport", with the most similar known field. */
  readonly unknownFields?: ((object: object) => readonly { readonly path: string; readonly nearest?: string }[]) | undefined;
  /** Lists the policies that deny all traffic to a port of a pod; empty if some traffic may be allowed. */
  readonly denyingPolicies?: ((pod: Pod, port: number, protocol: string) => readonly string[]) | undefined;
}
