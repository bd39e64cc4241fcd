/** How the names of pods by their addresses ("10-0-0-1.shop.pod.cluster.local") are answered: never, always, or for pods there are. */
export type PodMode = 'disabled' | 'insecure' | 'verified';

/** The options of CoreDNS' kubernetes plugin. */
export interface DnsConfig {
  /** Of CoreDNS: "1.8" to "1.14", or a patch release of one; the newest by default. */
  readonly release?: string;
  /** "cluster.local", "in-addr.arpa" and "ip6.arpa" by default. */
  readonly zones?: readonly string[];
  /** "disabled" by default. */
  readonly pods?: PodMode;
  /** `endpoint_pod_names`: an endpoint without a hostname is named after its pod. */
  readonly endpointPodNames?: boolean;
  /** Seconds, 0 to 3600; 5 by default. */
  readonly ttl?: number;
  /** `namespaces`: those that are visible; all by default. */
  readonly namespaces?: readonly string[];
  /** `ignore empty_service`: a Service with a cluster IP and no ready endpoint does not exist. */
  readonly ignoreEmptyService?: boolean;
  /** `noendpoints`: endpoints have no records, headless Services none at all. */
  readonly noEndpoints?: boolean;
  /** `fallthrough`: what does not exist is left to whoever comes next, in all zones (true) or in those named. */
  readonly fallthrough?: boolean | readonly string[];
  /** Addresses of the name server itself, for NS and the glue beside it. */
  readonly localIPs?: readonly string[];
}
