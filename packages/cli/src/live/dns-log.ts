import type { Logger } from '@kube-endpoints/controllers/operations';
import type { DnsServerEvent } from '@kube-endpoints/dns-server';
import type { DnsServerObserver } from '@kube-endpoints/dns-server/internal';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { type Clock, systemClock } from 'kube-endpoints/port';

/** Logs the events of a DNS server. */
export interface DnsLog {
  readonly observer: DnsServerObserver;
  /** Reports the lines suppressed so far. Call it once, at the end. */
  stop(): void;
}

/**
 * Creates a log of DNS server events. Events that a client can cause at will are logged at level debug. Of all other events, each message is
 * logged at most `maxLinesPerSpan` times per span; at the end of a span, logs the number of suppressed lines.
 */
export function createDnsLog(logger: Pick<Logger, 'log'>, clock: Clock = systemClock): DnsLog {
  const limitedLogger = createLimitedLogger(logger, clock);
  const handlers: Handlers = {
    answered: ({ kind: _, ...fields }) => logger.log('debug', 'answered', { ...fields }),
    forwarded: ({ kind: _, ...fields }) => logger.log('debug', 'forwarded', { ...fields }),
    dropped: ({ kind: _, ...fields }) => logger.log('debug', 'dropped', { ...fields }),
    connectionClosed: ({ reason }) => logger.log('debug', 'closed a connection', { reason }),
    transferred: ({ kind: _, ...fields }) => limitedLogger.log('info', 'transferred a zone', { ...fields }),
    leftOut: ({ kind: _, error, ...fields }) =>
      limitedLogger.log('warn', 'omitted records from a zone transfer', { ...fields, error: messageOf(error) }),
    // A UDP source address can be forged.
    transferRefused: ({ kind: _, ...fields }) =>
      fields.transport === 'udp'
        ? logger.log('debug', transferRefusedText, { ...fields })
        : limitedLogger.log('warn', transferRefusedText, { ...fields }),
    failed: ({ what, error }) =>
      what === 'outside'
        ? logger.log('debug', failureTexts[what], { error: messageOf(error) })
        : limitedLogger.log('error', failureTexts[what], { error: messageOf(error) }),
  };
  return { observer: (event) => (handlers[event.kind] as (event: DnsServerEvent) => void)(event), stop: limitedLogger.stop };
}

type Handlers = { readonly [Kind in DnsServerEvent['kind']]: (event: Extract<DnsServerEvent, { kind: Kind }>) => void };

const transferRefusedText = 'refused to transfer a zone';

const failureTexts = {
  answer: 'could not answer a query',
  outside: 'could not resolve a name outside of the cluster',
  socket: 'network error',
} as const;

/** The log lines with the same message during `spanMs`. */
interface Span {
  writtenLineCount: number;
  suppressedLineCount: number;
  /** Reports the suppressed lines. */
  end(): void;
}

const maxLinesPerSpan = 10;
const spanMs = 10_000;

function createLimitedLogger(logger: Pick<Logger, 'log'>, clock: Clock): Pick<Logger, 'log'> & Pick<DnsLog, 'stop'> {
  const spans = new Map<string, Span>();
  const startSpan = (level: Parameters<Logger['log']>[0], message: string): Span => {
    const scheduledEnd = clock.schedule(() => span.end(), spanMs);
    const span: Span = {
      writtenLineCount: 0,
      suppressedLineCount: 0,
      end() {
        scheduledEnd.cancel();
        spans.delete(message);
        if (span.suppressedLineCount > 0)
          logger.log(level, `${message}: further lines were not logged`, { leftOut: span.suppressedLineCount });
      },
    };
    spans.set(message, span);
    return span;
  };
  return {
    log(level, message, fields) {
      const span = spans.get(message) ?? startSpan(level, message);
      if (span.writtenLineCount >= maxLinesPerSpan) {
        span.suppressedLineCount += 1;
        return;
      }
      span.writtenLineCount += 1;
      logger.log(level, message, fields);
    },
    stop() {
      for (const span of [...spans.values()]) span.end();
    },
  };
}
