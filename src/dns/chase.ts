import type { DnsQuestion, DnsRecord, DnsReply } from './answer.ts';
import type { ItemSet } from './answer-items.ts';
import { formatName } from './format.ts';
import { lookUpName } from './lookup.ts';
import { isAtOrBelow, relativeName, toLowerAscii } from './name.ts';
import { isDefaultServer, lookUpServers } from './name-servers.ts';
import type { QueryName } from './request.ts';
import type { LookupResult, ZoneData } from './zone-data.ts';

/** The state of following CNAMEs for one question. */
export interface CnameChase {
  readonly zoneData: ZoneData;
  readonly type: 'A' | 'AAAA';
  /** Names that the host has to look up, without duplicates. */
  readonly outsideQuestions: Map<string, DnsQuestion>;
  /** Queries this server's zones for a name outside the current zone; undefined if none of them answers. */
  readonly queryOtherZone: (question: DnsQuestion) => DnsReply | undefined;
  /** Remaining work, so that the chase ends even if CNAMEs lead to many names. A CNAME or a record costs 1; lookups cost more. */
  readonly budget: { remaining: number };
}

/** Budget of a question: more records than fit into any packet. */
export const questionBudget = 10_000;

/** Looks up a name, including the name server's own. Mirrors Services (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export const lookUpHost = (zoneData: ZoneData, query: QueryName, type: string): LookupResult =>
  isDefaultServer(query) ? lookUpServers(zoneData, query, type) : lookUpName(zoneData, query);

/**
 * Creates the address records of a lookup result, following CNAMEs. Mirrors A and AAAA (CoreDNS 1.14, plugin/backend_lookup.go).
 *
 * @param visited the CNAME targets followed so far
 */
export function resolveAddressRecords(
  chase: CnameChase,
  query: QueryName,
  { itemSet }: LookupResult,
  visited: readonly string[] = [],
): DnsRecord[] {
  const { type, zoneData } = chase;
  const chainedRecords = itemSet.names.flatMap((target) => followCname(chase, query, target, visited));
  return [...chainedRecords, ...createHostRecords(query.name, zoneData.settings.ttl, type, itemSet)];
}

/** Creates the address records of an item set; CNAMEs are not followed. */
export function createHostRecords(name: string, ttl: number, type: 'A' | 'AAAA', { ipv4, ipv6 }: ItemSet): DnsRecord[] {
  return (type === 'A' ? ipv4 : ipv6).map((address) => ({ name, ttl, type, address }));
}

function followCname(chase: CnameChase, query: QueryName, target: string, visited: readonly string[]): readonly DnsRecord[] {
  const { zoneData, type, outsideQuestions, budget } = chase;
  if (budget.remaining-- <= 0) return [];
  const lower = toLowerAscii(target);
  if (isAtOrBelow(lower, query.lower) || visited.length > maxChainLength(zoneData) || visited.includes(target)) return [];
  const cname: DnsRecord = { name: query.name, ttl: zoneData.settings.ttl, type: 'CNAME', target };
  const zone = toLowerAscii(query.zone);
  if (isAtOrBelow(lower, zone)) {
    const name = formatName(target);
    const targetQuery: QueryName = { name, lower: toLowerAscii(name), zone: query.zone, base: relativeName(toLowerAscii(name), zone) };
    budget.remaining -= lookupCost;
    const records = resolveAddressRecords(chase, targetQuery, lookUpHost(zoneData, targetQuery, type), [...visited, target]);
    budget.remaining -= records.length;
    return records.length > 0 ? [cname, ...records] : [];
  }
  const question = { name: target, type };
  budget.remaining -= zoneCrossingCost;
  const otherZoneReply = chase.queryOtherZone(question);
  if (!otherZoneReply) {
    budget.remaining += zoneCrossingCost;
    outsideQuestions.set(target, question);
  }
  return [cname, ...(otherZoneReply?.answer ?? [])];
}

/** Costs in units of the budget, high enough to end CNAMEs that alternate between two zones after a few rounds. */
const lookupCost = 32;
const zoneCrossingCost = 1_000;

const maxChainLength = ({ settings }: ZoneData): number => (settings.gates.longerCnameChains ? 10 : 7);
