import { type MergedEndpoint, type MergedService, mergeSlices } from 'kube-endpoints';
import type { SliceAddressType } from 'kube-endpoints/internal';
import type { EndpointSliceInput } from 'kube-endpoints/types';

/** One address and port to which new connections may go. */
export interface FeedEndpoint {
  /** What it is known by within its Service, such as "web/TCP 10.0.0.1:8080". */
  readonly id: string;
  readonly address: string;
  readonly addressType: SliceAddressType;
  /** Absent where the slices name none. */
  readonly port?: number;
  /** Of the Service's port; "" where that has no name. Both are absent where the slices list no ports. */
  readonly portName?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hostname?: string;
  readonly targetRef?: FeedTarget;
  /** Whether it answers. */
  readonly serving: boolean;
  /** Whether it is about to go; one that is ready nevertheless belongs to a Service that publishes what is not ready. */
  readonly terminating: boolean;
}

/** What is behind an endpoint; empty where that is not said. */
export interface FeedTarget {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** One that is no longer to be sent new connections. */
export interface FeedDeparture {
  readonly id: string;
  readonly address: string;
  readonly port?: number;
  /** What it is where it is still listed: one that serves may end what it has begun. */
  readonly still?: { readonly serving: boolean; readonly terminating: boolean };
}

/** A Service's endpoints at some moment. */
export interface Snapshot {
  readonly ready: ReadonlyMap<string, FeedEndpoint>;
  /** Those that are listed and not ready. */
  readonly others: ReadonlyMap<string, NonNullable<FeedDeparture['still']>>;
}

export interface Difference {
  readonly came: readonly FeedEndpoint[];
  /** There before and still, with something else said of them: another pod behind the address, another node. */
  readonly updated: readonly FeedEndpoint[];
  readonly went: readonly FeedDeparture[];
}

/** What slices of one Service say. */
export function snapshotOf(slices: readonly EndpointSliceInput[]): Snapshot {
  const ready = new Map<string, FeedEndpoint>();
  const others = new Map<string, { serving: boolean; terminating: boolean }>();
  const [service] = mergeSlices(slices).services;
  for (const { place, endpoint } of service ? placesIn(service) : []) {
    const { serving, terminating } = endpoint;
    const id = idOf(place, endpoint);
    if (endpoint.ready) ready.set(id, endpointOf(id, place, endpoint));
    else others.set(id, { serving, terminating });
  }
  return { ready, others };
}

/** What happened between two moments, in the order of the endpoints; undefined where nothing did. */
export function differenceOf(before: Snapshot, after: Snapshot): Difference | undefined {
  const came: FeedEndpoint[] = [];
  const updated: FeedEndpoint[] = [];
  const went: FeedDeparture[] = [];
  for (const [id, endpoint] of after.ready) {
    const known = before.ready.get(id);
    if (!known) came.push(endpoint);
    else if (known !== endpoint && JSON.stringify(known) !== JSON.stringify(endpoint)) updated.push(endpoint);
  }
  for (const [id, { address, port }] of before.ready) {
    if (after.ready.has(id)) continue;
    const still = after.others.get(id);
    went.push({ id, address, ...(port !== undefined && { port }), ...(still && { still }) });
  }
  return came.length + updated.length + went.length > 0 ? { came, updated, went } : undefined;
}

/** Behind which port, if any, endpoints are. */
type Place = Pick<FeedEndpoint, 'addressType' | 'portName' | 'protocol' | 'appProtocol'>;

function* placesIn({ ports, portless }: MergedService): Iterable<{ readonly place: Place; readonly endpoint: MergedEndpoint }> {
  for (const { name, protocol, appProtocol, addressType, endpoints } of ports) {
    const place = { addressType, portName: name, protocol, ...(appProtocol !== undefined && { appProtocol }) };
    for (const endpoint of endpoints) yield { place, endpoint };
  }
  for (const { addressType, endpoints } of portless) for (const endpoint of endpoints) yield { place: { addressType }, endpoint };
}

function idOf({ addressType, portName, protocol }: Place, { address, port }: MergedEndpoint): string {
  const host = addressType === 'IPv6' ? `[${address}]` : address;
  return [
    ...(addressType === 'FQDN' ? ['name'] : []),
    ...(protocol !== undefined ? [`${portName}/${protocol}`] : []),
    port === undefined ? host : `${host}:${port}`,
  ].join(' ');
}

function endpointOf(id: string, place: Place, endpoint: MergedEndpoint): FeedEndpoint {
  const { address, port, nodeName, zone, hostname, targetRef, serving, terminating } = endpoint;
  return {
    id,
    address,
    ...place,
    ...(port !== undefined && { port }),
    ...(nodeName !== undefined && { nodeName }),
    ...(zone !== undefined && { zone }),
    ...(hostname !== undefined && { hostname }),
    ...(targetRef && { targetRef: targetOf(targetRef) }),
    serving,
    terminating,
  };
}

/** Without the version of the pod, which some releases write, and which says nothing of the endpoint. */
const targetOf = ({ kind = '', namespace = '', name = '', uid = '' }: NonNullable<MergedEndpoint['targetRef']>): FeedTarget => ({
  kind,
  namespace,
  name,
  uid,
});

/** Which event of which subscription. */
interface ServiceKey {
  /** Of a subscription, unlike that of any other one. */
  readonly stream: string;
  /** 1 for the first event of a stream, and one more for each that follows. */
  readonly sequence: number;
}

interface OfService extends ServiceKey {
  /** "namespace/name". */
  readonly key: string;
  readonly namespace: string;
  readonly service: string;
}

/** All endpoints of a Service that are ready, in the place of whatever was known of it. */
export interface FullEvent extends OfService {
  readonly type: 'full';
  readonly endpoints: readonly FeedEndpoint[];
}

/** What came and what went since the event before of that Service. */
export interface ChangedEvent extends OfService, Difference {
  readonly type: 'changed';
  /** The sequence of the event before of that Service. */
  readonly after: number;
}

/** The Service has no endpoints, and nothing that could list any. */
export interface GoneEvent extends OfService {
  readonly type: 'gone';
}

/** Every Service there is has been told in full since the stream or its last reconnect began: whatever else is known is of the past. */
export interface CompleteEvent extends ServiceKey {
  readonly type: 'complete';
  readonly services: number;
}

export type FeedEvent = FullEvent | ChangedEvent | GoneEvent | CompleteEvent;
