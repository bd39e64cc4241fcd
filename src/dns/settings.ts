import { strictIP } from '../apimachinery/index.ts';
import { type DnsProfile, dnsProfile } from './gates.ts';
import { absolute, lowered, problemOfName } from './name.ts';

/** A configuration that was read and found right. */
export interface Settings {
  readonly gates: DnsProfile;
  /** Origins in lower case, the longest first: the first that a name is below is its zone. */
  readonly zones: readonly string[];
  /** In the order of the configuration. */
  readonly origins: readonly string[];
  /** The first zone that is not below in-addr.arpa or ip6.arpa (either itself counts as a zone of names): reverse records lead to it. */
  readonly primary: string;
  readonly pods: PodMode;
  readonly endpointPodNames: boolean;
  readonly ttl: number;
  /** Undefined: all are visible. */
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly ignoreEmptyService: boolean;
  readonly noEndpoints: boolean;
  /** Zones whose missing names are left to others. */
  readonly fallthrough: readonly string[];
  readonly localIPs: readonly string[];
}

/**
 * Mirrors ParseStanza (CoreDNS 1.14, plugin/kubernetes/setup.go).
 * @throws RangeError that names the option
 */
export function readConfig(config: DnsConfig = {}): Settings {
  const origins = readZones('zones', config.zones ?? ['cluster.local', 'in-addr.arpa', 'ip6.arpa']);
  const primary = origins.find((zone) => !isReverseName(zone));
  if (primary === undefined) throw new RangeError('zones has no zone of names: give one that is not below in-addr.arpa or ip6.arpa');
  return {
    gates: dnsProfile(config.release),
    zones: [...origins].sort((a, b) => b.length - a.length),
    origins,
    primary,
    pods: readPods(config.pods),
    endpointPodNames: config.endpointPodNames ?? false,
    ttl: readTtl(config.ttl),
    namespaces: config.namespaces?.length ? new Set(config.namespaces) : undefined,
    ignoreEmptyService: config.ignoreEmptyService ?? false,
    noEndpoints: config.noEndpoints ?? false,
    fallthrough: readFallthrough(config.fallthrough),
    localIPs: (config.localIPs ?? []).map(readLocalIP),
  };
}

/** Whether the reverse names of addresses are there. Mirrors dnsutil.IsReverse (CoreDNS 1.14, plugin/pkg/dnsutil/reverse.go). */
export const isReverseName = (name: string): boolean => name.endsWith('.in-addr.arpa.') || name.endsWith('.ip6.arpa.');

function readZones(option: string, zones: readonly string[]): readonly string[] {
  return [...new Set(zones.map((zone) => readZone(option, zone)))];
}

function readZone(option: string, zone: string): string {
  const name = typeof zone === 'string' && zone !== '' ? lowered(absolute(zone)) : undefined;
  const problem = name === undefined ? 'it is no text' : zone.includes('/') ? 'it is a range of addresses' : problemOfName(name);
  if (name !== undefined && problem === undefined) return name;
  throw new RangeError(`${option} has ${JSON.stringify(zone)}: ${problem}; give a name, such as "cluster.local" or "10.in-addr.arpa"`);
}

function readPods(pods: PodMode = 'disabled'): PodMode {
  if (pods === 'disabled' || pods === 'insecure' || pods === 'verified') return pods;
  throw new RangeError(`pods is ${JSON.stringify(pods)}: give "disabled", "insecure" or "verified"`);
}

function readTtl(ttl: number = 5): number {
  if (Number.isInteger(ttl) && ttl >= 0 && ttl <= 3600) return ttl;
  throw new RangeError(`ttl is ${ttl}: give a whole number of seconds from 0 to 3600`);
}

function readFallthrough(zones: boolean | readonly string[] = false): readonly string[] {
  if (typeof zones === 'boolean') return zones ? ['.'] : [];
  return zones.length === 0 ? ['.'] : readZones('fallthrough', zones);
}

function readLocalIP(text: string): string {
  const address = typeof text === 'string' ? strictIP(text) : undefined;
  if (address !== undefined) return address;
  throw new RangeError(`localIPs has ${JSON.stringify(text)}: give an IP address`);
}

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
