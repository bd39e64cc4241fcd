import type { SliceEntry } from './entries.ts';
import { foundItems, type Item } from './found.ts';
import { type Host, hostOf } from './name.ts';
import { reasonOf } from './reasons.ts';
import type { Asked } from './request.ts';
import { endpointsAt } from './reverse.ts';
import { bucketKey } from './store.ts';
import type { Lookup, World } from './world.ts';

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
export function nameServers({ settings, store }: World, zone: string): readonly NameServer[] {
  const servers: NameServer[] = [];
  let found = false;
  for (const address of settings.localIPs) {
    for (const slice of new Set(endpointsAt(store, address).map((endpoint) => endpoint.slice))) {
      found = true;
      const service = store.bucket(bucketKey(slice.namespace, slice.service))?.service;
      if (!service) continue;
      const name = below(`${service.name}.${service.namespace}.svc`, zone);
      servers.push(...(service.headless ? serversOfSlice(slice, name) : service.hosts.map((host) => ({ name, host: addressOnly(host) }))));
    }
  }
  const own = settings.gates.strangersHideServer ? !found : servers.length === 0;
  return own ? settings.localIPs.map((address) => ({ name: below(defaultName, zone), host: hostOf(address) })) : servers;
}

/**
 * Whether a name is that of the default name server, ns.dns. Mirrors isDefaultNS (CoreDNS 1.14), which is never true for a zone in
 * capitals.
 */
export const isDefaultServer = ({ lower, zone }: Asked): boolean =>
  lower.startsWith(`${defaultName}.`) && lower.indexOf(zone) === defaultName.length + 1;

/** Addresses of all name servers, under the default server's name. Types other than A and AAAA find none. */
export function lookUpServers(world: World, { zone }: Asked, type: string): Lookup {
  const servers = nameServers(world, zone).filter(({ host }) => (host.type === 'A' ? 'A' : 'AAAA') === type);
  const items = servers.map(({ host }): Item => ({ host, port: 0, owner: defaultName }));
  return { exists: true, found: foundItems(items), reason: reasonOf('NameServer', {}) };
}

/** A name relative to a zone, made absolute. */
export const below = (relative: string, zone: string): string => (zone === '.' ? `${relative}.` : `${relative}.${zone}`);

const defaultName = 'ns.dns';

const serversOfSlice = ({ addresses }: SliceEntry, service: string): NameServer[] =>
  addresses.map(({ host, label }) => ({ name: `${label}.${service}`, host: addressOnly(host) }));

/** Upstream a host that is not an address becomes a nil IP, which Go prints as <nil>. */
const addressOnly = (host: Host): Host => (host.type === 'CNAME' ? hostOf('<nil>') : host);
