import type { ObjectMeta, Optional, StringMap } from './meta.ts';

/** `corev1.ServicePort`, as far as endpoints use it. */
export interface ServicePort {
  readonly name?: Optional<string>;
  readonly port?: Optional<number>;
  readonly protocol?: Optional<string>;
  /** A number is the port itself; a string is the name of a container port; absent counts as 0. */
  readonly targetPort?: Optional<number | string>;
  readonly appProtocol?: Optional<string>;
}

/**
 * `corev1.Service` as a structural type, which plain JSON, `V1Service` of `@kubernetes/client-node` and `Service` of `kubernetes-types` all
 * satisfy.
 */
export interface Service {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{
    readonly type?: Optional<string>;
    /** Absent: the controller does not manage the endpoints. Empty: every pod of the namespace is selected. */
    readonly selector?: Optional<StringMap>;
    readonly clusterIP?: Optional<string>;
    readonly ipFamilies?: Optional<readonly string[]>;
    /** The alpha field before ipFamilies; only read in releases with the gate `ipFamilyRead`. */
    readonly ipFamily?: Optional<string>;
    readonly ports?: Optional<readonly ServicePort[]>;
    readonly publishNotReadyAddresses?: Optional<boolean>;
    /** "PreferClose", "PreferSameZone" or "PreferSameNode": selects the hints of the endpoints. */
    readonly trafficDistribution?: Optional<string>;
  }>;
}
