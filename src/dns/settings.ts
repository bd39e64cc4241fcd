import { strictIP } from '../apimachinery/index.ts';
import { type DnsProfile, dnsProfile } from './gates.ts';
import { problemOfName, toFqdn, toLowerAscii } from './name.ts';

/** A validated configuration. */
export interface Settings {
  readonly gates: DnsProfile;
  /** Origins in lower case, longest first. The zone of a name is the first origin that contains it. */
  readonly zones: readonly string[];
  /** In the configured order. */
  readonly origins: readonly string[];
  /**
   * The zone of the names in reverse records. It is the first zone that is not below in-addr.arpa or ip6.arpa, but may be one of these two.
   */
  readonly primaryZone: string;
  readonly pods: PodMode;
  readonly endpointPodNames: boolean;
  readonly ttl: number;
  /** The visible namespaces; undefined if all are visible. */
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly ignoreEmptyService: boolean;
  readonly noEndpoints: boolean;
  /** Whether endpoints are read from Endpoints instead of EndpointSlices. */
  readonly readsEndpoints: boolean;
  /** Zones whose missing names fall through to the next plugin. */
  readonly fallthrough: readonly string[];
  readonly localIPs: readonly string[];
}

/**
 * Mirrors ParseStanza (CoreDNS 1.14, plugin/kubernetes/setup.go).
 * @param gates the behaviour of the release; by default that of the configured one
 * @throws RangeError that names the invalid option
 */
export function parseConfig(config: DnsConfig = {}, gates: DnsProfile = dnsProfile(config.release)): Settings {
  const origins = parseZones('zones', config.zones ?? ['cluster.local', 'in-addr.arpa', 'ip6.arpa']);
  const primaryZone = origins.find((zone) => !isReverseName(zone));
  if (primaryZone === undefined)
    throw new RangeError('zones contains only reverse zones: add one that is not below in-addr.arpa or ip6.arpa');
  return {
    gates,
    zones: [...origins].sort((a, b) => b.length - a.length),
    origins,
    primaryZone,
    pods: validatePodMode(config.pods),
    endpointPodNames: config.endpointPodNames ?? false,
    ttl: validateTtl(config.ttl),
    namespaces: config.namespaces?.length ? new Set(config.namespaces) : undefined,
    ignoreEmptyService: config.ignoreEmptyService ?? false,
    noEndpoints: config.noEndpoints ?? false,
    readsEndpoints: !gates.endpointSlicesRead || (!gates.endpointsIgnored && config.endpointSliceApi === false),
    fallthrough: parseFallthrough(config.fallthrough),
    localIPs: (config.localIPs ?? []).map(parseLocalIP),
  };
}

/** Whether a name is below a reverse zone. Mirrors dnsutil.IsReverse (CoreDNS 1.14, plugin/pkg/dnsutil/reverse.go). */
export const isReverseName = (name: string): boolean => name.endsWith('.in-addr.arpa.') || name.endsWith('.ip6.arpa.');

function parseZones(option: string, zones: readonly string[]): readonly string[] {
  return [...new Set(zones.map((zone) => parseZone(option, zone)))];
}

function parseZone(option: string, zone: string): string {
  const name = typeof zone === 'string' && zone !== '' ? toLowerAscii(toFqdn(zone)) : undefined;
  const problem =
    name === undefined
      ? 'it is not a non-empty string'
      : zone.includes('/')
        ? 'it is a range of addresses, not a name'
        : problemOfName(name);
  if (name !== undefined && problem === undefined) return name;
  throw new RangeError(`${option} contains ${JSON.stringify(zone)}: ${problem}; give a name such as "cluster.local" or "10.in-addr.arpa"`);
}

function validatePodMode(pods: PodMode = 'disabled'): PodMode {
  if (pods === 'disabled' || pods === 'insecure' || pods === 'verified') return pods;
  throw new RangeError(`pods is ${JSON.stringify(pods)}: give "disabled", "insecure" or "verified"`);
}

function validateTtl(ttl: number = 5): number {
  if (Number.isInteger(ttl) && ttl >= 0 && ttl <= 3600) return ttl;
  throw new RangeError(`ttl is ${ttl}: give a whole number of seconds from 0 to 3600`);
}

function parseFallthrough(zones: boolean | readonly string[] = false): readonly string[] {
  if (typeof zones === 'boolean') return zones ? ['.'] : [];
  return zones.length === 0 ? ['.'] : parseZones('fallthrough', zones);
}

function parseLocalIP(text: string): string {
  const address = typeof text === 'string' ? strictIP(text) : undefined;
  if (address !== undefined) return address;
  throw new RangeError(`localIPs contains ${JSON.stringify(text)}: give an IP address`);
}

/** Whether names of pod addresses ("10-0-0-1.shop.pod.cluster.local") are answered never, always, or only for existing pods. */
export type PodMode = 'disabled' | 'insecure' | 'verified';

/** The options of CoreDNS' kubernetes plugin. */
export interface DnsConfig {
  /** A release of CoreDNS: "1.6" to "1.15", or a patch release from 1.6.9 on; default: the newest. */
  readonly release?: string;
  /** Default: "cluster.local", "in-addr.arpa" and "ip6.arpa". */
  readonly zones?: readonly string[];
  /** Default: "disabled". */
  readonly pods?: PodMode;
  /** `endpoint_pod_names`: names an endpoint without a hostname after its pod. */
  readonly endpointPodNames?: boolean;
  /** Seconds, 0 to 3600; default: 5. */
  readonly ttl?: number;
  /** `namespaces`: the visible ones; default: all. */
  readonly namespaces?: readonly string[];
  /** `ignore empty_service`: returns NXDOMAIN for a Service that has a cluster IP but no ready endpoints. */
  readonly ignoreEmptyService?: boolean;
  /** `noendpoints`: endpoints have no records, so headless Services have none at all. */
  readonly noEndpoints?: boolean;
  /**
   * Whether Kubernetes is 1.19 or later and offers EndpointSlices. If false, CoreDNS 1.8.1 to 1.10 reads Endpoints; other releases do not
   * evaluate it. Default: true.
   */
  readonly endpointSliceApi?: boolean;
  /** `fallthrough`: passes names that do not exist to the next plugin, in all zones (true) or in the named ones. */
  readonly fallthrough?: boolean | readonly string[];
  /** Addresses of the name server itself, for NS records and their glue. */
  readonly localIPs?: readonly string[];
}
