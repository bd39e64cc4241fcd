import type { DnsReason } from './reasons.ts';
import type { DnsRecord } from './records.ts';

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
