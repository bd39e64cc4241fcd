import type { DnsRcode } from 'kube-endpoints/internal';
import type { DropReason } from './packet/query.ts';

export type DnsTransport = 'udp' | 'tcp';

/** Events of the server, for logs and metrics. */
export type DnsServerEvent =
  /** A query was answered here. Forwarded queries are reported as `forwarded`. */
  | {
      readonly kind: 'answered';
      readonly transport: DnsTransport;
      /** The record type; "-" if the question could not be read. */
      readonly type: string;
      readonly rcode: DnsRcode | 'BADVERS';
      readonly bytes: number;
      readonly truncated: boolean;
    }
  | { readonly kind: 'forwarded'; readonly transport: DnsTransport; readonly type: string; readonly failed: boolean }
  | { readonly kind: 'dropped'; readonly transport: DnsTransport; readonly reason: DropReason | 'crowded' | 'unanswerable' }
  | { readonly kind: 'transferred'; readonly zone: string; readonly address: string; readonly records: number }
  /**
   * Records omitted from a zone transfer because no packet can hold them, for example if a name is too long. `error` is the first error.
   */
  | { readonly kind: 'leftOut'; readonly zone: string; readonly address: string; readonly records: number; readonly error: unknown }
  | { readonly kind: 'transferRefused'; readonly zone: string; readonly address: string; readonly transport: DnsTransport }
  /** The server closed a connection. */
  | { readonly kind: 'connectionClosed'; readonly reason: 'crowded' | 'idle' | 'malformed' }
  /** An unexpected failure. The client gets SERVFAIL, or its connection is closed if part of the answer was sent. */
  | { readonly kind: 'failed'; readonly what: 'answer' | 'outside' | 'socket'; readonly error: unknown };

export type DnsServerObserver = (event: DnsServerEvent) => void;

/** The source of a packet. */
export interface Sender {
  readonly transport: DnsTransport;
  readonly address: string;
}

/** The response messages to a packet, in order; empty if it is dropped. */
export type Messages = Iterable<Uint8Array>;
