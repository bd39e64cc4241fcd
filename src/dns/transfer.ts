import { compareText } from '../apimachinery/index.ts';
import type { DnsRecord } from './answer.ts';
import { computeSrvWeight } from './answer-items.ts';
import { createAddressRecord } from './answer-types.ts';
import { createSoaRecord } from './answerer.ts';
import { type Bucket, getSubsets } from './bucket.ts';
import type { EntryPort, EntrySubset, ServiceEntry } from './entries.ts';
import { toLowerAscii } from './name.ts';
import { findNameServers, joinName } from './name-servers.ts';
import { explainHiddenNamespace, type ZoneData } from './zone-data.ts';

/**
 * Yields all records of a zone, the SOA first and last. Mirrors Transfer (CoreDNS 1.8.6 to 1.12.1, plugin/kubernetes/xfr.go). Later
 * releases repeat all records for each further address of the name server, and never finish if it has no address.
 */
export function* transferZone(zoneData: ZoneData, zone: string, serial: number): Generator<DnsRecord, void, undefined> {
  const soa = createSoaRecord(zone, zoneData.settings.ttl, serial);
  yield soa;
  if (zoneData.settings.gates.transferIncludesNameServers) yield* createServerRecords(zoneData, zone);
  const buckets = [...zoneData.store.listBuckets()].sort(compareBuckets);
  for (const bucket of buckets) {
    if (bucket.service && !explainHiddenNamespace(zoneData, bucket.namespace))
      yield* createServiceRecords(zoneData, zone, bucket, bucket.service);
  }
  yield soa;
}

/** Yields the NS records and the addresses of the name servers. As upstream, the address records have TTL 0. */
function* createServerRecords(zoneData: ZoneData, zone: string): Generator<DnsRecord> {
  const { ttl } = zoneData.settings;
  const servers = findNameServers(zoneData, zone).filter(({ host }) => host.type !== 'CNAME');
  for (const target of new Set(servers.map(({ name }) => name))) yield { name: zone, ttl, type: 'NS', target };
  for (const { name, host } of servers) yield createAddressRecord(name, 0, host.type, host.data);
}

function* createServiceRecords(zoneData: ZoneData, zone: string, bucket: Bucket, service: ServiceEntry): Generator<DnsRecord> {
  const { ttl } = zoneData.settings;
  const name = joinName(`${service.name}.${service.namespace}.svc`, zone);
  if (service.externalName) {
    if (service.externalName.type === 'CNAME') yield { name, ttl, type: 'CNAME', target: service.externalName.data };
  } else if (service.hosts[0]?.type !== 'CNAME') yield* createClusterRecords(service, name, ttl);
  else for (const subset of getSubsets(bucket)) yield* createEndpointRecords(subset, name, zoneData);
}

/**
 * Yields the addresses, and for each port an SRV record under the Service's name, which some clients query, and one under the port's name
 * if it has one. As upstream, port -1 (no ports) becomes 65535.
 */
function* createClusterRecords({ hosts, ports }: ServiceEntry, name: string, ttl: number): Generator<DnsRecord> {
  for (const { type, data } of hosts) if (type !== 'CNAME') yield createAddressRecord(name, ttl, type, data);
  const target = hosts.at(-1)?.type === 'CNAME' ? '.' : name;
  for (const entry of ports) {
    const srv = { ttl, type: 'SRV', priority: 0, weight: 100, port: entry.port & 0xffff, target } as const;
    yield { name, ...srv };
    if (entry.name !== '') yield { name: formatPortName(entry, name), ...srv };
  }
}

function* createEndpointRecords({ addresses, ports }: EntrySubset, service: string, { settings }: ZoneData): Generator<DnsRecord> {
  const { ttl, gates } = settings;
  const weight = computeSrvWeight(addresses.length, gates);
  for (const { host, label } of addresses) {
    const name = label === '' ? service : `${label}.${service}`;
    if (host.type !== 'CNAME') {
      yield createAddressRecord(service, ttl, host.type, host.data);
      yield createAddressRecord(name, ttl, host.type, host.data);
    }
    const target = host.type === 'CNAME' ? '.' : name;
    for (const entry of ports) {
      if (entry.name === '') continue;
      yield { name: formatPortName(entry, service), ttl, type: 'SRV', priority: 0, weight, port: entry.port & 0xffff, target };
    }
  }
}

const formatPortName = ({ name, protocol }: EntryPort, service: string): string => `${toLowerAscii(`_${name}._${protocol}`)}.${service}`;

const compareBuckets = (a: Bucket, b: Bucket): number => compareText(a.name, b.name) || compareText(a.namespace, b.namespace);
