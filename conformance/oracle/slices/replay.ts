import { createMirror, createReconciler, type Mirror, type Reconciler, type SlicePlan } from 'kube-endpoints';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { withPodFeeds } from '../../../test/property/on-feed.ts';
import { optionsFor } from '../feature-gates.ts';
import type { SliceCase, SliceMode, SliceOutcome, SliceResult, SliceStep, SliceWrite } from './case.ts';

/** Both outcomes of one sync. */
export interface SlicePair {
  readonly theirs: SliceOutcome;
  readonly ours: SliceOutcome;
}

/**
 * Returns the library's outcome of each sync, with the oracle's. A controller packs randomly, so the library starts every
 * sync from the oracle's slices and observes the oracle's writes instead of its own: a random choice does not affect
 * later syncs.
 */
export function replaySlices(planner: SlicePlanner, testCase: SliceCase, { syncs }: SliceResult): SlicePair[] {
  let state = initialState;
  let [before, after]: readonly (readonly EndpointSliceInput[])[] = [[], []];
  const steps: readonly SliceStep[] = [testCase, ...(testCase.steps ?? [])];
  let wasDeleted = false;
  return syncs.map((theirs, i) => {
    const step = steps[i] ?? {};
    wasDeleted ||= step.serviceDeleted === true;
    state = advance(state, step);
    const current = step.lag ? (before ?? []) : (theirs.given ?? step.slices ?? after ?? []);
    if (step.slices) reportDeletions(planner, after ?? [], step.slices);
    const ours = planner.sync(state, current);
    reportWrites(planner, current, theirs.slices);
    [before, after] = [current, theirs.slices];
    return wasDeleted ? { theirs: removeHintEvents(theirs), ours: removeHintEvents(ours) } : { theirs, ours };
  });
}

/**
 * The controller never forgets that a Service had topology hints, so a recreated Service may get the Event that hints were disabled,
 * but not the one that they were enabled. The library forgets deleted Services.
 */
const removeHintEvents = (outcome: SliceOutcome): SliceOutcome => ({
  ...outcome,
  events: outcome.events.filter(({ message }) => !message.startsWith('Topology Aware Hints has been ')),
  ...(outcome.others && { others: outcome.others.map(removeHintEvents) }),
});

interface State {
  readonly service: Service | undefined;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly endpoints: EndpointsInput | undefined;
}

const initialState: State = { service: undefined, pods: [], nodes: [], endpoints: undefined };

/** The common interface of reconciler and mirror, for one Service. */
export interface SlicePlanner {
  sync(state: State, current: readonly EndpointSliceInput[]): SliceOutcome;
  observe(slice: EndpointSliceInput): void;
  expectDeletion(slice: EndpointSliceInput): void;
  handleDeletion(slice: EndpointSliceInput): boolean;
}

export const plannerFor = (mode: SliceMode, { key, max }: SliceCase, version: string, timeZone: string): SlicePlanner =>
  mode === 'slices'
    ? reconcilerPlanner(createReconciler({ ...optionsFor(version), timeZone, maxEndpointsPerSlice: max }), key)
    : mirrorPlanner(createMirror({ ...optionsFor(version), maxEndpointsPerSubset: max }), key);

/** Like plannerFor, with a pod feed; mirroring uses no pods. */
export const feedPlannerFor = (mode: SliceMode, testCase: SliceCase, version: string, timeZone: string): SlicePlanner =>
  mode === 'slices'
    ? reconcilerPlanner(
        withPodFeeds(createReconciler({ ...optionsFor(version), timeZone, maxEndpointsPerSlice: testCase.max })),
        testCase.key,
      )
    : plannerFor(mode, testCase, version, timeZone);

export const reconcilerPlanner = (reconciler: Reconciler, key: string): SlicePlanner => ({
  sync: ({ service, pods, nodes }, current) => applyPlan(reconciler.reconcileSlices({ key, service, pods, nodes, current }), current),
  observe: (slice) => reconciler.observe(slice),
  expectDeletion: (slice) => reconciler.expectDeletion(slice),
  handleDeletion: (slice) => reconciler.handleDeletion(slice),
});

export const mirrorPlanner = (mirror: Mirror, key: string): SlicePlanner => ({
  sync: ({ service, endpoints }, current) => applyPlan(mirror.mirror({ key, service, endpoints, current }), current),
  observe: (slice) => mirror.observe(slice),
  expectDeletion: (slice) => mirror.expectDeletion(slice),
  handleDeletion: (slice) => mirror.handleDeletion(slice),
});

/** Returns the library's outcomes if each sync sees its own previous writes. */
export function replayAlone(planner: SlicePlanner, testCase: SliceCase): SliceOutcome[] {
  let state = initialState;
  let [before, after]: readonly (readonly EndpointSliceInput[])[] = [[], []];
  let revision = 1000;
  return [testCase, ...(testCase.steps ?? [])].map((step) => {
    state = advance(state, step);
    const current = step.lag ? (before ?? []) : (step.slices ?? after ?? []);
    if (step.slices) reportDeletions(planner, after ?? [], step.slices);
    const outcome = planner.sync(state, current);
    const stored = outcome.slices.map((slice) => (current.includes(slice) ? slice : addServerFields(slice, current, ++revision)));
    reportWrites(planner, current, stored);
    [before, after] = [current, stored];
    return outcome;
  });
}

/** Adds the fields that an API server adds to a slice. */
function addServerFields(
  { metadata, ...slice }: EndpointSliceInput,
  current: readonly EndpointSliceInput[],
  revision: number,
): EndpointSliceInput {
  const { generateName = '' } = metadata as { readonly generateName?: string };
  const name = metadata?.name ?? `${generateName}${revision}`;
  const previous = current.find((each) => nameOf(each) === `${metadata?.namespace}/${name}`)?.metadata;
  const generation = (previous?.generation ?? 0) + 1;
  return { ...slice, metadata: { ...metadata, name, uid: previous?.uid ?? `uid-${name}`, resourceVersion: String(revision), generation } };
}

/** Returns the outcome of a plan if every write succeeds. */
function applyPlan(plan: SlicePlan, current: readonly EndpointSliceInput[]): SliceOutcome {
  const written = new Map(plan.update.map((slice) => [nameOf(slice), slice]));
  const deleted = new Set(plan.delete.map(nameOf));
  const writes: SliceWrite[] = [
    ...plan.create.map((object) => ({ verb: 'create' as const, object })),
    ...plan.update.map((object) => ({ verb: 'update' as const, object })),
    ...plan.delete.map(({ metadata }) => ({ verb: 'delete' as const, name: metadata.name })),
  ];
  const remaining = current.filter((slice) => !deleted.has(nameOf(slice))).map((slice) => written.get(nameOf(slice)) ?? slice);
  return { writes, events: plan.events, ...(plan.retry && { error: 'retry' }), slices: [...remaining, ...plan.create] };
}

function advance(state: State, step: SliceStep): State {
  return {
    service: step.serviceDeleted ? undefined : (step.service ?? state.service),
    pods: step.pods ?? state.pods,
    nodes: step.nodes ?? state.nodes,
    endpoints: step.endpointsDeleted ? undefined : (step.endpoints ?? state.endpoints),
  };
}

/** Reports writes to the planner: the stored result of each create or update, each delete request, and the watch events of deletions. */
function reportWrites(planner: SlicePlanner, before: readonly EndpointSliceInput[], after: readonly EndpointSliceInput[]): void {
  const versions = new Map(before.map((slice) => [nameOf(slice), slice.metadata?.resourceVersion]));
  const names = new Set(after.map(nameOf));
  for (const slice of after) if (versions.get(nameOf(slice)) !== slice.metadata?.resourceVersion) planner.observe(slice);
  for (const slice of before) if (!names.has(nameOf(slice))) planner.expectDeletion(slice);
  for (const slice of before) if (!names.has(nameOf(slice))) planner.handleDeletion(slice);
}

function reportDeletions(planner: SlicePlanner, before: readonly EndpointSliceInput[], after: readonly EndpointSliceInput[]): void {
  const names = new Set(after.map(nameOf));
  for (const slice of before) if (!names.has(nameOf(slice))) planner.handleDeletion(slice);
}

const nameOf = ({ metadata }: Pick<EndpointSliceInput, 'metadata'>): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
