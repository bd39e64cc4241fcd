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
 * The name servers of a zone: the Services that have the server's own addresses for endpoints, or else these addresses
 * themselves. Mirrors nsAddrs (CoreDNS 1.14, plugin/kubernetes/ns.go).
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

/** Whether a name is that of the name server without a Service. Mirrors isDefaultNS (CoreDNS 1.14): a zone in capitals has none. */
export const isDefaultServer = ({ lower, zone }: Asked): boolean =>
  lower.startsWith(`${defaultName}.`) && lower.indexOf(zone) === defaultName.length + 1;

/** Addresses of the name servers under the name of the default one, whatever they are called; other types have none. */
export function lookUpServers(world: World, { zone }: Asked, type: string): Lookup {
  const servers = nameServers(world, zone).filter(({ host }) => (host.type === 'A' ? 'A' : 'AAAA') === type);
  const items = servers.map(({ host }): Item => ({ host, port: 0, owner: defaultName }));
  return { exists: true, found: foundItems(items), reason: reasonOf('NameServer', {}) };
}

/** A name below a zone. */
export const below = (relative: string, zone: string): string => (zone === '.' ? `${relative}.` : `${relative}.${zone}`);

const defaultName = 'ns.dns';

const serversOfSlice = ({ addresses }: SliceEntry, service: string): NameServer[] =>
  addresses.map(({ host, label }) => ({ name: `${label}.${service}`, host: addressOnly(host) }));

/** What is no address is a nil one there, which Go prints so. */
const addressOnly = (host: Host): Host => (host.type === 'CNAME' ? hostOf('<nil>') : host);
