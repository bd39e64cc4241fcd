import { differenceOf, type Snapshot } from './endpoint.ts';
import type { FeedEvent } from './event.ts';

/**
 * What one consumer has been told, and what it is still to be told. Nothing is queued but the keys of Services: what is told of one is
 * worked out when the consumer asks, against what it was told last. However slow it is, it holds at most one old picture of each Service.
 */
export interface Subscription {
  /** The next event; undefined where there is nothing to tell. */
  next(): FeedEvent | undefined;
  /** There is another picture of a Service, or none any more. */
  note(key: string): void;
  /** All is to be told in full. */
  refresh(): void;
}

interface Told {
  readonly snapshot: Snapshot;
  readonly sequence: number;
}

/** @param pictures the Services' endpoints as they are now, by key */
export function createSubscription(stream: string, pictures: ReadonlyMap<string, Snapshot>): Subscription {
  const told = new Map<string, Told>();
  const pending = new Set<string>();
  const owed = new Set<string>();
  let completing = false;
  let sequence = 0;

  const tell = (key: string, inFull: boolean): FeedEvent | undefined => {
    const snapshot = pictures.get(key);
    const known = told.get(key);
    if (!snapshot && !known) return undefined;
    const [namespace = '', service = ''] = key.split('/');
    const difference = snapshot && known && !inFull ? differenceOf(known.snapshot, snapshot) : undefined;
    if (snapshot && known && !inFull && !difference) return undefined;
    sequence += 1;
    const place = { stream, sequence, key, namespace, service };
    if (!snapshot) {
      told.delete(key);
      return { type: 'gone', ...place };
    }
    told.set(key, { snapshot, sequence });
    if (difference && known) return { type: 'changed', ...place, after: known.sequence, ...difference };
    return { type: 'full', ...place, endpoints: [...snapshot.ready.values()] };
  };
  const first = (keys: Set<string>, inFull: boolean): FeedEvent | undefined => {
    for (const key of keys) {
      keys.delete(key);
      const event = tell(key, inFull);
      if (event) return event;
    }
    return undefined;
  };
  return {
    next() {
      const full = first(owed, true);
      if (full) return full;
      if (!completing) return first(pending, false);
      completing = false;
      sequence += 1;
      return { type: 'complete', stream, sequence, services: told.size };
    },
    note(key) {
      if (!owed.has(key)) pending.add(key);
    },
    refresh() {
      pending.clear();
      for (const key of [...told.keys(), ...pictures.keys()]) owed.add(key);
      completing = true;
    },
  };
}
