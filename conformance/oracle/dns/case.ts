import type { DnsQuestion } from 'kube-endpoints/dns';
import type { DnsNamespace, DnsService, PodMode } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Pod } from 'kube-endpoints/types';

/** A cluster, the plugin's options, and questions. */
export interface DnsCase {
  readonly id: string;
  /** The zone of Services; "in-addr.arpa" and "ip6.arpa" are added. */
  readonly zone: string;
  /** All zones, if they differ from these three. */
  readonly zones?: readonly string[];
  readonly podMode: PodMode;
  /** `endpoint_pod_names` */
  readonly endpointNameMode: boolean;
  readonly ttl: number;
  readonly namespaces?: readonly string[];
  readonly ignoreEmptyService?: boolean;
  readonly noEndpoints?: boolean;
  /** False if the cluster has no EndpointSlices that CoreDNS 1.8 to 1.10 can read. */
  readonly endpointSliceApi?: boolean;
  readonly fallthrough?: boolean | readonly string[];
  readonly localIPs?: readonly string[];
  /** Records outside the cluster, in presentation form: "db.example.com. 60 IN A 192.0.2.10". Names without a record do not exist. */
  readonly upstream?: readonly string[];
  readonly objects: {
    readonly services: readonly DnsService[];
    readonly endpointSlices: readonly EndpointSliceInput[];
    readonly endpoints: readonly EndpointsInput[];
    readonly pods: readonly Pod[];
    readonly namespaces: readonly DnsNamespace[];
  };
  readonly queries: readonly DnsQuestion[];
  /** Zones to transfer. */
  readonly transfers?: readonly string[];
}

/** Records are sorted and in presentation form, with single spaces. */
export interface DnsOutcome {
  readonly name: string;
  readonly type: string;
  readonly rcode: string;
  /** The flag "authoritative answer". */
  readonly aa: boolean;
  readonly answer: readonly string[];
  /** The authority section. */
  readonly ns: readonly string[];
  /** The additional section. */
  readonly extra: readonly string[];
  /** The plugin's error or panic: nothing is compared. */
  readonly error?: string;
}

export interface DnsTransfer {
  readonly zone: string;
  /** Null if the release never completes the transfer. */
  readonly records: readonly string[] | null;
}

export interface DnsCaseAnswer {
  readonly id: string;
  readonly answers?: readonly DnsOutcome[];
  readonly transfers?: readonly DnsTransfer[];
  /** Set if the release does not accept the objects. */
  readonly error?: string;
}
