import { createReconciler } from '../../../src/core/index.ts';
import { createMirror } from '../../../src/core/mirroring/mirror.ts';
import type { SlicePlan } from '../../../src/core/slices/plan.ts';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from '../../../src/types/index.ts';
import type { SliceCase, SliceMode, SliceOutcome, SliceResult, SliceStep, SliceWrite } from './case.ts';

/** One sync: what it started from, and what the two did. */
export interface SlicePair {
  readonly theirs: SliceOutcome;
  readonly ours: SliceOutcome;
}

export interface ReplayOptions {
  readonly version: string;
  readonly timeZone: string;
}

/**
 * What the library does at each sync of a case, beside what the oracle did. A controller packs at random, so that the library
 * starts every sync from the oracle's slices, and hears of the oracle's writes instead of its own: one choice of the
 * controller's does not carry on into the syncs after it.
 */
export function replaySlices(mode: SliceMode, testCase: SliceCase, { syncs }: SliceResult, options: ReplayOptions): SlicePair[] {
  const planner = planners[mode](testCase, options);
  let state: State = { service: undefined, pods: [], nodes: [], endpoints: undefined };
  let [before, after]: readonly (readonly EndpointSliceInput[])[] = [[], []];
  const steps: readonly SliceStep[] = [testCase, ...(testCase.steps ?? [])];
  return syncs.map((theirs, i) => {
    const step = steps[i] ?? {};
    state = advance(state, step);
    const current = step.lag ? (before ?? []) : (theirs.given ?? step.slices ?? after ?? []);
    if (step.slices) forgetGone(planner, after ?? [], step.slices);
    const ours = planner.sync(state, current);
    tell(planner, current, theirs.slices);
    [before, after] = [current, theirs.slices];
    return { theirs, ours };
  });
}

interface State {
  readonly service: Service | undefined;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly endpoints: EndpointsInput | undefined;
}

/** What the reconciler and the mirror have in common. */
interface Planner {
  sync(state: State, current: readonly EndpointSliceInput[]): SliceOutcome;
  observe(slice: EndpointSliceInput): void;
  expectDeletion(slice: EndpointSliceInput): void;
  handleDeletion(slice: EndpointSliceInput): boolean;
}

const planners: Readonly<Record<SliceMode, (testCase: SliceCase, options: ReplayOptions) => Planner>> = {
  slices: ({ key, max }, options) => {
    const reconciler = createReconciler({ ...options, maxEndpointsPerSlice: max });
    return {
      sync: ({ service, pods, nodes }, current) => carryOut(reconciler.reconcileSlices({ key, service, pods, nodes, current }), current),
      observe: (slice) => reconciler.observe(slice),
      expectDeletion: (slice) => reconciler.expectDeletion(slice),
      handleDeletion: (slice) => reconciler.handleDeletion(slice),
    };
  },
  mirror: ({ key, max }, { version }) => {
    const mirror = createMirror({ version, maxEndpointsPerSubset: max });
    return {
      sync: ({ service, endpoints }, current) => carryOut(mirror.mirror({ key, service, endpoints, current }), current),
      observe: (slice) => mirror.observe(slice),
      expectDeletion: (slice) => mirror.expectDeletion(slice),
      handleDeletion: (slice) => mirror.handleDeletion(slice),
    };
  },
};

/** The outcome of a plan where every write succeeds; new slices are named by their number. */
function carryOut(plan: SlicePlan, current: readonly EndpointSliceInput[]): SliceOutcome {
  const written = new Map(plan.update.map((slice) => [nameOf(slice), slice]));
  const deleted = new Set(plan.delete.map(nameOf));
  const writes: SliceWrite[] = [
    ...plan.create.map((object) => ({ verb: 'create' as const, object })),
    ...plan.update.map((object) => ({ verb: 'update' as const, object })),
    ...plan.delete.map(({ metadata }) => ({ verb: 'delete' as const, name: metadata.name })),
  ];
  const kept = current.filter((slice) => !deleted.has(nameOf(slice))).map((slice) => written.get(nameOf(slice)) ?? slice);
  return { writes, events: plan.events, ...(plan.retry && { error: 'retry' }), slices: [...kept, ...plan.create] };
}

function advance(state: State, step: SliceStep): State {
  return {
    service: step.serviceDeleted ? undefined : (step.service ?? state.service),
    pods: step.pods ?? state.pods,
    nodes: step.nodes ?? state.nodes,
    endpoints: step.endpointsDeleted ? undefined : (step.endpoints ?? state.endpoints),
  };
}

/** Reports the oracle's writes, as an API server answers them and as a cache then sees them. */
function tell(planner: Planner, before: readonly EndpointSliceInput[], after: readonly EndpointSliceInput[]): void {
  const known = new Map(before.map((slice) => [nameOf(slice), slice.metadata?.resourceVersion]));
  const left = new Set(after.map(nameOf));
  for (const slice of after) if (known.get(nameOf(slice)) !== slice.metadata?.resourceVersion) planner.observe(slice);
  for (const slice of before) if (!left.has(nameOf(slice))) planner.expectDeletion(slice);
  for (const slice of before) if (!left.has(nameOf(slice))) planner.handleDeletion(slice);
}

function forgetGone(planner: Planner, before: readonly EndpointSliceInput[], after: readonly EndpointSliceInput[]): void {
  const left = new Set(after.map(nameOf));
  for (const slice of before) if (!left.has(nameOf(slice))) planner.handleDeletion(slice);
}

const nameOf = ({ metadata }: Pick<EndpointSliceInput, 'metadata'>): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
