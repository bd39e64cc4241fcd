import type { DnsAnswer, DnsQuestion, DnsRecord, DnsReply } from './answer.ts';
import {
  answerAddresses,
  answerCname,
  answerNs,
  answerOtherTypes,
  answerPtr,
  answerSrv,
  answerTxt,
  type TypeAnswer,
} from './answer-types.ts';
import { type CnameChase, questionBudget } from './chase.ts';
import { formatName } from './format.ts';
import { isAtOrBelow, problemOfName, relativeName, toFqdn, toLowerAscii } from './name.ts';
import { joinName } from './name-servers.ts';
import { createReason, type DnsReason } from './reasons.ts';
import type { QueryName } from './request.ts';
import type { Settings } from './settings.ts';
import type { ZoneData } from './zone-data.ts';

/**
 * Answers a question. Mirrors ServeDNS (CoreDNS 1.14, plugin/kubernetes/handler.go).
 *
 * @param serial the serial of the SOA record
 */
export function answerQuery(zoneData: ZoneData, question: DnsQuestion, serial: number): DnsAnswer {
  return answerInChase(zoneData, question, serial, undefined);
}

/**
 * Splits a name at the longest zone that contains it.
 * @returns a reason if the name is malformed or in no zone
 */
export function splitAtZone(settings: Settings, text: string): QueryName | DnsReason {
  const name = toFqdn(text);
  const problem = problemOfName(name);
  if (problem !== undefined) return createReason('NameMalformed', { name: name.slice(0, 300), problem });
  const formattedName = formatName(name);
  const lower = toLowerAscii(formattedName);
  for (const zone of settings.zones) {
    if (isAtOrBelow(lower, zone))
      return { name: formattedName, lower, zone: formattedName.slice(formattedName.length - zone.length), base: relativeName(lower, zone) };
  }
  return createReason('NotInZone', { name, zones: settings.origins.join(', ') });
}

/** @param parent the chase that issued this query, if a CNAME led from one zone to another */
function answerInChase(zoneData: ZoneData, { name, type }: DnsQuestion, serial: number, parent: CnameChase | undefined): DnsAnswer {
  const query = splitAtZone(zoneData.settings, name);
  if ('code' in query) return query.code === 'NameMalformed' ? { reply: createErrorReply('FORMERR'), reason: query } : { reason: query };
  const { gates } = zoneData.settings;
  if ((type === 'AXFR' || type === 'IXFR') && (gates.transfersRefused || !gates.transfersInOwnPlugin)) {
    const soa = createSoaRecord(query.zone, zoneData.settings.ttl, serial);
    const reply = gates.transfersRefused ? createErrorReply('REFUSED') : createNegativeReply('NOERROR', soa);
    return { reply, reason: createReason('TransferRefused', {}) };
  }
  if (type === 'SOA') return answerSoa(zoneData, query, serial);
  let chase: CnameChase | undefined;
  const answer = answerOfType(zoneData, query, type, (family) => {
    chase = createChase(zoneData, family, serial, parent);
    return chase;
  });
  const reply = createReply(zoneData, query, answer, serial);
  if (!reply) return { reason: answer.reason };
  return chase && !parent && chase.outsideQuestions.size > 0
    ? createAnswerWithOutside(reply, answer.reason, [...chase.outsideQuestions.values()])
    : { reply, reason: answer.reason };
}

function createChase(zoneData: ZoneData, type: 'A' | 'AAAA', serial: number, parent: CnameChase | undefined): CnameChase {
  const chase: CnameChase = {
    zoneData,
    type,
    outsideQuestions: parent?.outsideQuestions ?? new Map(),
    queryOtherZone: (question) => answerInChase(zoneData, question, serial, chase).reply,
    budget: parent?.budget ?? { remaining: questionBudget },
  };
  return chase;
}

function answerOfType(zoneData: ZoneData, query: QueryName, type: string, startChase: (family: 'A' | 'AAAA') => CnameChase): TypeAnswer {
  switch (type) {
    case 'A':
    case 'AAAA':
      return answerAddresses(zoneData, query, type, () => startChase(type));
    case 'SRV':
      return answerSrv(zoneData, query);
    case 'CNAME':
      return answerCname(zoneData, query);
    case 'PTR':
      return answerPtr(zoneData, query);
    case 'TXT':
      return answerTxt(zoneData, query);
    default:
      // `zone` keeps the question's letter case, so NS for a zone in capitals does not count as a query for the zone itself.
      return type === 'NS' && query.lower === query.zone ? answerNs(zoneData, query) : answerOtherTypes(zoneData, query, type);
  }
}

/** Creates the reply; undefined if the name does not exist and the query falls through to the next plugin. */
function createReply({ settings }: ZoneData, query: QueryName, answer: TypeAnswer, serial: number): DnsReply | undefined {
  if (answer.isUnanswerable) return createErrorReply('SERVFAIL');
  if (answer.records.length > 0) return createPositiveReply(answer.records, answer.additional);
  const { fallthrough, ttl } = settings;
  if (!answer.exists && fallthrough.length > 0 && fallthrough.some((zone) => isAtOrBelow(query.lower, zone))) return undefined;
  return createNegativeReply(answer.exists ? 'NOERROR' : 'NXDOMAIN', createSoaRecord(query.zone, ttl, serial));
}

function answerSoa({ settings: { gates, ttl } }: ZoneData, { base, zone, name }: QueryName, serial: number): DnsAnswer {
  const soa = createSoaRecord(zone, ttl, serial);
  if (base === '' || !gates.soaAtApexOnly) return { reply: createPositiveReply([soa]), reason: createReason('ZoneApex', { zone }) };
  return { reply: createNegativeReply('NOERROR', soa), reason: createReason('TypeOnlyAtApex', { name, zone, type: 'SOA' }) };
}

function createAnswerWithOutside(reply: DnsReply, reason: DnsReason, [first, ...others]: readonly DnsQuestion[]): DnsAnswer {
  return { reply, reason, ...(first && { outside: first }), ...(others.length > 0 && { alsoOutside: others }) };
}

/** An authoritative reply with records. */
export const createPositiveReply = (answer: readonly DnsRecord[], additional: readonly DnsRecord[] = noRecords): DnsReply => ({
  rcode: 'NOERROR',
  authoritative: true,
  answer,
  authority: noRecords,
  additional,
});

/** NODATA or NXDOMAIN; the SOA sets how long resolvers may cache it. */
export const createNegativeReply = (rcode: 'NOERROR' | 'NXDOMAIN', soa: DnsRecord): DnsReply => ({
  rcode,
  authoritative: true,
  answer: noRecords,
  authority: [soa],
  additional: noRecords,
});

/** A reply that consists of a response code only. */
export const createErrorReply = (rcode: 'FORMERR' | 'REFUSED' | 'SERVFAIL'): DnsReply => ({
  rcode,
  authoritative: false,
  answer: noRecords,
  authority: noRecords,
  additional: noRecords,
});

/** Mirrors SOA (CoreDNS 1.14, plugin/backend_lookup.go). */
export const createSoaRecord = (zone: string, ttl: number, serial: number): DnsRecord => ({
  name: zone,
  ttl: Math.min(ttl, 300),
  type: 'SOA',
  mname: joinName('ns.dns', zone),
  rname: joinName('hostmaster', zone),
  serial,
  refresh: 7200,
  retry: 1800,
  expire: 86400,
  minimum: ttl,
});

const noRecords: readonly DnsRecord[] = Object.freeze([]);
