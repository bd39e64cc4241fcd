import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { Entry, View } from './view.ts';

export interface SliceView extends View {
  readonly kind: 'EndpointSlice';
  readonly endpoints: readonly EndpointInput[];
}

export function readSlice({ endpoints }: EndpointSliceInput): SliceView {
  const list = endpoints ?? [];
  return { kind: 'EndpointSlice', endpoints: list, hasSeparatePorts: false, portNames: [''], entries: list.map(createEntry) };
}

function createEntry(endpoint: EndpointInput, index: number): Entry {
  const ready = isReady(endpoint);
  return {
    ip: endpoint.addresses?.[0] ?? '',
    index,
    portIndex: 0,
    portName: '',
    targetRef: endpoint.targetRef,
    hostname: endpoint.hostname,
    nodeName: endpoint.nodeName,
    zone: endpoint.zone,
    intendedReady: ready,
    terminating: endpoint.conditions?.terminating === true,
    ready,
    isExcluded: false,
    removal: undefined,
    ipNumber: undefined,
  };
}

/** A missing condition counts as ready, as for consumers. */
const isReady = ({ conditions }: EndpointInput): boolean => conditions?.ready !== false;

/**
 * Builds endpoints from entries, by index; undefined for an endpoint that is left out. Unchanged endpoints are the identical objects.
 *
 * Keeps hints complete: an endpoint that is not ready gets none; one that becomes ready gets its own zone, and its own node if others have
 * node hints. If its zone or node is unknown, removes all hints of the slice, since consumers ignore hints if one endpoint lacks them.
 */
export function writeSlice({ entries, endpoints }: SliceView): (EndpointInput | undefined)[] {
  const hintedEndpoints = endpoints.filter((endpoint) => hasHints(endpoint));
  const hasNodeHints = hintedEndpoints.some(({ hints }) => hints?.forNodes?.length);
  let areHintsIncomplete = false;
  const newEndpoints = endpoints.map((endpoint, index) => {
    const entry = entries[index] as Entry;
    if (entry.removal) return undefined;
    if (!isAltered(entry, endpoint)) return endpoint;
    const hints = entry.ready && hintedEndpoints.length > 0 ? createOwnHints(endpoint, hasNodeHints) : undefined;
    areHintsIncomplete ||= entry.ready && hintedEndpoints.length > 0 && hints === undefined;
    return { ...removeHints(endpoint), conditions: conditionsOf(entry, endpoint), ...(hints && { hints }) };
  });
  return areHintsIncomplete
    ? newEndpoints.map((endpoint) => (endpoint && hasHints(endpoint) ? removeHints(endpoint) : endpoint))
    : newEndpoints;
}

const isAltered = (entry: Entry, { conditions }: EndpointInput): boolean =>
  entry.ready !== entry.intendedReady || (entry.isExcluded && entry.terminating && conditions?.serving !== false);

/** Sets `serving` to the same value as `ready`, because consumers fall back to terminating endpoints that serve. */
function conditionsOf({ ready, terminating }: Entry, { conditions }: EndpointInput): EndpointInput['conditions'] {
  const hasServing = typeof conditions?.serving === 'boolean' || terminating;
  return { ...conditions, ready, ...(hasServing && { serving: ready }) };
}

const hasHints = ({ hints }: EndpointInput): boolean => Boolean(hints?.forZones?.length || hints?.forNodes?.length);

function createOwnHints({ zone, nodeName }: EndpointInput, hasNodeHints: boolean): EndpointInput['hints'] | undefined {
  if (!zone || (hasNodeHints && !nodeName)) return undefined;
  return { forZones: [{ name: zone }], ...(hasNodeHints && nodeName && { forNodes: [{ name: nodeName }] }) };
}

function removeHints({ hints: _, ...endpoint }: EndpointInput): EndpointInput {
  return endpoint;
}
