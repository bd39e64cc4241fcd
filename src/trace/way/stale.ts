import { canonicalIP, objectKey } from '../../apimachinery/index.ts';
import { checkAgreement, sliceController, sliceManagedByLabel } from '../../spec/index.ts';
import type { EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Cluster } from '../cluster.ts';
import { enumerate, note } from '../note.ts';
import type { TraceService } from '../objects.ts';
import type { TraceNote } from '../trace.ts';
import { nameOfEndpoint } from './endpoints.ts';

/** Where the slices of a Service do not say what its pods are. */
export function staleSlices(service: TraceService, cluster: Cluster): TraceNote[] {
  const wantedSlices = cluster.areComputed ? undefined : cluster.wantedOf(service);
  if (!wantedSlices) return [];
  const wanted = statesIn(wantedSlices);
  const there = statesIn(cluster.slicesOf(service).filter(isOfController));
  const lacking = [...wanted].filter(([key]) => !there.has(key));
  const more = [...there].filter(([key]) => !wanted.has(key));
  const other = [...wanted].filter(([key, { state }]) => there.has(key) && there.get(key)?.state !== state);
  const told = (code: 'SlicesLack' | 'SlicesHaveMore' | 'SlicesDiffer', found: typeof lacking): TraceNote[] => {
    const names = [...new Set(found.map(([, { name }]) => name))];
    return names.length > 0 ? [note(code, { endpoints: enumerate(names) }, 'endpointslice.endpoints')] : [];
  };
  return [...told('SlicesLack', lacking), ...told('SlicesHaveMore', more), ...told('SlicesDiffer', other)];
}

/** Where the Endpoints object of a Service does not say what its slices say. */
export function staleEndpoints(service: TraceService, { objects, areComputed, slicesOf }: Cluster): TraceNote[] {
  const endpoints = objects.endpoints?.find((each) => objectKey(each) === objectKey(service));
  if (!endpoints || areComputed) return [];
  const { agrees } = checkAgreement(endpoints, slicesOf(service), { service });
  return agrees ? [] : [note('EndpointsBehind', {}, 'endpoints.subsets')];
}

/** A slice that says nothing of it may be the controller's; those of others are not for it to keep. */
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

/** Before 1.22 nothing but readiness is told. */
const stateOf = ({ conditions }: EndpointInput): string =>
  conditions?.ready !== false ? 'ready' : conditions.terminating ? `terminating${conditions.serving ? ', serving' : ''}` : 'not ready';
