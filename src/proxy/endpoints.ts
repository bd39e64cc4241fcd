import { canonicalIP } from '../apimachinery/index.ts';
import { unprintable } from '../spec/index.ts';
import type { EndpointInput, EndpointSliceInput } from '../types/index.ts';
import { portKey, protocolOf } from './service-ports.ts';
import type { EndpointView } from './view.ts';

/** The endpoints of a Service by `portKey`, each list by address and port. */
export type EndpointsByPort = ReadonlyMap<string, readonly EndpointView[]>;

/**
 * The endpoints that the slices of one Service and family hold, as the node of that name sees them. Ports without a name or a number
 * and endpoints without an address are left out. Of one address that is there twice the later one counts, but one that terminates
 * never takes the place of another.
 *
 * Mirrors endpointInfoByServicePort and addEndpoints (1.36, pkg/proxy/endpointslicecache.go), where slices come in no order; here in
 * the order that they are given.
 *
 * @throws RangeError for an endpoint that is none
 */
export function endpointsByPort(slices: Iterable<EndpointSliceInput>, nodeName: string): EndpointsByPort {
  const found = new Map<string, EndpointView[]>();
  for (const { metadata, ports, endpoints } of slices) {
    for (const { name, protocol, port } of ports ?? []) {
      if (name === null || name === undefined || !port) continue;
      const key = portKey(name, protocolOf(protocol));
      const list = found.get(key) ?? [];
      found.set(key, list);
      for (const endpoint of endpoints ?? []) {
        // whoever writes JavaScript may hand in anything
        if (!endpoint) throw new RangeError(`EndpointSlice ${JSON.stringify(metadata?.name ?? '')}: each of endpoints has to be an object`);
        const address = endpoint.addresses?.[0];
        if (address !== undefined) list.push(viewEndpoint(endpoint, canonicalIP(address) ?? unprintable, port, nodeName));
      }
    }
  }
  for (const [key, list] of found) found.set(key, onceEach(list.sort(byText)));
  return found;
}

function viewEndpoint(
  { conditions, hints, nodeName: on, targetRef }: EndpointInput,
  ip: string,
  port: number,
  nodeName: string,
): EndpointView {
  return {
    text: joinHostPort(ip, port),
    ip,
    port,
    isLocal: nodeName !== '' && on === nodeName,
    ready: conditions?.ready ?? true,
    serving: conditions?.serving ?? true,
    terminating: conditions?.terminating ?? false,
    zoneHints: namesOf(hints?.forZones),
    nodeHints: namesOf(hints?.forNodes),
    nodeName: on ?? undefined,
    targetRef: targetRef ?? undefined,
  };
}

/** Sorting has brought those of one address together, and left them in their order. */
function onceEach(sorted: EndpointView[]): EndpointView[] {
  if (!sorted.some(({ text }, i) => text === sorted[i - 1]?.text)) return sorted;
  const once: EndpointView[] = [];
  for (const endpoint of sorted) {
    const last = once.length - 1;
    if (once[last]?.text !== endpoint.text) once.push(endpoint);
    else if (!endpoint.terminating) once[last] = endpoint;
  }
  return once;
}

/** Mirrors net.JoinHostPort of Go. */
export const joinHostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

const namesOf = (hints: readonly { readonly name?: string | null | undefined }[] | null | undefined): readonly string[] =>
  hints && hints.length > 0 ? hints.map(({ name }) => name ?? '') : none;

const none: readonly string[] = [];

const byText = (a: EndpointView, b: EndpointView): number => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1);
