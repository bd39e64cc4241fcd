import type { TimelineEntry } from '../engine/timeline.ts';
import type { DropKind } from './drop.ts';

/** What fails together: a kind of failure of a pod's endpoints, or of a Service without endpoints. */
export interface Failure {
  readonly kind: DropKind;
  readonly service: string;
  /** "namespace/name" of the pod; undefined if no pod is involved. */
  readonly pod: string | undefined;
  /** The name of the lost node, if one is the reason. */
  readonly node?: string;
  readonly lacksReadinessProbe?: boolean;
}

/** A period in which one failure exists for at least one client. */
export interface Period extends Failure {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly start: TimelineEntry;
  /** The entry that ended the failure for the last client; undefined if it is ongoing. */
  end?: TimelineEntry;
  readonly actors: Set<string>;
  /** The largest share of one client's connections that fail, of all failures that exist at the time. */
  share: number;
  endpoints: number;
}

/** Collects failures of many clients into periods. */
export interface Periods {
  /** Begins a failure for a client. Returns the period, for `end`. */
  begin(failure: Failure, entry: TimelineEntry, actor: string): Period;
  end(period: Period, entry: TimelineEntry): void;
  /** All periods, in the order in which they began. */
  list(): readonly Period[];
}

export function createPeriods(): Periods {
  const periods: Period[] = [];
  const open = new Map<string, { readonly period: Period; count: number }>();
  const keyOf = ({ kind, service, pod, node }: Failure): string => `${kind} ${service} ${pod ?? ''} ${node ?? ''}`;
  return {
    list: () => periods,
    begin: (failure, entry, actor) => {
      const key = keyOf(failure);
      const known = open.get(key);
      if (known) {
        known.count += 1;
        known.period.actors.add(actor);
        return known.period;
      }
      const period: Period = { ...failure, from: entry.at, start: entry, actors: new Set([actor]), share: 0, endpoints: 0 };
      periods.push(period);
      open.set(key, { period, count: 1 });
      return period;
    },
    end: (period, entry) => {
      const known = open.get(keyOf(period));
      if (known?.period !== period) return;
      known.count -= 1;
      if (known.count > 0) return;
      open.delete(keyOf(period));
      period.end = entry;
    },
  };
}
