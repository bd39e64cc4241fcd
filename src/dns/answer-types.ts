import type { DnsRecord } from './answer.ts';
import { addressRecords, type Chase, hostRecords, lookUpHosts } from './chase.ts';
import { type Found, srvOf } from './found.ts';
import { lookUp } from './lookup.ts';
import { below, isDefaultServer, nameServers } from './name-servers.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import type { Asked } from './request.ts';
import { addressOfReverse, lookUpAddress } from './reverse.ts';
import type { Lookup, World } from './world.ts';

/** The answer for one record type at a name. `exists` without records means NODATA. */
export interface TypeAnswer {
  readonly exists: boolean;
  readonly records: readonly DnsRecord[];
  readonly additional?: readonly DnsRecord[];
  readonly reason: DnsReason;
  /** The name exists but CoreDNS cannot build the answer: SERVFAIL. */
  readonly broken?: boolean;
}

/**
 * Mirrors A and AAAA (CoreDNS 1.14, plugin/backend_lookup.go).
 *
 * @param chase called only if there are CNAME targets to follow
 */
export function answerAddresses(world: World, asked: Asked, type: 'A' | 'AAAA', chase: () => Chase): TypeAnswer {
  const lookup = lookUpHosts(world, asked, type);
  const { exists, found, reason } = lookup;
  if (!exists) return missing(lookup);
  const records =
    found.names.length > 0 ? addressRecords(chase(), asked, lookup) : hostRecords(asked.name, world.settings.ttl, type, found);
  return { exists, records, reason: records.length > 0 ? reason : withoutRecords(asked, lookup, type) };
}

/** Mirrors SRV (CoreDNS 1.14). The additional section holds the targets' addresses. */
export function answerSrv(world: World, asked: Asked): TypeAnswer {
  const lookup = lookUpHosts(world, asked, 'SRV');
  if (!lookup.exists) return missing(lookup);
  const { ttl } = world.settings;
  const { weight, targets, glue } = srvOf(lookup.found);
  const name = (owner: string): string =>
    below(!owner.startsWith('.') || !world.settings.gates.emptyLabelsDropped ? owner : owner.slice(1), asked.zone);
  const records = targets.map(
    ({ owner, port }): DnsRecord => ({ name: asked.name, ttl, type: 'SRV', priority: 0, weight, port, target: name(owner) }),
  );
  const additional = glue.map(({ owner, host: { type, data } }): DnsRecord => addressRecord(name(owner), ttl, type, data));
  return { exists: true, records, additional, reason: records.length > 0 ? lookup.reason : withoutRecords(asked, lookup, 'SRV') };
}

/** A CNAME if the first item found is a name. Mirrors CNAME (CoreDNS 1.14). */
export function answerCname(world: World, asked: Asked): TypeAnswer {
  const lookup = lookUpHosts(world, asked, 'CNAME');
  if (!lookup.exists) return missing(lookup);
  const host = lookup.found.items[0]?.host;
  if (host?.type !== 'CNAME') return { exists: true, records: [], reason: withoutRecords(asked, lookup, 'CNAME') };
  return {
    exists: true,
    records: [{ name: asked.name, ttl: world.settings.ttl, type: 'CNAME', target: host.data }],
    reason: lookup.reason,
  };
}

/** The names of an address. Mirrors PTR and Reverse (CoreDNS 1.14, plugin/kubernetes/reverse.go). */
export function answerPtr(world: World, asked: Asked): TypeAnswer {
  const address = addressOfReverse(asked.lower);
  if (address === undefined) return answerNothing(asked, lookUp(world, asked), 'PTR');
  const { targets, reason } = lookUpAddress(world, address);
  const records = targets.map((target): DnsRecord => ({ name: asked.name, ttl: world.settings.ttl, type: 'PTR', target }));
  return { exists: records.length > 0, records, reason };
}

/** The only TXT record: the version of the DNS schema. Mirrors the TXT case of Services (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function answerTxt(world: World, asked: Asked): TypeAnswer {
  if (asked.base === 'dns-version') {
    const records: DnsRecord[] = [{ name: asked.name, ttl: 28_800, type: 'TXT', texts: ['1.1.0'] }];
    return { exists: true, records, reason: reasonOf('SchemaVersion', {}) };
  }
  const lookup = lookUp(world, asked);
  if (lookup.found.items.length > 0 || !world.settings.gates.textOfNothing) {
    return { exists: true, records: [], reason: reasonOf('TextHasNoRecord', { zone: asked.zone }) };
  }
  return { exists: false, records: [], reason: lookup.exists ? reasonOf('TextNotFound', { name: asked.name }) : lookup.reason };
}

/** The name servers, with their addresses in the additional section. Mirrors NS (CoreDNS 1.14, plugin/backend_lookup.go). */
export function answerNs(world: World, asked: Asked): TypeAnswer {
  const servers = nameServers(world, asked.zone);
  const { ttl, gates } = world.settings;
  if (servers.some(({ host }) => host.type === 'CNAME')) {
    return { exists: true, broken: true, records: [], reason: reasonOf('NameServerHasNoAddress', {}) };
  }
  const names = new Set(servers.map(({ name }) => name));
  const records = [...names].map((target): DnsRecord => ({ name: asked.name, ttl, type: 'NS', target }));
  const additional = servers.map(({ name, host: { text, type, data } }) => addressRecord(gates.glueNamed ? name : text, ttl, type, data));
  return { exists: true, records, additional, reason: reasonOf(records.length > 0 ? 'NameServer' : 'NameServerUnknown', {}) };
}

/** Types without records here: NODATA if the name exists, else NXDOMAIN. */
export const answerOthers = (world: World, asked: Asked, type: string): TypeAnswer =>
  answerNothing(asked, isDefaultServer(asked) ? lookUpHosts(world, asked, type) : lookUp(world, asked), type);

export const addressRecord = (name: string, ttl: number, type: string, address: string): DnsRecord => ({
  name,
  ttl,
  type: type === 'A' ? 'A' : 'AAAA',
  address,
});

const missing = ({ reason }: Lookup): TypeAnswer => ({ exists: false, records: [], reason });

const answerNothing = (asked: Asked, lookup: Lookup, type: string): TypeAnswer =>
  lookup.exists ? { exists: true, records: [], reason: withoutRecords(asked, lookup, type) } : missing(lookup);

/** Why an existing name has no record of this type. */
function withoutRecords({ name, lower }: Asked, { found, reason }: Lookup, type: string): DnsReason {
  if (found.items.length === 0) return reason.code === 'NameServer' ? reasonOf('NoRecordOfType', { name, type, types: 'others' }) : reason;
  if (reason.code === 'ExternalName') {
    const itself = found.names.some((target) => target.toLowerCase() === lower);
    return { code: itself ? 'ExternalNameIsItself' : 'ExternalNameHasNoRecord', values: { ...reason.values, type } };
  }
  const types = typesOf(found);
  if (type === 'SRV' && !types.includes('SRV')) return reasonOf('ServiceHasNoPorts', { name });
  return reasonOf('NoRecordOfType', { name, type, types: types.join(' and ') });
}

function typesOf(found: Found): string[] {
  const types: string[] = [];
  if (found.ipv4.length > 0) types.push('A');
  if (found.ipv6.length > 0) types.push('AAAA');
  if (found.names.length > 0) types.push('CNAME');
  if (found.items.some(({ port, host }) => port !== -1 && host.type !== 'CNAME')) types.push('SRV');
  return types;
}
