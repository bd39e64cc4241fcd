import { lowered } from './name.ts';
import type { DnsReason } from './reasons.ts';

/** One question of class IN. */
export interface DnsQuestion {
  /** Absolute; the final dot may be left out. Letter case has no meaning, and is kept in the answer. */
  readonly name: string;
  /** In capitals: "A", "SRV", "ANY"; "TYPE64" for what has no name here. */
  readonly type: string;
}

export type DnsRcode = 'NOERROR' | 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED';

/** What is answered to a client. */
export interface DnsReply {
  readonly rcode: DnsRcode;
  readonly authoritative: boolean;
  readonly answer: readonly DnsRecord[];
  readonly authority: readonly DnsRecord[];
  readonly additional: readonly DnsRecord[];
}

/** What a zone makes of a question. */
export interface DnsAnswer {
  /** What is answered; undefined where the question is not this zone's, or falls through to whoever comes next. */
  readonly reply?: DnsReply;
  /** Why: what was found, or what there is not. */
  readonly reason: DnsReason;
  /** A name outside of the zones that the answer leads to. The host resolves it, and `withOutside` completes the reply. */
  readonly outside?: DnsQuestion;
  /** Further names of this kind: endpoints that are names, and wildcards of releases before 1.9, can lead to several. */
  readonly alsoOutside?: readonly DnsQuestion[];
}

/** Resolves what is outside of a cluster's zones. */
export interface Resolver {
  /** @throws where nothing could be learned; what does not exist is a reply of its own (NXDOMAIN) */
  resolve(question: DnsQuestion, signal?: AbortSignal): Promise<DnsReply>;
}

/** The types that a cluster's zones hold. */
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
 * The reply to the client, once what is outside has been looked up: after each CNAME that leads outside come the records found there.
 * Where the lookup failed or found nothing the CNAME stands alone, as it does in CoreDNS. A question that falls through has no reply of
 * its own: then it is the one that is handed in.
 *
 * @param reply to `answer.outside`; undefined where the lookup failed
 * @param others to `answer.alsoOutside`, in its order
 */
export function withOutside(answer: DnsAnswer, reply: DnsReply | undefined, ...others: readonly (DnsReply | undefined)[]): DnsReply {
  if (!answer.reply) return reply ?? failed;
  if (!answer.outside) return answer.reply;
  const questions = [answer.outside, ...(answer.alsoOutside ?? [])];
  const found = new Map(questions.map(({ name }, i) => [lowered(name), (i === 0 ? reply : others[i - 1])?.answer ?? []] as const));
  const records = answer.reply.answer.flatMap((record) =>
    record.type === 'CNAME' ? [record, ...(found.get(lowered(record.target)) ?? [])] : [record],
  );
  return { ...answer.reply, answer: records };
}

const failed: DnsReply = { rcode: 'SERVFAIL', authoritative: false, answer: [], authority: [], additional: [] };
