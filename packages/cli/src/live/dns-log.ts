import type { Logger } from '@kube-endpoints/controllers/operations';
import type { DnsHappening } from '@kube-endpoints/dns-server';
import type { TellDns } from '@kube-endpoints/dns-server/internal';
import { messageOf } from 'kube-endpoints/internal';
import { type Clock, systemClock } from 'kube-endpoints/port';

/** What a DNS server tells of itself, in a log. */
export interface DnsLog {
  readonly tell: TellDns;
  /** Says what was left out until now. To be called once, at the end. */
  stop(): void;
}

/**
 * Writes what a DNS server tells of itself into a log. What clients may do as often as they like is logged for those who debug; of what
 * else they can bring about, there are so many lines of a kind in a while, and then one of how many more there were.
 */
export function createDnsLog(logger: Pick<Logger, 'log'>, clock: Clock = systemClock): DnsLog {
  const limited = limitLines(logger, clock);
  const tellers: Tellers = {
    answered: ({ kind: _, ...fields }) => logger.log('debug', 'answered', { ...fields }),
    forwarded: ({ kind: _, ...fields }) => logger.log('debug', 'forwarded', { ...fields }),
    dropped: ({ kind: _, ...fields }) => logger.log('debug', 'dropped', { ...fields }),
    connectionClosed: ({ reason }) => logger.log('debug', 'closed a connection', { reason }),
    transferred: ({ kind: _, ...fields }) => limited.log('info', 'transferred a zone', { ...fields }),
    leftOut: ({ kind: _, error, ...fields }) =>
      limited.log('warn', 'left records out of a transfer', { ...fields, error: messageOf(error) }),
    // Over UDP, anybody can say to be anybody.
    transferRefused: ({ kind: _, ...fields }) =>
      fields.transport === 'udp'
        ? logger.log('debug', transferRefused, { ...fields })
        : limited.log('warn', transferRefused, { ...fields }),
    failed: ({ what, error }) =>
      what === 'outside'
        ? logger.log('debug', failures[what], { error: messageOf(error) })
        : limited.log('error', failures[what], { error: messageOf(error) }),
  };
  return { tell: (happening) => (tellers[happening.kind] as (given: DnsHappening) => void)(happening), stop: limited.stop };
}

type Tellers = { readonly [Kind in DnsHappening['kind']]: (happening: Extract<DnsHappening, { kind: Kind }>) => void };

const transferRefused = 'refused to transfer a zone';

const failures = {
  answer: 'could not answer a query',
  outside: 'could not look a name outside of the cluster up',
  socket: 'had trouble with the network',
} as const;

/** Lines of a kind within a while. */
interface Span {
  written: number;
  leftOut: number;
  /** Says what was left out. */
  end(): void;
}

const mostLines = 10;
const spanMs = 10_000;

function limitLines(logger: Pick<Logger, 'log'>, clock: Clock): Pick<Logger, 'log'> & Pick<DnsLog, 'stop'> {
  const spans = new Map<string, Span>();
  const begin = (level: Parameters<Logger['log']>[0], message: string): Span => {
    const call = clock.schedule(() => span.end(), spanMs);
    const span: Span = {
      written: 0,
      leftOut: 0,
      end() {
        call.cancel();
        spans.delete(message);
        if (span.leftOut > 0) logger.log(level, `${message}: more often than is logged`, { leftOut: span.leftOut });
      },
    };
    spans.set(message, span);
    return span;
  };
  return {
    log(level, message, fields) {
      const span = spans.get(message) ?? begin(level, message);
      if (span.written >= mostLines) {
        span.leftOut += 1;
        return;
      }
      span.written += 1;
      logger.log(level, message, fields);
    },
    stop() {
      for (const span of [...spans.values()]) span.end();
    },
  };
}
