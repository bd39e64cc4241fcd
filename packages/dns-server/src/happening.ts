import type { DnsRcode } from 'kube-endpoints/internal';
import type { DropReason } from './packet/query.ts';

export type DnsTransport = 'udp' | 'tcp';

/** What the server tells of itself, for logs and metrics. */
export type DnsHappening =
  /** A query was answered. What is forwarded is told as `forwarded`. */
  | {
      readonly kind: 'answered';
      readonly transport: DnsTransport;
      /** "-" where the question could not be read. */
      readonly type: string;
      readonly rcode: DnsRcode | 'BADVERS';
      readonly bytes: number;
      readonly truncated: boolean;
    }
  | { readonly kind: 'forwarded'; readonly transport: DnsTransport; readonly type: string; readonly failed: boolean }
  | { readonly kind: 'dropped'; readonly transport: DnsTransport; readonly reason: DropReason | 'crowded' | 'unanswerable' }
  | { readonly kind: 'transferred'; readonly zone: string; readonly address: string; readonly records: number }
  /** Records of a zone that is transferred that no packet can hold, as names longer than a name may be: so many, and why the first. */
  | { readonly kind: 'leftOut'; readonly zone: string; readonly address: string; readonly records: number; readonly error: unknown }
  | { readonly kind: 'transferRefused'; readonly zone: string; readonly address: string; readonly transport: DnsTransport }
  /** A connection that was closed by the server before its time. */
  | { readonly kind: 'connectionClosed'; readonly reason: 'crowded' | 'idle' | 'malformed' }
  /** Something that should not fail has failed; the client is told SERVFAIL, or its connection ends where half an answer was sent. */
  | { readonly kind: 'failed'; readonly what: 'answer' | 'outside' | 'socket'; readonly error: unknown };

export type TellDns = (happening: DnsHappening) => void;

/** Who sent a packet, and how. */
export interface Sender {
  readonly transport: DnsTransport;
  readonly address: string;
}

/** The messages that answer a packet, in order; none where it is dropped. */
export type Messages = Iterable<Uint8Array>;
