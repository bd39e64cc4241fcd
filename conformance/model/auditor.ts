import type { WatchEvent } from 'kube-endpoints/port';
import { type PlayKind, versionOf } from './kinds.ts';
import type { Subject } from './subject.ts';

/** Watches a whole resource from the beginning without delay; its events are the history. */
export interface Auditor {
  readonly kind: PlayKind;
  readonly events: readonly WatchEvent[];
  /** Restarts the watch at a version up to which all events were received. */
  reopen(from: number): void;
  stop(): void;
}

/** The number of pending reads, so that simultaneous events are delivered at once, before a compaction. */
const waiting = 64;

export function createAuditor({ port }: Subject, kind: PlayKind, first: number): Auditor {
  const events: WatchEvent[] = [];
  let current: AsyncIterator<WatchEvent>;
  const reopen = (from: number): void => {
    const iterator = port.watch(kind.resource, { resourceVersion: String(from) })[Symbol.asyncIterator]();
    current = iterator;
    const ask = (): void => {
      iterator.next().then(
        ({ done, value }) => {
          if (!done) {
            events.push(value);
            ask();
          } else if (current === iterator) reopen(events.length > 0 ? versionOf((events.at(-1) as WatchEvent).object) : first);
        },
        () => undefined,
      );
    };
    for (let asked = 0; asked < waiting; asked++) ask();
  };
  reopen(first);
  return {
    kind,
    events,
    reopen,
    stop() {
      const last = current;
      current = { next: () => Promise.resolve({ done: true, value: undefined }) };
      void last.return?.();
    },
  };
}
