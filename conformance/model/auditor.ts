import type { WatchEvent } from 'kube-endpoints/port';
import { type TestedKind, versionOf } from './kinds.ts';
import type { Subject } from './subject.ts';

/** A watch of all objects of a resource from the beginning, read without delay. The events are the history of the resource. */
export interface Auditor {
  readonly kind: TestedKind;
  readonly events: readonly WatchEvent[];
  /** Restarts the watch at a version up to which all events were received. */
  reopen(from: number): void;
  stop(): void;
}

/** The number of concurrent reads, so that simultaneous events are delivered immediately, before a compaction. */
const pendingReadCount = 64;

export function createAuditor({ port }: Subject, kind: TestedKind, firstVersion: number): Auditor {
  const events: WatchEvent[] = [];
  let currentIterator: AsyncIterator<WatchEvent>;
  const reopen = (from: number): void => {
    const iterator = port.watch(kind.resource, { resourceVersion: String(from) })[Symbol.asyncIterator]();
    currentIterator = iterator;
    const readNext = (): void => {
      iterator.next().then(
        ({ done, value }) => {
          if (!done) {
            events.push(value);
            readNext();
          } else if (currentIterator === iterator)
            reopen(events.length > 0 ? versionOf((events.at(-1) as WatchEvent).object) : firstVersion);
        },
        () => undefined,
      );
    };
    for (let i = 0; i < pendingReadCount; i++) readNext();
  };
  reopen(firstVersion);
  return {
    kind,
    events,
    reopen,
    stop() {
      const stoppedIterator = currentIterator;
      currentIterator = { next: () => Promise.resolve({ done: true, value: undefined }) };
      void stoppedIterator.return?.();
    },
  };
}
