import type { DnsTransport } from './happening.ts';

/** Who sent a packet, and how. */
export interface Sender {
  readonly transport: DnsTransport;
  readonly address: string;
}

/** The messages that answer a packet, in order; none where it is dropped. */
export type Messages = Iterable<Uint8Array>;
