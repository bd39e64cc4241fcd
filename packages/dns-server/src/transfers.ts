import type { DnsRecord } from 'kube-endpoints/dns';
import { type DnsSettings, plainAddress } from './options.ts';
import type { Encoder } from './packet/encode.ts';
import type { Query } from './packet/query.ts';
import type { Messages, Sender } from './server-event.ts';

/** Zone transfers to permitted clients. */
export interface Transfers {
  /** The messages with the records of a zone; undefined if the transfer is refused. */
  start(query: Query, sender: Sender): Messages | undefined;
}

/**
 * Answers AXFR, and IXFR with a full transfer, as RFC 1995 allows; only the SOA if the client has the current serial. Refused over UDP.
 * The records are a snapshot. Those that no packet can hold are omitted and reported; CoreDNS fails the whole transfer for them.
 */
export function createTransfers(settings: DnsSettings, encoder: Encoder): Transfers {
  const { zones, transfer, transferTo, ready, limits, onEvent } = settings;
  let running = 0;
  return {
    start(query, { transport, address }) {
      const zone = query.name.toLowerCase();
      const mayHave = transport === 'tcp' && transferTo.has(address) && zones.includes(zone) && ready() && running < limits.transfers;
      if (!mayHave) {
        onEvent({ kind: 'transferRefused', zone, address: plainAddress(address), transport });
        return undefined;
      }
      const records = recordsFor(query, transfer(zone));
      const to = { zone, address: plainAddress(address) };
      onEvent({ kind: 'transferred', ...to, records: records.length });
      return messagesOf(query, records, encoder, {
        begin() {
          running += 1;
        },
        end(leftOut, error) {
          running -= 1;
          if (leftOut > 0) onEvent({ kind: 'leftOut', ...to, records: leftOut, error });
        },
      });
    },
  };
}

function recordsFor({ type, serial }: Query, records: Iterable<DnsRecord>): readonly DnsRecord[] {
  const all = [...records];
  const [first] = all;
  const isKnown = type === 'IXFR' && first?.type === 'SOA' && first.serial === serial;
  return isKnown ? [first] : all;
}

interface Sending {
  begin(): void;
  /**
   * @param leftOut number of omitted records
   * @param error that of the first one
   */
  end(leftOut: number, error: unknown): void;
}

/** Encodes each message when it is requested. `end` is called even if the consumer stops early. */
function* messagesOf(query: Query, records: readonly DnsRecord[], encoder: Encoder, sending: Sending): Generator<Uint8Array> {
  sending.begin();
  let leftOut = 0;
  let error: unknown;
  try {
    for (let from = 0; from < records.length; ) {
      const { message, next, failures } = encoder.transfer(query, records, from);
      from = next;
      leftOut += failures.length;
      error ??= failures[0];
      if (message) yield message;
    }
  } finally {
    sending.end(leftOut, error);
  }
}
