import type { DnsRecord } from 'kube-endpoints/dns';
import { type DnsSettings, normalizeAddress } from './options.ts';
import type { Encoder } from './packet/encode.ts';
import type { Query } from './packet/query.ts';
import type { Messages, Sender } from './server-event.ts';

/** Zone transfers to permitted clients. */
export interface Transfers {
  /** The messages with the records of a zone; undefined if the transfer is refused. */
  start(query: Query, sender: Sender): Messages | undefined;
}

/**
 * Answers AXFR and IXFR with all records, as RFC 1995 allows. The answer to an IXFR is only the SOA if the client has the current serial.
 * Transfers over UDP are refused. The records are a snapshot. Records that no packet can hold are omitted and reported; CoreDNS fails the whole transfer.
 */
export function createTransfers(settings: DnsSettings, encoder: Encoder): Transfers {
  const { zones, transfer, transferTo, ready, limits, onEvent } = settings;
  let runningCount = 0;
  return {
    start(query, { transport, address }) {
      const zone = query.name.toLowerCase();
      const isPermitted =
        transport === 'tcp' && transferTo.has(address) && zones.includes(zone) && ready() && runningCount < limits.transfers;
      if (!isPermitted) {
        onEvent({ kind: 'transferRefused', zone, address: normalizeAddress(address), transport });
        return undefined;
      }
      const records = selectRecords(query, transfer(zone));
      const target = { zone, address: normalizeAddress(address) };
      onEvent({ kind: 'transferred', ...target, records: records.length });
      return encodeMessages(query, records, encoder, {
        begin() {
          runningCount += 1;
        },
        end(leftOutCount, error) {
          runningCount -= 1;
          if (leftOutCount > 0) onEvent({ kind: 'leftOut', ...target, records: leftOutCount, error });
        },
      });
    },
  };
}

function selectRecords({ type, serial }: Query, records: Iterable<DnsRecord>): readonly DnsRecord[] {
  const allRecords = [...records];
  const [firstRecord] = allRecords;
  const isCurrent = type === 'IXFR' && firstRecord?.type === 'SOA' && firstRecord.serial === serial;
  return isCurrent ? [firstRecord] : allRecords;
}

interface TransferHooks {
  begin(): void;
  /**
   * @param leftOutCount number of omitted records
   * @param error the error of the first omitted record
   */
  end(leftOutCount: number, error: unknown): void;
}

/** Encodes each message when it is requested. `end` is called even if the consumer stops early. */
function* encodeMessages(query: Query, records: readonly DnsRecord[], encoder: Encoder, hooks: TransferHooks): Generator<Uint8Array> {
  hooks.begin();
  let leftOutCount = 0;
  let error: unknown;
  try {
    for (let from = 0; from < records.length; ) {
      const { message, nextIndex, failures } = encoder.encodeTransfer(query, records, from);
      from = nextIndex;
      leftOutCount += failures.length;
      error ??= failures[0];
      if (message) yield message;
    }
  } finally {
    hooks.end(leftOutCount, error);
  }
}
