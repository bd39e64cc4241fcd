import { compareText, parseIP, strictIP } from '../apimachinery/index.ts';
import type { ServiceEntry } from './entries.ts';
import { formatList } from './lookup.ts';
import { createReason, type DnsReason } from './reasons.ts';
import type { EndpointOfAddress, Store } from './store.ts';
import { explainHiddenNamespace, type ZoneData } from './zone-data.ts';

/** The names of an address. */
export interface ReverseLookup {
  /** Absolute. */
  readonly targets: readonly string[];
  readonly reason: DnsReason;
}

/**
 * Returns the address of a reverse name; undefined if the name is not one. Mirrors ExtractAddressFromReverse (CoreDNS 1.14,
 * plugin/pkg/dnsutil/reverse.go): up to three extra labels left of the 32 of an IPv6 name are ignored.
 */
export function parseReverseName(lowerCaseName: string): string | undefined {
  if (lowerCaseName.endsWith(ip4Suffix)) {
    const address = strictIP(lowerCaseName.slice(0, -ip4Suffix.length).split('.').reverse().join('.'));
    return address?.includes(':') ? undefined : address;
  }
  if (!lowerCaseName.endsWith(ip6Suffix)) return undefined;
  const labels = lowerCaseName.slice(0, -ip6Suffix.length).split('.').reverse();
  const groups = Array.from({ length: Math.floor(labels.length / 4) }, (_, i) => labels.slice(i * 4, i * 4 + 4).join(''));
  return strictIP(groups.join(':'));
}

/**
 * The reverse name of an address: "1.0.0.10.in-addr.arpa."; for IPv6, its 32 hex digits in reverse order. @throws RangeError if `address`
 * is not an IP address
 */
export function reverseName(address: string): string {
  const ip = parseIP(address);
  if (!ip) throw new RangeError(`${JSON.stringify(address)} is not an IP address`);
  if (ip.family === 'IPv6') return `${[...ip.value.toString(16).padStart(32, '0')].reverse().join('.')}${ip6Suffix}`;
  return `${[0n, 8n, 16n, 24n].map((shift) => (ip.value >> shift) & 0xffn).join('.')}${ip4Suffix}`;
}

/** Mirrors serviceRecordForIP (CoreDNS 1.14, plugin/kubernetes/reverse.go): the Service with this address, else the endpoints with it. */
export function lookUpAddress(zoneData: ZoneData, address: string): ReverseLookup {
  const { settings, store } = zoneData;
  const service = findService(zoneData, address);
  if (service) {
    const code = service.hosts.some(({ text }) => text === address) ? 'ReverseService' : 'ReverseExternal';
    const reason = createReason(code, { address, service: service.key });
    return { targets: [`${service.name}.${service.namespace}.svc.${settings.primaryZone}`], reason };
  }
  const endpoints = findEndpoints(store, address).filter(
    ({ source, address: { hasHostname } }) =>
      isVisible(zoneData, source.namespace) && (hasHostname || !settings.gates.onlyHostnamesReversed),
  );
  if (endpoints.length === 0) return { targets: [], reason: createReason('AddressNotFound', { address }) };
  const targets = endpoints.map(
    ({ source, address: { label } }) => `${label}.${source.service}.${source.namespace}.svc.${settings.primaryZone}`,
  );
  const services = formatList([...new Set(endpoints.map(({ source }) => `${source.namespace}/${source.service}`))]);
  return { targets: [...new Set(targets)], reason: createReason('ReverseEndpoint', { address, services }) };
}

/** Endpoints with an address, sorted by the name of their slice. */
export function findEndpoints(store: Store, address: string): readonly EndpointOfAddress[] {
  const endpoints = [...store.endpointsByAddress.get(address)];
  return endpoints.length > 1 ? endpoints.sort((a, b) => compareText(a.source.key, b.source.key)) : endpoints;
}

const ip4Suffix = '.in-addr.arpa.';
const ip6Suffix = '.ip6.arpa.';

/** Finds the visible Service with an address; if there are several, the first by key. */
function findService(zoneData: ZoneData, address: string): ServiceEntry | undefined {
  const { settings, store } = zoneData;
  let firstService: ServiceEntry | undefined;
  const considerServices = (services: Iterable<ServiceEntry>): void => {
    for (const service of services) {
      if ((firstService === undefined || service.key < firstService.key) && isVisible(zoneData, service.namespace)) firstService = service;
    }
  };
  considerServices(store.servicesByClusterIP.get(address));
  if (!settings.gates.externalAddressesNotReversed) considerServices(store.servicesByExternalAddress.get(address));
  return firstService;
}

/** Without configured namespaces, names in namespaces that do not exist are answered as well. */
const isVisible = (zoneData: ZoneData, namespace: string): boolean =>
  !zoneData.settings.namespaces || explainHiddenNamespace(zoneData, namespace) === undefined;
