import { type AnswerItem, createItemSet } from './answer-items.ts';
import type { EndpointsEntry } from './entries.ts';
import { type Host, parseHost } from './name.ts';
import { createReason } from './reasons.ts';
import type { QueryName } from './request.ts';
import { findEndpoints } from './reverse.ts';
import { bucketKey } from './store.ts';
import type { LookupResult, ZoneData } from './zone-data.ts';

/** An address of a name server. */
export interface NameServer {
  /** Absolute. */
  readonly name: string;
  readonly host: Host;
}

/**
 * Finds the name servers of a zone: the Services whose endpoints include the server's own addresses, else these addresses themselves. From
 * 1.9.1 on, finds none if the addresses are endpoints only of Services that do not exist. Mirrors nsAddrs (CoreDNS 1.14,
 * plugin/kubernetes/ns.go).
 */
export function findNameServers({ settings, store }: ZoneData, zone: string): readonly NameServer[] {
  const servers: NameServer[] = [];
  let isEndpoint = false;
  for (const address of settings.localIPs) {
    for (const source of new Set(findEndpoints(store, address).map((endpoint) => endpoint.source))) {
      isEndpoint = true;
      const service = store.getBucket(bucketKey(source.namespace, source.service))?.service;
      if (!service) continue;
      const name = joinName(`${service.name}.${service.namespace}.svc`, zone);
      servers.push(
        ...(service.isHeadless ? listEndpointServers(source, name) : service.hosts.map((host) => ({ name, host: toAddressHost(host) }))),
      );
    }
  }
  const usesDefaultServer = settings.gates.orphanEndpointsHideServer ? !isEndpoint : servers.length === 0;
  return usesDefaultServer
    ? settings.localIPs.map((address) => ({ name: joinName(defaultServerName, zone), host: parseHost(address) }))
    : servers;
}

/**
 * Whether a name is that of the default name server, ns.dns. Mirrors isDefaultNS (CoreDNS 1.14), which is never true for a zone in
 * capitals.
 */
export const isDefaultServer = ({ lower, zone }: QueryName): boolean =>
  lower.startsWith(`${defaultServerName}.`) && lower.indexOf(zone) === defaultServerName.length + 1;

/** Addresses of all name servers, under the default server's name. For types other than A and AAAA there are no addresses. */
export function lookUpServers(zoneData: ZoneData, { zone }: QueryName, type: string): LookupResult {
  const servers = findNameServers(zoneData, zone).filter(({ host }) => (host.type === 'A' ? 'A' : 'AAAA') === type);
  const items = servers.map(({ host }): AnswerItem => ({ host, port: 0, owner: defaultServerName }));
  return { exists: true, itemSet: createItemSet(items), reason: createReason('NameServer', {}) };
}

/** Makes a name that is relative to a zone absolute. */
export const joinName = (relative: string, zone: string): string => (zone === '.' ? `${relative}.` : `${relative}.${zone}`);

const defaultServerName = 'ns.dns';

const listEndpointServers = ({ subsets }: EndpointsEntry, service: string): NameServer[] =>
  subsets.flatMap(({ addresses }) => addresses.map(({ host, label }) => ({ name: `${label}.${service}`, host: toAddressHost(host) })));

/** Replaces a host that is not an address by <nil>: upstream parses such a host to a nil IP, which Go prints so. */
const toAddressHost = (host: Host): Host => (host.type === 'CNAME' ? parseHost('<nil>') : host);
