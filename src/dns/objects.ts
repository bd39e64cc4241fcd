import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional, Pod, Service } from '../types/index.ts';

/** `corev1.Service` with the fields that its records need. */
export interface DnsService extends Service {
  readonly spec?: Optional<
    NonNullable<Service['spec']> & {
      readonly clusterIPs?: Optional<readonly string[]>;
      readonly externalName?: Optional<string>;
      readonly externalIPs?: Optional<readonly string[]>;
    }
  >;
  readonly status?: Optional<{
    readonly loadBalancer?: Optional<{
      readonly ingress?: Optional<readonly { readonly ip?: Optional<string>; readonly hostname?: Optional<string> }[]>;
    }>;
  }>;
}

/** `corev1.Namespace` with the fields that DNS needs. */
export interface DnsNamespace {
  readonly metadata?: Optional<ObjectMeta>;
}

/** The objects that a zone is built from. */
export interface DnsObjects {
  readonly services?: Iterable<DnsService>;
  /** Not read by CoreDNS up to 1.8.0, nor if `endpointSliceApi` is false in a release that evaluates it. */
  readonly endpointSlices?: Iterable<EndpointSliceInput>;
  /** Read instead of `endpointSlices` by the releases that do not read these. */
  readonly endpoints?: Iterable<EndpointsInput>;
  /** Read only with the CoreDNS setting `pods verified`. */
  readonly pods?: Iterable<Pod>;
  readonly namespaces?: Iterable<DnsNamespace>;
}
