import type { ObjectReference, Optional } from '../../types/index.ts';
import { clause, enumerate, item, note } from '../note.ts';
import { type Draft, draft } from '../step.ts';
import type { TraceItem, TraceNote } from '../trace.ts';
import type { Place, Seen } from './places.ts';
import { namesOf } from './policy.ts';
import { verdictNote } from './problems.ts';

/** The step of the endpoints as the rules of nodes see them. @param stale what is wrong with the slices themselves */
export function endpointsStep(places: readonly Place[], told: readonly TraceNote[], stale: readonly TraceNote[]): Draft {
  const all = merged(places);
  const used = all.filter(({ usedBy }) => usedBy.length > 0);
  const unused = all.filter(({ usedBy }) => usedBy.length === 0);
  const isFallback = used.some(({ codes }) => codes.has('TerminatingFallback'));
  const wrong = all.length === 0 ? note('NoEndpoints') : places.every(({ port }) => !port.hasAny) ? note('NoUsableEndpoint') : undefined;
  const isNarrowed = isFallback || stale.length > 0 || unused.some(({ codes }) => codes.has('NotReady'));
  return draft('endpoints', 'Endpoints', {
    outcome: used.length === 0 ? 'error' : isNarrowed ? 'warning' : 'ok',
    notes: [...(wrong ? [wrong] : []), ...told, ...stale],
    chosen: used.map((each) => usedItem(each, places.length)),
    leftOut: unused.map(({ seen, codes }) => endpointItem(seen.endpoint, [...codes].map(verdictNote))),
    blame: blameOf(wrong, unused, stale, isFallback),
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
  if (isFallback) return 'no endpoint is ready, and those that terminate still serve';
  const notReady = unused.filter(({ codes }) => codes.has('NotReady')).map(({ seen }) => nameOfEndpoint(seen.endpoint));
  if (notReady.length > 0) return `${enumerate(notReady, 3)} ${notReady.length === 1 ? 'is' : 'are'} not ready`;
  return first && clause(first.message);
}

/** An endpoint, and what becomes of it in each place. */
interface Merged {
  readonly seen: Seen;
  readonly codes: ReadonlySet<Seen['code']>;
  readonly usedBy: readonly Place[];
}

function merged(places: readonly Place[]): Merged[] {
  const found = new Map<string, { seen: Seen; codes: Set<Seen['code']>; usedBy: Place[] }>();
  for (const place of places) {
    for (const seen of place.endpoints) {
      const { text } = seen.endpoint;
      const known = found.get(text) ?? { seen, codes: new Set(), usedBy: [] };
      found.set(text, known);
      known.codes.add(seen.code);
      if (seen.isUsed) known.usedBy.push(place);
    }
  }
  return [...found.values()];
}

function usedItem({ seen, codes, usedBy }: Merged, places: number): TraceItem {
  const fallback = codes.has('TerminatingFallback') ? [verdictNote('TerminatingFallback')] : [];
  const from = usedBy.length < places ? [note('UsedFrom', { nodes: enumerate(usedBy.map(namesOf)) })] : [];
  return endpointItem(seen.endpoint, [...fallback, ...from]);
}

/** What an endpoint is told by: its pod, or else its address. */
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
