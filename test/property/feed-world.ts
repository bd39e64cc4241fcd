import type { Pod, Service } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { type Change, change, changeLists, createWorld, type World } from './slices-world.ts';

/** What happens before a sync, and how it is done. */
export interface FeedStep {
  readonly changes: readonly Change[];
  readonly moves: readonly Move[];
  /** Whether the cache shows what was there before the last writes. */
  readonly lags: boolean;
  /** Whether the host that mixes both hands in a feed. */
  readonly feeds: boolean;
  readonly event: Event;
}

const events = [
  'forget',
  'unmanage',
  'unmanage',
  'delete',
  'foreignWrite',
  'foreignWrite',
  'tolerate',
  'age',
  'relabel',
  'relabel',
] as const;
type Event = 'none' | (typeof events)[number];

/** A pod's readiness changes at some time; it may come to look like another. */
interface Move {
  readonly at: number;
  readonly ready: boolean;
  readonly time: string | Date | null;
  readonly like: number | undefined;
}

/** It stays for one step: nothing is planned as long as it is there. */
const noTime = 'no time';

const instants = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 59 }).map((second) => `2026-01-01T12:00:${String(second).padStart(2, '0')}Z`) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 59 }).map((second) => new Date(Date.UTC(2026, 0, 1, 12, 0, second))) },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01T00:00:00Z', noTime, null) },
);

const likes = fc.integer({ min: 0, max: 63 }).map((n) => (n < 12 ? n : undefined));

const steps: fc.Arbitrary<FeedStep> = fc.record({
  changes: changeLists,
  moves: fc.array(fc.record({ at: fc.nat({ max: 63 }), ready: fc.boolean(), time: instants, like: likes }), { maxLength: 3 }),
  lags: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  feeds: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  event: fc.constantFrom<Event[]>(...Array<'none'>(40).fill('none'), ...events),
});

/** So many steps. They are not shrunk: a step builds on all before it. */
export const feedSteps = (count: number): fc.Arbitrary<FeedStep[]> =>
  fc.noShrink(fc.array(steps, { minLength: count, maxLength: count, size: 'max' }));

/** A world that goes through steps. */
export function createFeedWorld(): { readonly world: World; take(step: FeedStep): Service | undefined } {
  const world = createWorld();
  return {
    world,
    take({ changes, moves, event }) {
      for (const [i, pod] of world.pods.entries()) if (timeOf(pod) === noTime) world.pods[i] = withReadiness(pod, true, null);
      for (const each of changes) change(world, each);
      for (const move of moves) applyMove(world, move);
      const { metadata } = world.service;
      if (event === 'tolerate')
        world.service = { ...world.service, metadata: { ...metadata, annotations: toggled(metadata?.annotations) } };
      if (event === 'age') world.service = { ...world.service, metadata: { ...metadata, creationTimestamp: '2026-01-01T12:00:30Z' } };
      if (event === 'relabel') world.service = { ...world.service, metadata: { ...metadata, labels: { turn: String(world.made) } } };
      if (event === 'delete') return undefined;
      return event === 'unmanage' ? { ...world.service, spec: { ...world.service.spec, selector: null } } : world.service;
    },
  };
}

const tolerate = 'service.alpha.kubernetes.io/tolerate-unready-endpoints';
const toggled = (annotations: NonNullable<Service['metadata']>['annotations']): Record<string, string> => ({
  ...annotations,
  [tolerate]: String(annotations?.[tolerate] !== 'true'),
});

const timeOf = ({ status }: Pod): unknown => status?.conditions?.[0]?.lastTransitionTime;

const withReadiness = (pod: Pod, ready: boolean, time: Move['time']): Pod => ({
  ...pod,
  status: { ...pod.status, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: time }] },
});

function applyMove({ pods }: World, { at, ready, time, like }: Move): void {
  if (pods.length === 0) return;
  const place = at % pods.length;
  const pod = withReadiness(pods[place] as Pod, ready, time);
  const other = like === undefined ? undefined : pods[like % pods.length];
  pods[place] = other
    ? { ...pod, metadata: { ...pod.metadata, uid: other.metadata?.uid }, status: { ...other.status, conditions: pod.status?.conditions } }
    : pod;
}
