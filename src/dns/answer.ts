import { toLowerAscii } from './name.ts';
import type { DnsReason } from './reasons.ts';

/** One question of class IN. */
export interface DnsQuestion {
  /** Absolute; the final dot is optional. Matching ignores letter case; the answer preserves it. */
  readonly name: string;
  /** In capitals: "A", "SRV", "ANY"; types without a name here as "TYPE64". */
  readonly type: string;
}

export type DnsRcode = 'NOERROR' | 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED';

/** The reply sent to a client. */
export interface DnsReply {
  readonly rcode: DnsRcode;
  readonly authoritative: boolean;
  readonly answer: readonly DnsRecord[];
  readonly authority: readonly DnsRecord[];
  readonly additional: readonly DnsRecord[];
}

/** The result of a query against the cluster's zones. */
export interface DnsAnswer {
  /** Undefined if the name is in none of the zones, or if the query falls through to the next plugin. */
  readonly reply?: DnsReply;
  /** Why: what was found, or what is missing. */
  readonly reason: DnsReason;
  /** A name outside of the zones that the answer leads to. The host resolves it; `withOutside` then completes the reply. */
  readonly outside?: DnsQuestion;
  /** More outside names: endpoints that are names, and wildcards before CoreDNS 1.9, can lead to several. */
  readonly alsoOutside?: readonly DnsQuestion[];
}

/** Resolves names outside of the cluster's zones. */
export interface Resolver {
  /** Returns NXDOMAIN as a reply. @throws if the lookup itself fails */
  resolve(question: DnsQuestion, signal?: AbortSignal): Promise<DnsReply>;
}

/** The record types in a cluster's zones. */
export type DnsRecordType = 'A' | 'AAAA' | 'SRV' | 'PTR' | 'CNAME' | 'TXT' | 'NS' | 'SOA';

interface Owner {
  /** Absolute, with the final dot, in the letter case of the question. */
  readonly name: string;
  /** Seconds. */
  readonly ttl: number;
}

/** A resource record of class IN. Names in it are absolute, with the final dot. */
export type DnsRecord = Owner &
  (
    | { readonly type: 'A' | 'AAAA'; readonly address: string }
    | { readonly type: 'SRV'; readonly priority: number; readonly weight: number; readonly port: number; readonly target: string }
    | { readonly type: 'PTR' | 'CNAME' | 'NS'; readonly target: string }
    | { readonly type: 'TXT'; readonly texts: readonly string[] }
    | {
        readonly type: 'SOA';
        readonly mname: string;
        readonly rname: string;
        readonly serial: number;
        readonly refresh: number;
        readonly retry: number;
        readonly expire: number;
        readonly minimum: number;
      }
  );

/**
 * Completes the reply with the results of outside lookups: each CNAME that leads outside is followed by the records found there. If a
 * lookup failed or found nothing, only the CNAME remains, as in CoreDNS. If the query falls through to the next plugin, returns `reply`, or
 * SERVFAIL if that is undefined.
 *
 * @param reply to `answer.outside`; undefined if the lookup failed
 * @param others replies to `answer.alsoOutside`, in the same order
 */
export function withOutside(answer: DnsAnswer, reply: DnsReply | undefined, ...others: readonly (DnsReply | undefined)[]): DnsReply {
  if (!answer.reply) return reply ?? servfailReply;
  if (!answer.outside) return answer.reply;
  const questions = [answer.outside, ...(answer.alsoOutside ?? [])];
  const recordsByName = new Map(
    questions.map(({ name }, i) => [toLowerAscii(name), (i === 0 ? reply : others[i - 1])?.answer ?? []] as const),
  );
  const records = answer.reply.answer.flatMap((record) =>
    record.type === 'CNAME' ? [record, ...(recordsByName.get(toLowerAscii(record.target)) ?? [])] : [record],
  );
  return { ...answer.reply, answer: records };
}

const servfailReply: DnsReply = { rcode: 'SERVFAIL', authoritative: false, answer: [], authority: [], additional: [] };
