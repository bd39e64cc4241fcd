import type { WatchEvent, WatchOptions } from 'kube-endpoints/port';
import { type Asked, lateAnswer } from './failures.ts';
import type { Settings } from './options.ts';
import type { Transport } from './transport/transport.ts';
import { createWatchIterator } from './watch-iterator.ts';

export interface WatchRequest {
  readonly path: string;
  readonly options: Pick<WatchOptions, 'signal' | 'timeoutSeconds'>;
  readonly settings: Pick<Settings, 'clock' | 'maxEventBytes'>;
}

/** A watch, which begins anew each time that somebody begins to iterate. */
export function createWatch(transport: Pick<Transport, 'stream'>, request: WatchRequest): AsyncIterable<WatchEvent> {
  return { [Symbol.asyncIterator]: () => iterate(transport, request) };
}

function iterate(transport: Pick<Transport, 'stream'>, { path, options, settings }: WatchRequest): AsyncIterator<WatchEvent, undefined> {
  const { timeoutSeconds, signal: given } = options;
  const asked: Asked = { method: 'GET', path };
  const closing = new AbortController();
  const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
  let late: { cancel(): void } | undefined;
  return createWatchIterator({
    asked,
    maxEventBytes: settings.maxEventBytes,
    aheadBytes,
    isAborted: () => given?.aborted === true,
    async open(failed) {
      const response = await transport.stream({ ...asked, signal }, failed);
      if (timeoutSeconds === undefined || signal.aborted) return response;
      // a server that has stopped does not end what it has promised to, and its connection stands
      const milliseconds = timeoutSeconds * 1000 + grace;
      late = settings.clock.schedule(() => failed(lateAnswer(asked, 'the watch was not ended', milliseconds)), milliseconds);
      return response;
    },
    close() {
      late?.cancel();
      closing.abort();
    },
  });
}

/** Milliseconds for which a server may be late in ending a watch. */
const grace = 30_000;

/** Enough to have something to do while the next piece comes. */
const aheadBytes = 256 * 1024;
