import type { DnsAnswer, DnsQuestion, DnsRecord, DnsReply } from './answer.ts';
import { answerAddresses, answerCname, answerNs, answerOthers, answerPtr, answerSrv, answerTxt, type TypeAnswer } from './answer-types.ts';
import { budgetOfQuestion, type Chase } from './chase.ts';
import { printedName } from './format.ts';
import { absolute, isAtOrBelow, lowered, problemOfName, relativeTo } from './name.ts';
import { below } from './name-servers.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import type { Asked } from './request.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

/**
 * Answers a question. Mirrors ServeDNS (CoreDNS 1.14, plugin/kubernetes/handler.go).
 *
 * @param serial of the SOA record
 */
export function answerIn(world: World, question: DnsQuestion, serial: number): DnsAnswer {
  return answerWith(world, question, serial, undefined);
}

/**
 * Splits a name at the longest zone that contains it.
 * @returns a reason if the name is malformed or in no zone
 */
export function askedIn(settings: Settings, asked: string): Asked | DnsReason {
  const name = absolute(asked);
  const problem = problemOfName(name);
  if (problem !== undefined) return reasonOf('NameMalformed', { name: name.slice(0, 300), problem });
  const printed = printedName(name);
  const lower = lowered(printed);
  for (const zone of settings.zones) {
    if (isAtOrBelow(lower, zone))
      return { name: printed, lower, zone: printed.slice(printed.length - zone.length), base: relativeTo(lower, zone) };
  }
  return reasonOf('NotInZone', { name, zones: settings.origins.join(', ') });
}

/** @param leading the chase that issued this query, if a CNAME led from one zone to another */
function answerWith(world: World, { name, type }: DnsQuestion, serial: number, leading: Chase | undefined): DnsAnswer {
  const asked = askedIn(world.settings, name);
  if ('code' in asked) return asked.code === 'NameMalformed' ? { reply: refused('FORMERR'), reason: asked } : { reason: asked };
  const { gates } = world.settings;
  if ((type === 'AXFR' || type === 'IXFR') && gates.transfersRefused) {
    return { reply: refused('REFUSED'), reason: reasonOf('TransferNotHere', {}) };
  }
  if (type === 'SOA') return answerSoa(world, asked, serial);
  let chase: Chase | undefined;
  const answer = answerOfType(world, asked, type, (family) => {
    chase = newChase(world, family, serial, leading);
    return chase;
  });
  const reply = replyOf(world, asked, answer, serial);
  if (!reply) return { reason: answer.reason };
  return chase && !leading && chase.outside.size > 0
    ? leadingOutside(reply, answer.reason, [...chase.outside.values()])
    : { reply, reason: answer.reason };
}

function newChase(world: World, type: 'A' | 'AAAA', serial: number, leading: Chase | undefined): Chase {
  const chase: Chase = {
    world,
    type,
    outside: leading?.outside ?? new Map(),
    askAgain: (question) => answerWith(world, question, serial, chase).reply,
    budget: leading?.budget ?? { left: budgetOfQuestion },
  };
  return chase;
}

function answerOfType(world: World, asked: Asked, type: string, chase: (family: 'A' | 'AAAA') => Chase): TypeAnswer {
  switch (type) {
    case 'A':
    case 'AAAA':
      return answerAddresses(world, asked, type, () => chase(type));
    case 'SRV':
      return answerSrv(world, asked);
    case 'CNAME':
      return answerCname(world, asked);
    case 'PTR':
      return answerPtr(world, asked);
    case 'TXT':
      return answerTxt(world, asked);
    default:
      // `zone` keeps the question's letter case, so NS for a zone in capitals does not count as a query for the zone itself.
      return type === 'NS' && asked.lower === asked.zone ? answerNs(world, asked) : answerOthers(world, asked, type);
  }
}

/** Undefined if the name does not exist and the query falls through to the next plugin. */
function replyOf({ settings }: World, asked: Asked, answer: TypeAnswer, serial: number): DnsReply | undefined {
  if (answer.broken) return refused('SERVFAIL');
  if (answer.records.length > 0) return found(answer.records, answer.additional);
  const { fallthrough, ttl } = settings;
  if (!answer.exists && fallthrough.length > 0 && fallthrough.some((zone) => isAtOrBelow(asked.lower, zone))) return undefined;
  return negative(answer.exists ? 'NOERROR' : 'NXDOMAIN', soaRecord(asked.zone, ttl, serial));
}

function answerSoa({ settings: { gates, ttl } }: World, { base, zone, name }: Asked, serial: number): DnsAnswer {
  const soa = soaRecord(zone, ttl, serial);
  if (base === '' || !gates.soaAtApexOnly) return { reply: found([soa]), reason: reasonOf('ZoneApex', { zone }) };
  return { reply: negative('NOERROR', soa), reason: reasonOf('TypeIsNotLookedUp', { name, zone, type: 'SOA' }) };
}

function leadingOutside(reply: DnsReply, reason: DnsReason, [first, ...others]: readonly DnsQuestion[]): DnsAnswer {
  return { reply, reason, ...(first && { outside: first }), ...(others.length > 0 && { alsoOutside: others }) };
}

/** An authoritative reply with records. */
export const found = (answer: readonly DnsRecord[], additional: readonly DnsRecord[] = none): DnsReply => ({
  rcode: 'NOERROR',
  authoritative: true,
  answer,
  authority: none,
  additional,
});

/** NODATA or NXDOMAIN; the SOA sets how long resolvers may cache it. */
export const negative = (rcode: 'NOERROR' | 'NXDOMAIN', soa: DnsRecord): DnsReply => ({
  rcode,
  authoritative: true,
  answer: none,
  authority: [soa],
  additional: none,
});

/** A reply that consists of a response code only. */
export const refused = (rcode: 'FORMERR' | 'REFUSED' | 'SERVFAIL'): DnsReply => ({
  rcode,
  authoritative: false,
  answer: none,
  authority: none,
  additional: none,
});

/** Mirrors SOA (CoreDNS 1.14, plugin/backend_lookup.go). */
export const soaRecord = (zone: string, ttl: number, serial: number): DnsRecord => ({
  name: zone,
  ttl: Math.min(ttl, 300),
  type: 'SOA',
  mname: below('ns.dns', zone),
  rname: below('hostmaster', zone),
  serial,
  refresh: 7200,
  retry: 1800,
  expire: 86400,
  minimum: ttl,
});

const none: readonly DnsRecord[] = Object.freeze([]);
