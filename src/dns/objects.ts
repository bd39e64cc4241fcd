import type { EndpointSliceInput, ObjectMeta, Optional, Pod, Service } from '../types/index.ts';

/** `corev1.Service` with all that its records are made of. */
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

/** `corev1.Namespace`, as far as names are concerned. */
export interface DnsNamespace {
  readonly metadata?: Optional<ObjectMeta>;
}

/** What a zone is made of. */
export interface DnsObjects {
  readonly services?: Iterable<DnsService>;
  readonly endpointSlices?: Iterable<EndpointSliceInput>;
  /** Looked at where pods are `verified`. */
  readonly pods?: Iterable<Pod>;
  readonly namespaces?: Iterable<DnsNamespace>;
}
