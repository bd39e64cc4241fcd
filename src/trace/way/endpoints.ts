import { canonicalIP, objectKey } from '../../apimachinery/index.ts';
import { checkAgreement, sliceController, sliceManagedByLabel } from '../../spec/index.ts';
import type { EndpointInput, EndpointSliceInput, ObjectReference, Optional } from '../../types/index.ts';
import type { Cluster } from '../cluster.ts';
import type { TraceService } from '../objects.ts';
import { clause, enumerate, item, note } from '../reasons.ts';
import { type Draft, draft, type TraceItem, type TraceNote } from '../trace.ts';
import { namesOf } from './policy.ts';
import { verdictNote } from './problems.ts';
import type { ViewedEndpoint, Viewpoint } from './viewpoints.ts';

/** The step of the endpoints as node rules see them. @param stale notes about slices that are out of date */
export function endpointsStep(viewpoints: readonly Viewpoint[], notes: readonly TraceNote[], stale: readonly TraceNote[]): Draft {
  const all = merged(viewpoints);
  const used = all.filter(({ usedBy }) => usedBy.length > 0);
  const unused = all.filter(({ usedBy }) => usedBy.length === 0);
  const isFallback = used.some(({ codes }) => codes.has('TerminatingFallback'));
  const error =
    all.length === 0 ? note('NoEndpoints') : viewpoints.every(({ port }) => !port.hasAny) ? note('NoUsableEndpoint') : undefined;
  const isNarrowed = isFallback || stale.length > 0 || unused.some(({ codes }) => codes.has('NotReady'));
  return draft('endpoints', 'Endpoints', {
    outcome: used.length === 0 ? 'error' : isNarrowed ? 'warning' : 'ok',
    notes: [...(error ? [error] : []), ...notes, ...stale],
    chosen: used.map((each) => usedItem(each, viewpoints.length)),
    leftOut: unused.map(({ viewed, codes }) => endpointItem(viewed.endpoint, [...codes].map(verdictNote))),
    blame: blameOf(error, unused, stale, isFallback),
  });
}

function blameOf(
  wrong: TraceNote | undefined,
  unused: readonly Merged[],
  stale: readonly TraceNote[],
  isFallback: boolean,
): string | undefined {
  const [first] = stale;
  if (wrong) return clause((first ?? wrong).message);
  if (isFallback) return 'no endpoint is ready, and only terminating endpoints get traffic';
  const notReady = unused.filter(({ codes }) => codes.has('NotReady')).map(({ viewed }) => nameOfEndpoint(viewed.endpoint));
  if (notReady.length > 0) return `${enumerate(notReady, 3)} ${notReady.length === 1 ? 'is' : 'are'} not ready`;
  return first && clause(first.message);
}

/** An endpoint with its verdicts from all places. */
interface Merged {
  readonly viewed: ViewedEndpoint;
  readonly codes: ReadonlySet<ViewedEndpoint['code']>;
  readonly usedBy: readonly Viewpoint[];
}

function merged(viewpoints: readonly Viewpoint[]): Merged[] {
  const found = new Map<string, { viewed: ViewedEndpoint; codes: Set<ViewedEndpoint['code']>; usedBy: Viewpoint[] }>();
  for (const viewpoint of viewpoints) {
    for (const viewed of viewpoint.endpoints) {
      const { text } = viewed.endpoint;
      const known = found.get(text) ?? { viewed, codes: new Set(), usedBy: [] };
      found.set(text, known);
      known.codes.add(viewed.code);
      if (viewed.isUsed) known.usedBy.push(viewpoint);
    }
  }
  return [...found.values()];
}

function usedItem({ viewed, codes, usedBy }: Merged, viewpoints: number): TraceItem {
  const fallback = codes.has('TerminatingFallback') ? [verdictNote('TerminatingFallback')] : [];
  const from = usedBy.length < viewpoints ? [note('UsedFrom', { nodes: enumerate(usedBy.map(namesOf)) })] : [];
  return endpointItem(viewed.endpoint, [...fallback, ...from]);
}

/** Identifies an endpoint: by its pod, else by its address. */
export interface EndpointLike {
  /** "10.0.0.1:8080", or the address alone. */
  readonly text: string;
  readonly targetRef?: Optional<ObjectReference>;
}

export const endpointItem = (endpoint: EndpointLike, notes: readonly TraceNote[]): TraceItem =>
  item(idOf(endpoint), [podIn(endpoint)?.name, endpoint.text].filter(Boolean).join(' '), notes);

export function idOf(endpoint: EndpointLike): string {
  const pod = podIn(endpoint);
  return pod ? `pod/${pod.namespace ?? ''}/${pod.name ?? ''}` : `endpoint/${endpoint.text}`;
}

const podIn = ({ targetRef }: EndpointLike): ObjectReference | undefined =>
  targetRef?.kind === 'Pod' && targetRef.name ? targetRef : undefined;

export const nameOfEndpoint = (endpoint: EndpointLike): string => podIn(endpoint)?.name ?? endpoint.text;

/** Reports slices that do not match the Service's pods. */
export function staleSlices(service: TraceService, cluster: Cluster): TraceNote[] {
  const wantedSlices = cluster.slicesAreComputed ? undefined : cluster.desiredSlicesOf(service);
  if (!wantedSlices) return [];
  const wanted = statesIn(wantedSlices);
  const existing = statesIn(cluster.slicesOf(service).filter(isOfController));
  const missing = [...wanted].filter(([key]) => !existing.has(key));
  const extra = [...existing].filter(([key]) => !wanted.has(key));
  const changed = [...wanted].filter(([key, { state }]) => existing.has(key) && existing.get(key)?.state !== state);
  const noteChanges = (code: 'SlicesLack' | 'SlicesHaveMore' | 'SlicesDiffer', found: typeof missing): TraceNote[] => {
    const names = [...new Set(found.map(([, { name }]) => name))];
    return names.length > 0 ? [note(code, { endpoints: enumerate(names) }, 'endpointslice.endpoints')] : [];
  };
  return [...noteChanges('SlicesLack', missing), ...noteChanges('SlicesHaveMore', extra), ...noteChanges('SlicesDiffer', changed)];
}

/** Reports an Endpoints object that does not match the Service's slices. */
export function staleEndpoints(service: TraceService, { objects, slicesAreComputed, slicesOf }: Cluster): TraceNote[] {
  const endpoints = objects.endpoints?.find((each) => objectKey(each) === objectKey(service));
  if (!endpoints || slicesAreComputed) return [];
  const { agrees } = checkAgreement(endpoints, slicesOf(service), { service });
  return agrees ? [] : [note('EndpointsBehind', {}, 'endpoints.subsets')];
}

/** A slice without the managed-by label counts as the controller's. Slices of other writers are not compared. */
const isOfController = ({ metadata }: EndpointSliceInput): boolean =>
  (metadata?.labels?.[sliceManagedByLabel] ?? sliceController) === sliceController;

interface State {
  readonly name: string;
  readonly state: string;
}

/** By address and port. */
function statesIn(slices: readonly EndpointSliceInput[]): Map<string, State> {
  const found = new Map<string, State>();
  for (const { endpoints, ports } of slices) {
    for (const endpoint of endpoints ?? []) {
      for (const address of endpoint.addresses ?? []) {
        const text = canonicalIP(address) ?? address;
        const name = nameOfEndpoint({ text, targetRef: endpoint.targetRef });
        for (const port of ports?.length ? ports : [{}]) found.set(`${text} ${portText(port)}`, { name, state: stateOf(endpoint) });
      }
    }
  }
  return found;
}

type SlicePort = NonNullable<EndpointSliceInput['ports']>[number];

const portText = ({ name, port, protocol }: SlicePort): string => `${name ?? ''}:${port ?? ''}/${protocol || 'TCP'}`;

/** Before 1.22, slices report readiness only. */
const stateOf = ({ conditions }: EndpointInput): string =>
  conditions?.ready !== false ? 'ready' : conditions.terminating ? `terminating${conditions.serving ? ', serving' : ''}` : 'not ready';
