import { createSlotMap, type SlotMap } from '../../go/slot-map.ts';
import type { NodeLifecycleOptions } from './options.ts';
import { createTaintQueue, type TaintQueue } from './taint-queue.ts';

export type ZoneState = 'initial' | 'normal' | 'partialDisruption' | 'fullDisruption';

/** The zones of nodes, their states, and their nodes that wait for a taint. */
export interface Zones {
  /** Adds a zone with an empty queue, if it has no state. */
  add(zone: string): void;
  queueOf(zone: string): TaintQueue;
  queues(): Iterable<TaintQueue>;
  /** Computes the states of zones from the readiness of their nodes. */
  plan(readiness: ReadonlyMap<string, readonly boolean[]>): ZonePlan;
}

/**
 * New states of zones. In full disruption, with no ready node in any zone, no node is tainted. Mirrors handleDisruption (1.36,
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go).
 */
export interface ZonePlan {
  /** Whether the cluster enters or leaves full disruption. */
  readonly change: 'none' | 'entered' | 'left';
  /** Sets the states and rates. */
  apply(now: number): void;
}

export function createZones(options: NodeLifecycleOptions): Zones {
  const states = createSlotMap<ZoneState | undefined>();
  const queues = new Map<string, TaintQueue>();
  const setState = (zone: string, size: number, state: ZoneState | undefined, now: number): void => {
    states.set(zone, state);
    const rate = state && rateOf(options, state, size);
    if (rate !== undefined) queues.get(zone)?.setRate(rate, now);
  };
  const stopAll = (now: number): void => {
    for (const [zone] of states.entries()) {
      queues.get(zone)?.setRate(0, now);
      states.set(zone, 'fullDisruption');
    }
  };
  return {
    add(zone) {
      if (states.has(zone)) return;
      states.set(zone, 'initial');
      queues.set(zone, createTaintQueue(options.evictionRate));
    },
    queueOf: (zone) => queues.get(zone) as TaintQueue,
    queues: () => queues.values(),
    plan(readiness) {
      const next = new Map([...readiness].map(([zone, nodes]) => [zone, computeState(options, nodes)]));
      for (const zone of next.keys()) if (!states.has(zone)) states.set(zone, 'initial');
      const isFull = [...next.values()].every((state) => state === 'fullDisruption');
      const wasFull = dropZones(states, next);
      if (isFull && wasFull) return { change: 'none', apply: () => {} };
      if (isFull) return { change: 'entered', apply: stopAll };
      const apply = (now: number): void => {
        for (const [zone, state] of states.entries())
          if (wasFull || state !== next.get(zone)) setState(zone, readiness.get(zone)?.length ?? 0, next.get(zone), now);
      };
      return { change: wasFull ? 'left' : 'none', apply };
    },
  };
}

/** Forgets zones without nodes, up to the first that is not in full disruption. Returns whether all others are in full disruption. */
function dropZones(states: SlotMap<ZoneState | undefined>, next: ReadonlyMap<string, ZoneState>): boolean {
  for (const [zone, state] of states.entries()) {
    if (!next.has(zone)) states.delete(zone);
    else if (state !== 'fullDisruption') return false;
  }
  return true;
}

/** Mirrors ComputeZoneState. */
function computeState({ unhealthyZoneThreshold }: NodeLifecycleOptions, nodes: readonly boolean[]): ZoneState {
  const unready = nodes.filter((isReady) => !isReady).length;
  if (unready === nodes.length && unready > 0) return 'fullDisruption';
  const share = Math.fround(unready / nodes.length);
  return unready > 2 && share >= Math.fround(unhealthyZoneThreshold) ? 'partialDisruption' : 'normal';
}

/** Mirrors setLimiterInZone. */
function rateOf(options: NodeLifecycleOptions, state: ZoneState, size: number): number | undefined {
  if (state === 'initial') return undefined;
  if (state !== 'partialDisruption') return options.evictionRate;
  return size > options.largeClusterThreshold ? options.secondaryEvictionRate : 0;
}
