import { type AnswerItem, createItemSet } from './answer-items.ts';
import type { SliceEntry } from './entries.ts';
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
 * The name servers of a zone: the Services whose endpoints include the server's own addresses, else these addresses themselves. Mirrors
 * nsAddrs (CoreDNS 1.14, plugin/kubernetes/ns.go).
 */
export function findNameServers({ settings, store }: ZoneData, zone: string): readonly NameServer[] {
  const servers: NameServer[] = [];
  let isEndpoint = false;
  for (const address of settings.localIPs) {
    for (const slice of new Set(findEndpoints(store, address).map((endpoint) => endpoint.slice))) {
      isEndpoint = true;
      const service = store.bucket(bucketKey(slice.namespace, slice.service))?.service;
      if (!service) continue;
      const name = joinName(`${service.name}.${service.namespace}.svc`, zone);
      servers.push(
        ...(service.headless ? listSliceServers(slice, name) : service.hosts.map((host) => ({ name, host: addressOnly(host) }))),
      );
    }
  }
  const usesDefaultServer = settings.gates.orphanEndpointsHideServer ? !isEndpoint : servers.length === 0;
  return usesDefaultServer
    ? settings.localIPs.map((address) => ({ name: joinName(defaultName, zone), host: parseHost(address) }))
    : servers;
}

/**
 * Whether a name is that of the default name server, ns.dns. Mirrors isDefaultNS (CoreDNS 1.14), which is never true for a zone in
 * capitals.
 */
export const isDefaultServer = ({ lower, zone }: QueryName): boolean =>
  lower.startsWith(`${defaultName}.`) && lower.indexOf(zone) === defaultName.length + 1;

/** Addresses of all name servers, under the default server's name. For types other than A and AAAA there are no addresses. */
export function lookUpServers(zoneData: ZoneData, { zone }: QueryName, type: string): LookupResult {
  const servers = findNameServers(zoneData, zone).filter(({ host }) => (host.type === 'A' ? 'A' : 'AAAA') === type);
  const items = servers.map(({ host }): AnswerItem => ({ host, port: 0, owner: defaultName }));
  return { exists: true, itemSet: createItemSet(items), reason: createReason('NameServer', {}) };
}

/** A name relative to a zone, made absolute. */
export const joinName = (relative: string, zone: string): string => (zone === '.' ? `${relative}.` : `${relative}.${zone}`);

const defaultName = 'ns.dns';

const listSliceServers = ({ addresses }: SliceEntry, service: string): NameServer[] =>
  addresses.map(({ host, label }) => ({ name: `${label}.${service}`, host: addressOnly(host) }));

/** Upstream a host that is not an address becomes a nil IP, which Go prints as <nil>. */
const addressOnly = (host: Host): Host => (host.type === 'CNAME' ? parseHost('<nil>') : host);
