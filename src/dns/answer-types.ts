import type { DnsRecord } from './answer.ts';
import { getSrv, type ItemSet } from './answer-items.ts';
import { type CnameChase, createHostRecords, lookUpHost, resolveAddressRecords } from './chase.ts';
import { lookUpName } from './lookup.ts';
import { findNameServers, isDefaultServer, joinName } from './name-servers.ts';
import { createReason, type DnsReason } from './reasons.ts';
import type { QueryName } from './request.ts';
import { lookUpAddress, parseReverseName } from './reverse.ts';
import type { LookupResult, ZoneData } from './zone-data.ts';

/** The answer for one record type at a name. `exists` without records means NODATA. */
export interface TypeAnswer {
  readonly exists: boolean;
  readonly records: readonly DnsRecord[];
  readonly additional?: readonly DnsRecord[];
  readonly reason: DnsReason;
  /** The name exists but CoreDNS cannot build the answer: SERVFAIL. */
  readonly isUnanswerable?: boolean;
}

/**
 * Mirrors A and AAAA (CoreDNS 1.14, plugin/backend_lookup.go).
 *
 * @param startChase called only if there are CNAME targets to follow
 */
export function answerAddresses(zoneData: ZoneData, query: QueryName, type: 'A' | 'AAAA', startChase: () => CnameChase): TypeAnswer {
  const lookup = lookUpHost(zoneData, query, type);
  const { exists, itemSet, reason } = lookup;
  if (!exists) return createNxdomainAnswer(lookup);
  const records =
    itemSet.names.length > 0
      ? resolveAddressRecords(startChase(), query, lookup)
      : createHostRecords(query.name, zoneData.settings.ttl, type, itemSet);
  return { exists, records, reason: records.length > 0 ? reason : explainMissingType(query, lookup, type) };
}

/** Mirrors SRV (CoreDNS 1.14). The additional section holds the targets' addresses. */
export function answerSrv(zoneData: ZoneData, query: QueryName): TypeAnswer {
  const lookup = lookUpHost(zoneData, query, 'SRV');
  if (!lookup.exists) return createNxdomainAnswer(lookup);
  const { ttl, gates } = zoneData.settings;
  const { weight, targets, glue } = getSrv(lookup.itemSet, gates);
  const qualify = (owner: string): string => joinName(owner, query.zone);
  const records = targets.map(
    ({ owner, port }): DnsRecord => ({ name: query.name, ttl, type: 'SRV', priority: 0, weight, port, target: qualify(owner) }),
  );
  const additional = glue.map(({ owner, host: { type, data } }): DnsRecord => createAddressRecord(qualify(owner), ttl, type, data));
  return { exists: true, records, additional, reason: records.length > 0 ? lookup.reason : explainMissingType(query, lookup, 'SRV') };
}

/** A CNAME if the first item found is a name. Mirrors CNAME (CoreDNS 1.14). */
export function answerCname(zoneData: ZoneData, query: QueryName): TypeAnswer {
  const lookup = lookUpHost(zoneData, query, 'CNAME');
  if (!lookup.exists) return createNxdomainAnswer(lookup);
  const host = lookup.itemSet.items[0]?.host;
  if (host?.type !== 'CNAME') return { exists: true, records: [], reason: explainMissingType(query, lookup, 'CNAME') };
  return {
    exists: true,
    records: [{ name: query.name, ttl: zoneData.settings.ttl, type: 'CNAME', target: host.data }],
    reason: lookup.reason,
  };
}

/** The names of an address. Mirrors PTR and Reverse (CoreDNS 1.14, plugin/kubernetes/reverse.go). */
export function answerPtr(zoneData: ZoneData, query: QueryName): TypeAnswer {
  const address = parseReverseName(query.lower);
  if (address === undefined) return answerWithoutRecords(query, lookUpName(zoneData, query), 'PTR');
  const { targets, reason } = lookUpAddress(zoneData, address);
  const records = targets.map((target): DnsRecord => ({ name: query.name, ttl: zoneData.settings.ttl, type: 'PTR', target }));
  return { exists: records.length > 0, records, reason };
}

/** The only TXT record: the version of the DNS schema. Mirrors the TXT case of Services (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function answerTxt(zoneData: ZoneData, query: QueryName): TypeAnswer {
  if (query.base === 'dns-version') {
    const records: DnsRecord[] = [{ name: query.name, ttl: 28_800, type: 'TXT', texts: ['1.1.0'] }];
    return { exists: true, records, reason: createReason('SchemaVersion', {}) };
  }
  const lookup = lookUpName(zoneData, query);
  if (lookup.itemSet.items.length > 0 || !zoneData.settings.gates.missingTextIsNxdomain) {
    return { exists: true, records: [], reason: createReason('TextHasNoRecord', { zone: query.zone }) };
  }
  return { exists: false, records: [], reason: lookup.exists ? createReason('TextNotFound', { name: query.name }) : lookup.reason };
}

/** The name servers, with their addresses in the additional section. Mirrors NS (CoreDNS 1.14, plugin/backend_lookup.go). */
export function answerNs(zoneData: ZoneData, query: QueryName): TypeAnswer {
  const servers = findNameServers(zoneData, query.zone);
  const { ttl } = zoneData.settings;
  if (servers.some(({ host }) => host.type === 'CNAME')) {
    return { exists: true, isUnanswerable: true, records: [], reason: createReason('NameServerHasNoAddress', {}) };
  }
  const names = new Set(servers.map(({ name }) => name));
  const records = [...names].map((target): DnsRecord => ({ name: query.name, ttl, type: 'NS', target }));
  const additional = servers.map(({ name, host: { type, data } }) => createAddressRecord(name, ttl, type, data));
  return { exists: true, records, additional, reason: createReason(records.length > 0 ? 'NameServer' : 'NameServerUnknown', {}) };
}

/** Answers types for which this zone has no records: NODATA if the name exists, else NXDOMAIN. */
export const answerOtherTypes = (zoneData: ZoneData, query: QueryName, type: string): TypeAnswer =>
  answerWithoutRecords(query, isDefaultServer(query) ? lookUpHost(zoneData, query, type) : lookUpName(zoneData, query), type);

export const createAddressRecord = (name: string, ttl: number, type: string, address: string): DnsRecord => ({
  name,
  ttl,
  type: type === 'A' ? 'A' : 'AAAA',
  address,
});

const createNxdomainAnswer = ({ reason }: LookupResult): TypeAnswer => ({ exists: false, records: [], reason });

const answerWithoutRecords = (query: QueryName, lookup: LookupResult, type: string): TypeAnswer =>
  lookup.exists ? { exists: true, records: [], reason: explainMissingType(query, lookup, type) } : createNxdomainAnswer(lookup);

/** Explains why an existing name has no record of a type. */
function explainMissingType({ name, lower }: QueryName, { itemSet, reason }: LookupResult, type: string): DnsReason {
  if (itemSet.items.length === 0)
    return reason.code === 'NameServer' ? createReason('NoRecordOfType', { name, type, types: 'others' }) : reason;
  if (reason.code === 'ExternalName') {
    const isSelfReference = itemSet.names.some((target) => target.toLowerCase() === lower);
    return { code: isSelfReference ? 'ExternalNameIsItself' : 'ExternalNameHasNoRecord', values: { ...reason.values, type } };
  }
  const types = listTypes(itemSet);
  if (type === 'SRV' && !types.includes('SRV')) return createReason('ServiceHasNoPorts', { name });
  return createReason('NoRecordOfType', { name, type, types: types.join(' and ') });
}

function listTypes(itemSet: ItemSet): string[] {
  const types: string[] = [];
  if (itemSet.ipv4.length > 0) types.push('A');
  if (itemSet.ipv6.length > 0) types.push('AAAA');
  if (itemSet.names.length > 0) types.push('CNAME');
  if (itemSet.items.some(({ port, host }) => port !== -1 && host.type !== 'CNAME')) types.push('SRV');
  return types;
}
