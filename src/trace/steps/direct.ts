import { canonicalIP } from '../../apimachinery/index.ts';
import type { EndpointInput, EndpointSliceInput } from '../../types/index.ts';
import type { Destination } from '../destination.ts';
import { createNote, enumerate, removeFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, type TraceItem, type TraceNote } from '../trace.ts';
import { createEndpointItem } from './endpoints.ts';
import { isNumber, type Port } from './ports.ts';
import { createVerdictNote } from './problems.ts';

type DirectDestination = Extract<Destination, { readonly kind: 'endpoints' | 'nowhere' }>;

/** Input for the endpoints step of a Service whose name resolves to its endpoints or to nothing, so that no node rules apply. */
export interface DirectInput {
  readonly destination: DirectDestination;
  readonly target: Target;
  readonly port: Port | undefined;
  readonly slices: readonly EndpointSliceInput[];
  readonly notes: readonly TraceNote[];
  readonly staleNotes: readonly TraceNote[];
}

/** Creates the endpoints step if no node rules apply. Endpoints in the DNS answer are chosen; all others are left out. */
export function createDirectStep({ destination, target, port, slices, notes, staleNotes }: DirectInput): StepResult {
  const answeredAddresses = new Set(destination.kind === 'endpoints' ? destination.addresses : []);
  const family = destination.kind === 'endpoints' ? destination.family : undefined;
  const addressedEndpoints = slices.filter(({ addressType }) => family === undefined || addressType === family).flatMap(endpointsIn);
  const endpoints = [...new Map(addressedEndpoints.map((each) => [each.address, each])).values()];
  const usedEndpoints = endpoints.filter(({ address }) => answeredAddresses.has(address));
  const unusedEndpoints = endpoints.filter(({ address }) => !answeredAddresses.has(address));
  const notReadyEndpoints = unusedEndpoints.filter(
    ({ endpoint: { conditions } }) => conditions?.ready === false && !conditions.terminating,
  );
  const portNotes = createTranslationNotes(target, port, slices);
  const [error] = [
    ...portNotes,
    ...(usedEndpoints.length === 0 ? [endpoints.length === 0 ? createNote('NoEndpoints') : createNote('NoUsableEndpoint')] : []),
  ];
  const [firstStaleNote] = staleNotes;
  const notReadyNames = enumerate(
    notReadyEndpoints.map(({ endpoint, address }) => endpoint.targetRef?.name ?? address),
    3,
  );
  const mainNote = error ?? firstStaleNote;
  const isNarrowed = notReadyEndpoints.length > 0 || staleNotes.length > 0;
  return createStep('endpoints', 'Endpoints', {
    outcome: error ? 'error' : isNarrowed ? 'warning' : 'ok',
    notes: [...(error ? [error] : []), ...notes, ...staleNotes],
    chosen: usedEndpoints.map((each) => itemOf(each, [])),
    leftOut: unusedEndpoints.map((each) => itemOf(each, [createLeftOutNote(each.endpoint)])),
    cause: mainNote
      ? removeFullStop(mainNote.message)
      : notReadyEndpoints.length > 0
        ? `${notReadyNames} ${notReadyEndpoints.length === 1 ? 'is' : 'are'} not ready`
        : undefined,
  });
}

interface AddressedEndpoint {
  readonly address: string;
  readonly endpoint: EndpointInput;
}

const endpointsIn = ({ endpoints }: EndpointSliceInput): AddressedEndpoint[] =>
  (endpoints ?? []).flatMap((endpoint) =>
    (endpoint.addresses ?? []).map((address) => ({ address: canonicalIP(address) ?? address, endpoint })),
  );

const itemOf = ({ address, endpoint }: AddressedEndpoint, notes: readonly TraceNote[]): TraceItem =>
  createEndpointItem({ text: address, targetRef: endpoint.targetRef }, notes);

const createLeftOutNote = ({ conditions }: EndpointInput): TraceNote => {
  if (conditions?.ready !== false) return createNote('NotInAnswer');
  return conditions.terminating ? createNote('TerminatingNotInAnswer') : createVerdictNote('NotReady');
};

/** Returns a note if the request uses a port that the pods do not listen on: no node rule translates the Service's port. */
function createTranslationNotes({ port: requested }: Target, port: Port | undefined, slices: readonly EndpointSliceInput[]): TraceNote[] {
  if (requested === undefined || !isNumber(requested) || !port) return [];
  const matchingPorts = slices.flatMap(({ ports }) => ports ?? []).filter(({ name }) => (name ?? '') === port.name);
  const numbers = [...new Set(matchingPorts.flatMap((each) => each.port ?? []))];
  if (numbers.length === 0 || numbers.includes(Number(requested))) return [];
  return [createNote('PortNotTranslated', { port: requested, target: enumerate(numbers.map(String)) }, 'service.spec.ports[].targetPort')];
}
