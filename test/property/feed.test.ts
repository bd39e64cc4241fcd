import { describe, expect, it } from 'vitest';
import {
  computeEndpointSlices,
  computeEndpoints,
  createReconciler,
  type Endpoints,
  type EndpointsInput,
  type Reconciler,
  type Service,
} from '../../src/index.ts';
import type { EndpointSliceInput } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { runs } from '../support/sample.ts';
import { freezeDeeply } from './check.ts';
import { createFeedWorld, type FeedStep, feedSteps } from './feed-world.ts';
import { onFeed } from './on-feed.ts';
import { sliceVersions, versions } from './releases.ts';
import { createSliceStore } from './slices-store.ts';

/** A run over a sample, as for each of many mutants, is shorter. */
const key = 'shop/web';

/** Hosts of lists, of feeds, and of both by turns, whose reconcilers are told the same. */
function createHosts(create: () => Reconciler): { readonly all: readonly Reconciler[]; turn(feeds: boolean): void } {
  let isOn = true;
  return {
    all: [create(), onFeed(create()), onFeed(create(), () => isOn)],
    turn(feeds) {
      isOn = feeds;
    },
  };
}

/** What each host plans, or the message of what is thrown; all are to be the same, and the first is handed out. */
function planAlike<Plan>(hosts: readonly Reconciler[], plan: (host: Reconciler) => Plan, place: string): Plan | string {
  const [first, ...others] = hosts.map((host) => {
    try {
      return plan(host);
    } catch (error) {
      return (error as Error).message;
    }
  });
  for (const other of others) expect(other, place).toStrictEqual(first);
  return first as Plan | string;
}

const checkSteps = (count: number, numRuns: number, list: readonly string[], run: (steps: readonly FeedStep[], version: string) => void) =>
  fc.assert(
    fc.property(feedSteps(runs(count)), (steps) => {
      for (const version of list) run(steps, version);
    }),
    { numRuns },
  );

describe('Endpoints', () => {
  it('are planned on feeds as they are on lists, and come to what is computed', () => {
    checkSteps(120, 4, versions, runEndpoints);
  });
});

function runEndpoints(steps: readonly FeedStep[], version: string): void {
  const { world, take } = createFeedWorld();
  const hosts = createHosts(() => createReconciler({ version, rosterFrom: steps.length % 4 }));
  let [before, current]: (EndpointsInput | undefined)[] = [];
  for (const [i, step] of steps.entries()) {
    hosts.turn(step.feeds);
    const service = take(step);
    if (step.event === 'forget') for (const host of hosts.all) host.forget(key);
    if (step.event === 'foreignWrite' && current) current = stored({ ...current, subsets: [] } as unknown as Endpoints, i);
    const input = { key, service, pods: world.pods, current: step.lags ? before : current };
    const plan = planAlike(hosts.all, (host) => host.reconcile(input), `${version}, step ${i}`);
    if (typeof plan === 'string') continue;
    before = current;
    if (plan.action === 'delete') current = undefined;
    if (!plan.object) continue;
    expect(plan.object.subsets ?? [], version).toEqual(computeEndpoints(service as Service, world.pods, { version })?.subsets ?? []);
    if (input.current !== current) continue;
    current = stored(plan.object, 1000 + i);
    for (const host of hosts.all) host.observe(current);
  }
}

const stored = (object: Endpoints, version: number): EndpointsInput =>
  freezeDeeply({ ...structuredClone(object), metadata: { ...structuredClone(object.metadata), resourceVersion: String(version) } });

describe('EndpointSlices', () => {
  it('are planned on feeds as they are on lists', () => {
    checkSteps(120, 4, sliceVersions, runSlices);
  });
});

function runSlices(steps: readonly FeedStep[], version: string): void {
  const { world, take } = createFeedWorld();
  const maxEndpointsPerSlice = 3;
  const hosts = createHosts(() => createReconciler({ version, maxEndpointsPerSlice, rosterFrom: steps.length % 4 }));
  const store = createSliceStore();
  let [before, current]: (readonly EndpointSliceInput[])[] = [[], []];
  for (const [i, step] of steps.entries()) {
    hosts.turn(step.feeds);
    const service = take(step);
    if (step.event === 'forget') for (const host of hosts.all) host.forget(key);
    const lags = step.lags || step.event === 'foreignWrite';
    const { pods, nodes } = world;
    const input = { key, service, pods, nodes, current: lags ? (before ?? []) : (current ?? []) };
    const plan = planAlike(hosts.all, (host) => host.reconcileSlices(input), `${version}, step ${i}`);
    if (typeof plan === 'string') continue;
    if (input.current.length === 0 && service && !plan.retry) {
      expect(plan.create.map(({ endpoints }) => endpoints)).toEqual(
        computeEndpointSlices(service, pods, { version, nodes, maxEndpointsPerSlice }).map(({ endpoints }) => endpoints),
      );
    }
    before = current;
    if (lags || plan.retry) continue;
    const { written, deleted } = store.apply(plan);
    for (const host of hosts.all) {
      for (const slice of written) host.observe(slice);
      for (const slice of deleted) host.expectDeletion(slice);
      for (const slice of deleted) host.handleDeletion(slice);
    }
    current = store.list();
  }
}
