import { type MergedEndpoint, type MergedService, mergeSlices } from 'kube-endpoints';
import type { SliceAddressType } from 'kube-endpoints/internal';
import type { EndpointSliceInput } from 'kube-endpoints/types';

/** One address and port that accepts new connections. */
export interface FeedEndpoint {
  /** Identifies the endpoint within its Service, such as "web/TCP 10.0.0.1:8080". */
  readonly id: string;
  readonly address: string;
  readonly addressType: SliceAddressType;
  /** Absent if the slices list no port. */
  readonly port?: number;
  /** Name of the Service port; "" if it has no name. `portName` and `protocol` are absent if the slices list no ports. */
  readonly portName?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hostname?: string;
  readonly targetRef?: FeedTarget;
  /** The `serving` condition. */
  readonly serving: boolean;
  /** The `terminating` condition. A ready endpoint can be terminating only if its Service sets publishNotReadyAddresses. */
  readonly terminating: boolean;
}

/** The target reference of an endpoint; unset fields are "". */
export interface FeedTarget {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An endpoint that must not receive new connections any more. */
export interface FeedDeparture {
  readonly id: string;
  readonly address: string;
  readonly port?: number;
  /** The conditions of an endpoint that is still listed; absent if it is not. If `serving`, existing connections may continue. */
  readonly still?: { readonly serving: boolean; readonly terminating: boolean };
}

/** The endpoints of a Service at one point in time. */
export interface ServiceSnapshot {
  readonly readyEndpoints: ReadonlyMap<string, FeedEndpoint>;
  /** Endpoints that are listed but not ready. */
  readonly otherConditions: ReadonlyMap<string, NonNullable<FeedDeparture['still']>>;
}

export interface Difference {
  readonly added: readonly FeedEndpoint[];
  /** Endpoints in both snapshots whose fields differ, for example another pod or node for the same address. */
  readonly updated: readonly FeedEndpoint[];
  readonly removed: readonly FeedDeparture[];
}

/** Merges the slices of one Service into a snapshot. */
export function createSnapshot(slices: readonly EndpointSliceInput[]): ServiceSnapshot {
  const readyEndpoints = new Map<string, FeedEndpoint>();
  const otherConditions = new Map<string, { serving: boolean; terminating: boolean }>();
  const [service] = mergeSlices(slices).services;
  for (const { portIdentity, endpoint } of service ? listEndpointsByPort(service) : []) {
    const { serving, terminating } = endpoint;
    const id = idOf(portIdentity, endpoint);
    if (endpoint.ready) readyEndpoints.set(id, createFeedEndpoint(id, portIdentity, endpoint));
    else otherConditions.set(id, { serving, terminating });
  }
  return { readyEndpoints, otherConditions };
}

/** Computes the difference between two snapshots, in the order of the endpoints. Returns undefined if the snapshots are equal. */
export function computeDifference(before: ServiceSnapshot, after: ServiceSnapshot): Difference | undefined {
  const added: FeedEndpoint[] = [];
  const updated: FeedEndpoint[] = [];
  const removed: FeedDeparture[] = [];
  for (const [id, endpoint] of after.readyEndpoints) {
    const previous = before.readyEndpoints.get(id);
    if (!previous) added.push(endpoint);
    else if (previous !== endpoint && JSON.stringify(previous) !== JSON.stringify(endpoint)) updated.push(endpoint);
  }
  for (const [id, { address, port }] of before.readyEndpoints) {
    if (after.readyEndpoints.has(id)) continue;
    const still = after.otherConditions.get(id);
    removed.push({ id, address, ...(port !== undefined && { port }), ...(still && { still }) });
  }
  return added.length + updated.length + removed.length > 0 ? { added, updated, removed } : undefined;
}

/** The fields that endpoints of one port share; without a port, only the address type. */
type PortIdentity = Pick<FeedEndpoint, 'addressType' | 'portName' | 'protocol' | 'appProtocol'>;

function* listEndpointsByPort({
  ports,
  portless,
}: MergedService): Iterable<{ readonly portIdentity: PortIdentity; readonly endpoint: MergedEndpoint }> {
  for (const { name, protocol, appProtocol, addressType, endpoints } of ports) {
    const portIdentity = { addressType, portName: name, protocol, ...(appProtocol !== undefined && { appProtocol }) };
    for (const endpoint of endpoints) yield { portIdentity, endpoint };
  }
  for (const { addressType, endpoints } of portless) for (const endpoint of endpoints) yield { portIdentity: { addressType }, endpoint };
}

function idOf({ addressType, portName, protocol }: PortIdentity, { address, port }: MergedEndpoint): string {
  const host = addressType === 'IPv6' ? `[${address}]` : address;
  return [
    ...(addressType === 'FQDN' ? ['name'] : []),
    ...(protocol !== undefined ? [`${portName}/${protocol}`] : []),
    port === undefined ? host : `${host}:${port}`,
  ].join(' ');
}

function createFeedEndpoint(id: string, portIdentity: PortIdentity, endpoint: MergedEndpoint): FeedEndpoint {
  const { address, port, nodeName, zone, hostname, targetRef, serving, terminating } = endpoint;
  return {
    id,
    address,
    ...portIdentity,
    ...(port !== undefined && { port }),
    ...(nodeName !== undefined && { nodeName }),
    ...(zone !== undefined && { zone }),
    ...(hostname !== undefined && { hostname }),
    ...(targetRef && { targetRef: targetOf(targetRef) }),
    serving,
    terminating,
  };
}

/** Omits the pod's resourceVersion, which some releases write: it does not describe the endpoint. */
const targetOf = ({ kind = '', namespace = '', name = '', uid = '' }: NonNullable<MergedEndpoint['targetRef']>): FeedTarget => ({
  kind,
  namespace,
  name,
  uid,
});

/** Identifies an event within a subscription. */
interface StreamPosition {
  /** Unique ID of the subscription. */
  readonly stream: string;
  /** 1 for the first event of a stream; increases by 1 with each event. */
  readonly sequence: number;
}

interface ServiceEvent extends StreamPosition {
  /** "namespace/name". */
  readonly key: string;
  readonly namespace: string;
  readonly service: string;
}

/** All ready endpoints of a Service; replaces any earlier state of it. */
export interface FullEvent extends ServiceEvent {
  readonly type: 'full';
  readonly endpoints: readonly FeedEndpoint[];
}

/** What changed since the previous event of the same Service. */
export interface ChangedEvent extends ServiceEvent, Difference {
  readonly type: 'changed';
  /** The sequence of the previous event of that Service. */
  readonly after: number;
}

/** The Service has no EndpointSlices or Endpoints any more. */
export interface GoneEvent extends ServiceEvent {
  readonly type: 'gone';
}

/**
 * Every Service has been sent in full since the stream started, or since the feed last reconnected. Services that were not sent no longer
 * exist.
 */
export interface CompleteEvent extends StreamPosition {
  readonly type: 'complete';
  readonly services: number;
}

export type FeedEvent = FullEvent | ChangedEvent | GoneEvent | CompleteEvent;
