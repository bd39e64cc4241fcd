import { canonicalIP, objectKey } from '../../apimachinery/index.ts';
import { checkAgreement, sliceController, sliceManagedByLabel } from '../../spec/index.ts';
import type { EndpointInput, EndpointSliceInput, ObjectReference, Optional } from '../../types/index.ts';
import type { Cluster } from '../cluster.ts';
import type { TraceService } from '../objects.ts';
import { createItem, createNote, enumerate, removeFullStop } from '../reasons.ts';
import { createStep, type StepResult, type TraceItem, type TraceNote } from '../trace.ts';
import { describeNodes } from './policy.ts';
import type { Port } from './ports.ts';
import { createVerdictNote } from './problems.ts';
import type { ViewedEndpoint, Viewpoint } from './viewpoints.ts';

/**
 * Creates the step that shows which endpoints the rules of the nodes use.
 * @param staleNotes notes about outdated slices
 * @param absence why there are no endpoints, if there are none
 */
export function createEndpointsStep(
  viewpoints: readonly Viewpoint[],
  notes: readonly TraceNote[],
  staleNotes: readonly TraceNote[],
  absence: TraceNote,
): StepResult {
  const mergedEndpoints = mergeViewpoints(viewpoints);
  const usedEndpoints = mergedEndpoints.filter(({ usedBy }) => usedBy.length > 0);
  const unusedEndpoints = mergedEndpoints.filter(({ usedBy }) => usedBy.length === 0);
  const isFallback = usedEndpoints.some(({ codes }) => codes.has('TerminatingFallback'));
  const error =
    mergedEndpoints.length === 0 ? absence : viewpoints.every(({ port }) => !port.hasAny) ? createNote('NoUsableEndpoint') : undefined;
  const isNarrowed = isFallback || staleNotes.length > 0 || unusedEndpoints.some(({ codes }) => codes.has('NotReady'));
  return createStep('endpoints', 'Endpoints', {
    outcome: usedEndpoints.length === 0 ? 'error' : isNarrowed ? 'warning' : 'ok',
    notes: [...(error ? [error] : []), ...notes, ...staleNotes],
    chosen: usedEndpoints.map((each) => createUsedItem(each, viewpoints.length)),
    leftOut: unusedEndpoints.map(({ viewedEndpoint, codes }) =>
      createEndpointItem(viewedEndpoint.endpoint, [...codes].map(createVerdictNote)),
    ),
    cause: describeCause(error, unusedEndpoints, staleNotes, isFallback),
  });
}

function describeCause(
  error: TraceNote | undefined,
  unusedEndpoints: readonly MergedEndpoint[],
  staleNotes: readonly TraceNote[],
  isFallback: boolean,
): string | undefined {
  const [firstStaleNote] = staleNotes;
  if (error) return removeFullStop((firstStaleNote ?? error).message);
  if (isFallback) return 'no endpoint is ready, and only terminating endpoints get traffic';
  const notReadyNames = unusedEndpoints
    .filter(({ codes }) => codes.has('NotReady'))
    .map(({ viewedEndpoint }) => nameOfEndpoint(viewedEndpoint.endpoint));
  if (notReadyNames.length > 0) return `${enumerate(notReadyNames, 3)} ${notReadyNames.length === 1 ? 'is' : 'are'} not ready`;
  return firstStaleNote && removeFullStop(firstStaleNote.message);
}

/** An endpoint with its verdicts from all viewpoints. */
interface MergedEndpoint {
  readonly viewedEndpoint: ViewedEndpoint;
  readonly codes: ReadonlySet<ViewedEndpoint['code']>;
  readonly usedBy: readonly Viewpoint[];
}

function mergeViewpoints(viewpoints: readonly Viewpoint[]): MergedEndpoint[] {
  const mergedByText = new Map<string, { viewedEndpoint: ViewedEndpoint; codes: Set<ViewedEndpoint['code']>; usedBy: Viewpoint[] }>();
  for (const viewpoint of viewpoints) {
    for (const viewedEndpoint of viewpoint.endpoints) {
      const { text } = viewedEndpoint.endpoint;
      const endpoint = mergedByText.get(text) ?? { viewedEndpoint, codes: new Set(), usedBy: [] };
      mergedByText.set(text, endpoint);
      endpoint.codes.add(viewedEndpoint.code);
      if (viewedEndpoint.isUsed) endpoint.usedBy.push(viewpoint);
    }
  }
  return [...mergedByText.values()];
}

function createUsedItem({ viewedEndpoint, codes, usedBy }: MergedEndpoint, viewpointCount: number): TraceItem {
  const fallbackNotes = codes.has('TerminatingFallback') ? [createVerdictNote('TerminatingFallback')] : [];
  const usedFromNotes = usedBy.length < viewpointCount ? [createNote('UsedFrom', { nodes: enumerate(usedBy.map(describeNodes)) })] : [];
  return createEndpointItem(viewedEndpoint.endpoint, [...fallbackNotes, ...usedFromNotes]);
}

/** An endpoint, identified by its pod, or by its address if it has no pod. */
export interface EndpointLike {
  /** "10.0.0.1:8080", or the address alone. */
  readonly text: string;
  readonly targetRef?: Optional<ObjectReference>;
}

export const createEndpointItem = (endpoint: EndpointLike, notes: readonly TraceNote[]): TraceItem =>
  createItem(idOfEndpoint(endpoint), [podOf(endpoint)?.name, endpoint.text].filter(Boolean).join(' '), notes);

export function idOfEndpoint(endpoint: EndpointLike): string {
  const pod = podOf(endpoint);
  return pod ? `pod/${pod.namespace ?? ''}/${pod.name ?? ''}` : `endpoint/${endpoint.text}`;
}

const podOf = ({ targetRef }: EndpointLike): ObjectReference | undefined =>
  targetRef?.kind === 'Pod' && targetRef.name ? targetRef : undefined;

export const nameOfEndpoint = (endpoint: EndpointLike): string => podOf(endpoint)?.name ?? endpoint.text;

/** Reports slices that do not match the Service's pods. */
export function findStaleSlices(service: TraceService, cluster: Cluster): TraceNote[] {
  const desiredSlices = cluster.slicesAreComputed ? undefined : cluster.desiredSlicesOf(service);
  if (!desiredSlices) return [];
  const desiredStates = collectStates(desiredSlices);
  const existingStates = collectStates(cluster.slicesOf(service).filter(isManagedByController));
  const missingEndpoints = [...desiredStates].filter(([key]) => !existingStates.has(key));
  const extraEndpoints = [...existingStates].filter(([key]) => !desiredStates.has(key));
  const changedEndpoints = [...desiredStates].filter(
    ([key, { state }]) => existingStates.has(key) && existingStates.get(key)?.state !== state,
  );
  const noteChanges = (
    code: 'SlicesMissEndpoints' | 'SlicesHaveExtraEndpoints' | 'SlicesHaveOldState',
    changes: typeof missingEndpoints,
  ): TraceNote[] => {
    const names = [...new Set(changes.map(([, { name }]) => name))];
    return names.length > 0 ? [createNote(code, { endpoints: enumerate(names) }, 'endpointslice.endpoints')] : [];
  };
  return [
    ...noteChanges('SlicesMissEndpoints', missingEndpoints),
    ...noteChanges('SlicesHaveExtraEndpoints', extraEndpoints),
    ...noteChanges('SlicesHaveOldState', changedEndpoints),
  ];
}

/** Explains why a port has no endpoints. kube-proxy matches the ports of a Service and of its slices by name and protocol. */
export function explainAbsence(service: TraceService, port: Port, cluster: Cluster): TraceNote {
  const slices = cluster.slicesOf(service).filter(({ endpoints, ports }) => endpoints?.length && ports?.length);
  const isWritten = Object.keys(service.spec?.selector ?? {}).length > 0;
  if (slices.length === 0 || isWritten) return createNote('NoEndpoints');
  const ports = [...new Set(slices.flatMap((slice) => (slice.ports ?? []).map(describePort)))];
  const values = { name: JSON.stringify(port.name ?? ''), protocol: port.protocol, ports: enumerate(ports) };
  return createNote('SlicesHaveOtherPorts', values, 'endpointslice.ports');
}

const describePort = ({ name, port, protocol }: SlicePort): string => `${JSON.stringify(name ?? '')} (${port}/${protocol || 'TCP'})`;

/** Reports an Endpoints object that does not match the Service's slices. */
export function findStaleEndpoints(service: TraceService, { objects, slicesAreComputed, slicesOf }: Cluster): TraceNote[] {
  const endpoints = objects.endpoints?.find((each) => objectKey(each) === objectKey(service));
  if (!endpoints || slicesAreComputed) return [];
  const { agrees } = checkAgreement(endpoints, slicesOf(service), { service });
  return agrees ? [] : [createNote('EndpointsOutdated', {}, 'endpoints.subsets')];
}

/** Whether the slice is compared: the controller manages it, or it has no managed-by label. */
const isManagedByController = ({ metadata }: EndpointSliceInput): boolean =>
  (metadata?.labels?.[sliceManagedByLabel] ?? sliceController) === sliceController;

interface EndpointState {
  readonly name: string;
  readonly state: string;
}

/** Collects the state of each endpoint, by address and port. */
function collectStates(slices: readonly EndpointSliceInput[]): Map<string, EndpointState> {
  const states = new Map<string, EndpointState>();
  for (const { endpoints, ports } of slices) {
    for (const endpoint of endpoints ?? []) {
      for (const address of endpoint.addresses ?? []) {
        const text = canonicalIP(address) ?? address;
        const name = nameOfEndpoint({ text, targetRef: endpoint.targetRef });
        for (const port of ports?.length ? ports : [{}]) states.set(`${text} ${formatPort(port)}`, { name, state: stateOf(endpoint) });
      }
    }
  }
  return states;
}

type SlicePort = NonNullable<EndpointSliceInput['ports']>[number];

const formatPort = ({ name, port, protocol }: SlicePort): string => `${name ?? ''}:${port ?? ''}/${protocol || 'TCP'}`;

/** Describes the state of an endpoint by its conditions. Before Kubernetes 1.22, slices report readiness only. */
const stateOf = ({ conditions }: EndpointInput): string =>
  conditions?.ready !== false ? 'ready' : conditions.terminating ? `terminating${conditions.serving ? ', serving' : ''}` : 'not ready';
