import type { ApiObject } from 'kube-endpoints/port';
import type { Change } from '../controller/controller.ts';
import type { Clock } from '../engine/clock.ts';
import type { Watch, Watches } from '../engine/watch.ts';

/** Delivers changes in order, each after a delay of "watch". */
export interface Stream {
  push(change: Change): void;
  close(): void;
}

/** The watches of all components. */
export interface WatchHub extends Watches {
  /** Starts the delivery of a change that was just stored. */
  publish(change: Change): void;
  /** The components that watch, sorted. */
  actors(): string[];
  /** Delivers every object that a component watches again, as an informer does after a new list. */
  resend(actor: string): void;
}

/**
 * Creates the watches of a cluster. A change arrives after a delay of "watch", but not before earlier changes of its kind: an actor has one watch per
 * kind, like a shared informer.
 */
export function createWatchHub(clock: Clock, list: (kind: string) => readonly ApiObject[]): WatchHub {
  const watchers = new Map<string, Set<(change: Change) => void>>();
  const resenders = new Map<string, Set<() => void>>();
  return {
    actors: () => [...resenders.keys()].sort(),
    resend: (actor) => resenders.get(actor)?.forEach((resend) => void resend()),
    publish(change) {
      for (const watcher of watchers.get(change.kind) ?? []) watcher(change);
    },
    watch(actor, kinds, onChange, isSelected) {
      const closers = kinds.map((kind): (() => void) => {
        const stream = createStream(clock, actor, onChange);
        const watcher = (change: Change): void => {
          const selected = isSelected ? select(change, isSelected) : change;
          if (selected) stream.push(selected);
        };
        const ofKind = watchers.get(kind) ?? new Set();
        watchers.set(kind, ofKind.add(watcher));
        const selected = (): ApiObject[] => list(kind).filter((object) => !isSelected || isSelected(object));
        for (const current of selected()) onChange({ kind, current });
        const resend = (): void => selected().forEach((object) => void stream.push({ kind, previous: object, current: object }));
        const ofActor = resenders.get(actor) ?? new Set();
        resenders.set(actor, ofActor.add(resend));
        return () => {
          ofKind.delete(watcher);
          ofActor.delete(resend);
          stream.close();
        };
      });
      return { close: () => closers.forEach((close) => void close()) } satisfies Watch;
    },
  };
}

/** Creates the stream of one kind to one actor. */
export function createStream(clock: Clock, actor: string, onChange: (change: Change) => void): Stream {
  let lastArrival = 0;
  let isClosed = false;
  return {
    push(change) {
      lastArrival = Math.max(lastArrival, clock.now() + clock.draw({ name: 'watch', actor }));
      clock.at(lastArrival, () => {
        if (!isClosed) onChange(change);
      });
    },
    close() {
      isClosed = true;
    },
  };
}

/** The change as a watch with a selector sees it: an object that is no longer selected is deleted. */
function select({ kind, previous, current }: Change, isSelected: (object: ApiObject) => boolean): Change | undefined {
  const [before, after] = [previous && isSelected(previous), current && isSelected(current)];
  if (!before && !after) return undefined;
  return { kind, ...(before && previous && { previous }), ...(after && current && { current }) };
}
