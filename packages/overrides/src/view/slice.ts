import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { Entry, View } from './view.ts';

export interface SliceView extends View {
  readonly kind: 'EndpointSlice';
  readonly endpoints: readonly EndpointInput[];
}

export function readSlice({ endpoints }: EndpointSliceInput): SliceView {
  const list = endpoints ?? [];
  return { kind: 'EndpointSlice', endpoints: list, portsApart: false, portNames: [''], entries: list.map(entryOf) };
}

function entryOf(endpoint: EndpointInput, place: number): Entry {
  const ready = isReady(endpoint);
  return {
    ip: endpoint.addresses?.[0] ?? '',
    place,
    port: 0,
    portName: '',
    targetRef: endpoint.targetRef,
    hostname: endpoint.hostname,
    nodeName: endpoint.nodeName,
    zone: endpoint.zone,
    wanted: ready,
    terminating: endpoint.conditions?.terminating === true,
    ready,
    out: false,
    gone: undefined,
    number: undefined,
  };
}

/** Absent readiness is taken for ready, as consumers do. */
const isReady = ({ conditions }: EndpointInput): boolean => conditions?.ready !== false;

/**
 * The endpoints that entries make, by their places; undefined for those that are left out. Those that stay as they are are the very same.
 *
 * Hints stay whole: who is not ready has none; who is made ready among endpoints with hints is hinted to its own zone, and its own node where
 * the others are to theirs. Where that is not known, all hints of the slice go, for consumers disregard hints that one endpoint lacks.
 */
export function writeSlice({ entries, endpoints }: SliceView): (EndpointInput | undefined)[] {
  const hinted = endpoints.filter((endpoint) => hasHints(endpoint));
  const forNodes = hinted.some(({ hints }) => hints?.forNodes?.length);
  let isIncomplete = false;
  const written = endpoints.map((endpoint, place) => {
    const entry = entries[place] as Entry;
    if (entry.gone) return undefined;
    if (!isAltered(entry, endpoint)) return endpoint;
    const hints = entry.ready && hinted.length > 0 ? ownHints(endpoint, forNodes) : undefined;
    isIncomplete ||= entry.ready && hinted.length > 0 && hints === undefined;
    return { ...withoutHints(endpoint), conditions: conditionsOf(entry, endpoint), ...(hints && { hints }) };
  });
  return isIncomplete ? written.map((endpoint) => (endpoint && hasHints(endpoint) ? withoutHints(endpoint) : endpoint)) : written;
}

const isAltered = (entry: Entry, { conditions }: EndpointInput): boolean =>
  entry.ready !== entry.wanted || (entry.out && entry.terminating && conditions?.serving !== false);

/** `serving` is `ready` for all that are not on their way out; for these, it is what is fallen back to. */
function conditionsOf({ ready, terminating }: Entry, { conditions }: EndpointInput): EndpointInput['conditions'] {
  const tellsServing = typeof conditions?.serving === 'boolean' || terminating;
  return { ...conditions, ready, ...(tellsServing && { serving: ready }) };
}

const hasHints = ({ hints }: EndpointInput): boolean => Boolean(hints?.forZones?.length || hints?.forNodes?.length);

function ownHints({ zone, nodeName }: EndpointInput, forNodes: boolean): EndpointInput['hints'] | undefined {
  if (!zone || (forNodes && !nodeName)) return undefined;
  return { forZones: [{ name: zone }], ...(forNodes && nodeName && { forNodes: [{ name: nodeName }] }) };
}

function withoutHints({ hints: _, ...endpoint }: EndpointInput): EndpointInput {
  return endpoint;
}
