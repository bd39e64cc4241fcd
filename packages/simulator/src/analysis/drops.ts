import type { TimelineEntry } from '../engine/timeline.ts';
import { type ClientSettings, clientDefaults, type Drop, type DropKind } from './drop.ts';
import { findFailures } from './failures.ts';
import type { Period } from './periods.ts';

export interface DropOptions {
  readonly clients?: Partial<ClientSettings>;
  /** The time of the change in milliseconds since the epoch. Failures that began before it are left out. */
  readonly since: number;
}

/**
 * Finds the periods in which requests fail, merged by kind and Service, in the order in which they begin.
 * @param timeline complete: the id of each entry is its position
 */
export function findDrops(timeline: readonly TimelineEntry[], { clients, since }: DropOptions): Drop[] {
  const groups: Period[][] = [];
  const newest = new Map<string, { group: Period[]; until: number }>();
  for (const period of findFailures(timeline, { ...clientDefaults, ...clients })) {
    // A failure that ends at the moment in which it begins lets no connection fail.
    if (period.from < since || (period.kind !== 'cut' && period.end?.at === period.from)) continue;
    const key = `${period.kind} ${period.service}`;
    const until = period.end?.at ?? Number.POSITIVE_INFINITY;
    const known = newest.get(key);
    if (known && period.from <= known.until + maxGapMs) {
      known.group.push(period);
      known.until = Math.max(known.until, until);
    } else {
      const group = [period];
      groups.push(group);
      newest.set(key, { group, until });
    }
  }
  return groups.map((group) => createDrop(timeline, group, since));
}

/** The type of entry that lets connections work again, by kind of the drop. */
const reopenings: Readonly<Partial<Record<DropKind, TimelineEntry['type']>>> = { closed: 'listener', nodeLost: 'node' };

/** Periods that are closer than this are merged into one. */
const maxGapMs = 1000;

function createDrop(timeline: readonly TimelineEntry[], periods: readonly Period[], since: number): Drop {
  const [first] = periods as readonly [Period, ...Period[]];
  const ends = periods.flatMap(({ end }) => end ?? []);
  const isOngoing = ends.length < periods.length;
  const last = ends.reduce<TimelineEntry | undefined>((a, b) => (a && a.at >= b.at ? a : b), undefined);
  const to = isOngoing ? (timeline.at(-1)?.at ?? first.from) : (last?.at ?? first.from);
  const nodes = sortedUnion(periods.flatMap(({ node }) => node ?? []));
  const written = ends.flatMap((end) => findSliceWrite(timeline, end)?.at ?? []);
  return {
    kind: first.kind,
    service: first.service,
    from: first.from - since,
    to: to - since,
    isOngoing,
    pods: sortedUnion(periods.flatMap(({ pod }) => pod ?? [])),
    ...(nodes.length > 0 && { nodes }),
    endpoints: maxOf(periods.map(({ endpoints }) => endpoints)),
    actors: sortedUnion(periods.flatMap(({ actors }) => [...actors])),
    ...(first.kind !== 'cut' && { share: maxOf(periods.map(({ share }) => share)) }),
    causes: listCauses(timeline, first.start),
    ...(!isOngoing && last && { endCauses: listCauses(timeline, last) }),
    ...(written.length > 0 && { slicesWritten: { from: -maxOf(written.map((at) => since - at)), to: maxOf(written) - since } }),
    ...(ends.some(({ type }) => type === reopenings[first.kind]) && { isReopened: true }),
    ...(!isOngoing && last && isHealthCheck(timeline, last) && { isEndedByChecks: true }),
    ...(periods.every(({ start }) => start.type === 'target') && { isDeregistered: true }),
    ...(periods.every(({ lacksReadinessProbe }) => lacksReadinessProbe) && { lacksReadinessProbe: true }),
  };
}

/** The ids from an entry back to its first cause. */
export function listCauses(timeline: readonly TimelineEntry[], entry: TimelineEntry): number[] {
  const ids: number[] = [];
  for (let next: TimelineEntry | undefined = entry; next; next = next.cause === undefined ? undefined : timeline[next.cause])
    ids.push(next.id);
  return ids;
}

/** The write of an EndpointSlice that led to a route. */
function findSliceWrite(timeline: readonly TimelineEntry[], route: TimelineEntry): TimelineEntry | undefined {
  if (route.type !== 'route') return undefined;
  const found = route.cause === undefined ? undefined : timeline[route.cause];
  const isWrite = found && (found.type === 'create' || found.type === 'update' || found.type === 'delete');
  return isWrite && found.object.kind === 'EndpointSlice' ? found : undefined;
}

/** Whether a route changed because a load balancer's target passed or failed its health checks. */
const isHealthCheck = (timeline: readonly TimelineEntry[], { type, cause }: TimelineEntry): boolean =>
  type === 'route' && cause !== undefined && timeline[cause]?.type === 'target';

const sortedUnion = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
const maxOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
