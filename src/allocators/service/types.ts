import type { IPFamily } from '../../apimachinery/index.ts';
import type { Optional, Service, ServicePort } from '../../types/index.ts';
import type { IPAllocator } from '../addresses/allocator.ts';
import type { PortAllocator } from '../ports.ts';

/** A port of a Service, with its allocated node port. */
export interface AllocatablePort extends ServicePort {
  readonly nodePort?: Optional<number>;
}

/** The fields of a Service that affect allocation or hold allocated values. All other fields are preserved. */
export interface AllocatableService {
  readonly metadata?: Service['metadata'];
  readonly spec?: Optional<
    Omit<NonNullable<Service['spec']>, 'ports'> & {
      readonly ports?: Optional<readonly AllocatablePort[]>;
      readonly clusterIPs?: Optional<readonly string[]>;
      readonly ipFamilyPolicy?: Optional<string>;
      readonly healthCheckNodePort?: Optional<number>;
      readonly externalTrafficPolicy?: Optional<string>;
      readonly internalTrafficPolicy?: Optional<string>;
      readonly allocateLoadBalancerNodePorts?: Optional<boolean>;
      readonly loadBalancerClass?: Optional<string>;
      readonly externalIPs?: Optional<readonly string[]>;
    }
  >;
  readonly status?: Optional<{ readonly loadBalancer?: Optional<object> }>;
}

/** The allocators of a cluster. */
export interface ServiceAllocators {
  /** By family; one entry, or two in a dual-stack cluster. */
  readonly clusterIPs: Readonly<Partial<Record<IPFamily, IPAllocator>>>;
  /** The family of the first --service-cluster-ip-range. */
  readonly defaultFamily: IPFamily;
  readonly nodePorts: PortAllocator;
}

/** A value allocated to or freed from a Service. */
export type Allocation =
  | { readonly kind: 'clusterIP'; readonly family: IPFamily; readonly value: string }
  | { readonly kind: 'nodePort' | 'healthCheckNodePort'; readonly value: number };

/** A cause of a Status: a field and its problem. */
export interface StatusCause {
  readonly reason: 'FieldValueInvalid' | 'FieldValueRequired' | 'FieldValueNotSupported' | 'FieldValueDuplicate' | 'InternalError';
  readonly message: string;
  readonly field: string;
}

/**
 * Why a Service is rejected. Invalid is 422 with causes. InternalError is 500, with the message prefixed by "Internal error occurred: ".
 * Unknown is 500 with the bare message.
 */
export type ServiceFailure =
  | { readonly reason: 'Invalid'; readonly causes: readonly StatusCause[] }
  | { readonly reason: 'InternalError' | 'Unknown'; readonly message: string };
