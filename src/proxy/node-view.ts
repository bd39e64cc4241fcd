import { canonicalIP, compareText, type IPFamily, nameOf, objectKey } from '../apimachinery/index.ts';
import { hostnameLabel, serviceNameLabel, unparsedIP, zoneLabel } from '../spec/index.ts';
import type { EndpointInput, EndpointSliceInput, SlicePortInput } from '../types/index.ts';
import { isIPFamily } from './addresses.ts';
import { categorize, type NodeIdentity } from './categorize.ts';
import { convertEndpoints } from './convert-endpoints.ts';
import { type ProxyGates, type ProxyVersionOptions, proxyGatesFor } from './gates.ts';
import type { ProxyObjects, ProxyService } from './objects.ts';
import { portKey, protocolOf, readServicePorts } from './service-ports.ts';
import type { EndpointView, NodeView, ServicePortView } from './view.ts';

export interface NodeViewOptions extends ProxyVersionOptions {
  /** Default: IPv4. A dual-stack node has one view, and one set of rules, per family. */
  readonly family?: IPFamily;
}

/**
 * Computes the view of Services and EndpointSlices that a node's kube-proxy has, for one address family. Includes every object passed in;
 * use `isWatched` to select the objects that kube-proxy watches. If two objects of a kind have the same name, the last wins. Releases
 * before 1.19 read Endpoints instead of EndpointSlices, unless a feature gate is set (gate `slicesRead`).
 * @throws RangeError if `family` is invalid or the version is unknown
 */
export const createNodeView = (objects: ProxyObjects, node: NodeIdentity, options: NodeViewOptions = {}): NodeView =>
  createNodeViewFor(objects, node, options.family, proxyGatesFor(options));

/** `createNodeView` for the gates of a release. @throws RangeError if `family` is invalid */
export function createNodeViewFor(objects: ProxyObjects, node: NodeIdentity, family: IPFamily = 'IPv4', gates: ProxyGates): NodeView {
  checkFamily(family);
  const services = new Map<string, ProxyService>();
  for (const service of objects.services ?? []) services.set(objectKey(service), service);
  const slices = gates.slicesRead
    ? groupByService(objects.endpointSlices ?? [], family, gates)
    : new Map(Array.from(objects.endpoints ?? [], (object) => [objectKey(object), convertEndpoints(object, family)]));
  const views = new Map<string, ServiceView>();
  for (const key of sortKeys(new Set([...services.keys(), ...slices.keys()]))) {
    views.set(key, viewService(services.get(key), slices.get(key) ?? [], node, family, gates));
  }
  return joinViews(views, family);
}

/** @throws RangeError if `family` is neither "IPv4" nor "IPv6" */
export function checkFamily(family: IPFamily): void {
  if (!isIPFamily(family)) throw new RangeError(`family must be "IPv4" or "IPv6", not ${JSON.stringify(family)}`);
}

/** The view of one Service and its slices. The Service itself may be missing. */
export interface ServiceView {
  readonly ports: readonly ServicePortView[];
  /** 0 if the Service has no health check node port. */
  readonly healthCheckNodePort: number;
  readonly localReady: number;
}

/** Computes the view of one Service. Slices are sorted by name, so that the result does not depend on their order of arrival. */
export function viewService(
  service: ProxyService | undefined,
  slices: Iterable<EndpointSliceInput>,
  node: NodeIdentity,
  family: IPFamily,
  gates: ProxyGates,
): ServiceView {
  const sortedSlices = [...slices].sort((a, b) => compareText(nameOf(a), nameOf(b)));
  const endpoints = groupEndpointsByPort(sortedSlices, node.name, gates, family);
  const portInfos = service ? readServicePorts(service, family, gates) : [];
  const ports = portInfos.map((port) => ({
    ...port,
    ...categorize(endpoints.get(portKey(port.portName, port.protocol)) ?? [], port, node, gates),
  }));
  return { ports, healthCheckNodePort: portInfos[0]?.healthCheckNodePort ?? 0, localReady: countLocalReady(endpoints) };
}

/** @param views by "shop/web", in the order of `sortKeys` */
export function joinViews(views: ReadonlyMap<string, ServiceView>, family: IPFamily): NodeView {
  const entries = [...views];
  return {
    family,
    ports: entries.flatMap(([, { ports }]) => ports),
    healthCheckNodePorts: positiveCounts(entries.map(([key, { healthCheckNodePort }]) => [key, healthCheckNodePort] as const)),
    localReady: positiveCounts(entries.map(([key, { localReady }]) => [key, localReady] as const)),
  };
}

/**
 * Returns the key "shop/web" of a slice's Service; undefined if the slice has another family or lacks a name, a namespace or the label.
 * Mirrors EndpointSliceUpdate and endpointSliceCacheKeys (1.36, pkg/proxy).
 */
export function serviceKeyOf(
  { metadata, addressType }: EndpointSliceInput,
  family: IPFamily,
  { slicesOfFamily, clusterIPs }: ProxyGates = proxyGatesFor(),
): string | undefined {
  const service = metadata?.labels?.[serviceNameLabel];
  const isKnownType = slicesOfFamily ? addressType === family : isIPFamily(addressType) || (!clusterIPs && addressType === 'IP');
  if (!isKnownType || !service || !metadata?.namespace || !metadata.name) return undefined;
  return `${metadata.namespace}/${service}`;
}

/** Sorts keys by namespace, then name. Replaces "/" while sorting, so that the separator sorts before all other characters. */
export const sortKeys = (keys: Iterable<string>): string[] =>
  Array.from(keys, (key) => key.replace('/', '\0'))
    .sort()
    .map((key) => key.replace('\0', '/'));

function groupByService(slices: Iterable<EndpointSliceInput>, family: IPFamily, gates: ProxyGates): Map<string, EndpointSliceInput[]> {
  const slicesByKey = new Map<string, EndpointSliceInput>();
  for (const slice of slices) slicesByKey.set(objectKey(slice), slice);
  const slicesByService = new Map<string, EndpointSliceInput[]>();
  for (const slice of slicesByKey.values()) {
    const owner = serviceKeyOf(slice, family, gates);
    if (owner === undefined) continue;
    const serviceSlices = slicesByService.get(owner);
    if (serviceSlices) serviceSlices.push(slice);
    else slicesByService.set(owner, [slice]);
  }
  return slicesByService;
}

/** Counts ready local endpoints by IP, so that a pod with several ports counts once. */
function countLocalReady(endpoints: EndpointsByPort): number {
  const ips = new Set<string>();
  for (const list of endpoints.values()) for (const { ready, isLocal, ip } of list) if (ready && isLocal) ips.add(ip);
  return ips.size;
}

const positiveCounts = (counts: readonly (readonly [key: string, count: number])[]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0));

/** The endpoints of a Service by `portKey`. Each list is sorted by address and port; from Endpoints, it has their order. */
export type EndpointsByPort = ReadonlyMap<string, readonly EndpointView[]>;

/**
 * Groups the endpoints in the slices of one Service and family by port, as seen from a node. Omits ports without a name or number and
 * endpoints without an address. If an address occurs twice, the later endpoint wins, unless it is terminating. Slices converted from
 * Endpoints keep their order and duplicates.
 *
 * Mirrors endpointInfoByServicePort and addEndpoints (1.36, pkg/proxy/endpointslicecache.go). These visit slices in no defined order; this
 * function visits them in the given order.
 *
 * @throws RangeError if an endpoint is null or undefined
 */
export function groupEndpointsByPort(
  slices: Iterable<EndpointSliceInput>,
  nodeName: string,
  gates: ProxyGates = proxyGatesFor(),
  family?: IPFamily,
): EndpointsByPort {
  const endpointsByPort = new Map<string, EndpointView[]>();
  for (const { metadata, ports, endpoints: unsorted } of slices) {
    const endpoints = gates.parsedEndpointIPs || !gates.slicesRead ? unsorted : sortByAddresses(unsorted ?? []);
    for (const { name, protocol, port } of gates.duplicatesByPort || !gates.slicesRead ? (ports ?? []) : sortByNumbers(ports ?? [])) {
      if (name === null || name === undefined || !port) continue;
      const key = portKey(name, protocolOf(protocol));
      const list = endpointsByPort.get(key) ?? [];
      endpointsByPort.set(key, list);
      for (const endpoint of endpoints ?? []) {
        // Callers from JavaScript can pass anything.
        if (!endpoint) throw new RangeError(`EndpointSlice ${JSON.stringify(metadata?.name ?? '')}: each of endpoints has to be an object`);
        const address = endpoint.addresses?.[0];
        if (address === undefined || (!gates.unreadyEndpoints && endpoint.conditions?.ready === false)) continue;
        const ip = canonicalIP(address) ?? (gates.parsedEndpointIPs ? unparsedIP : '');
        if (gates.slicesOfFamily || ip.includes(':') === (family === 'IPv6'))
          list.push(viewEndpoint(endpoint, { ip, written: address }, port, nodeName, gates));
      }
    }
  }
  if (gates.slicesRead) for (const [key, list] of endpointsByPort) endpointsByPort.set(key, removeDuplicates(list, gates));
  return endpointsByPort;
}

/** Sorts the ports of a slice as kube-proxy did before 1.22: the order decides which endpoint of an address is used. */
const sortByNumbers = (ports: readonly SlicePortInput[]): readonly SlicePortInput[] =>
  ports.toSorted((a, b) => (a.port ?? 0) - (b.port ?? 0));

/** Sorts the endpoints of a slice as kube-proxy did before 1.31; the order decides between duplicates of an address. */
const sortByAddresses = (endpoints: readonly EndpointInput[]): readonly EndpointInput[] =>
  endpoints.toSorted((a, b) => compareText((a.addresses ?? []).join(), (b.addresses ?? []).join()));

function viewEndpoint(
  endpoint: EndpointInput,
  { ip, written }: { readonly ip: string; readonly written: string },
  port: number,
  nodeName: string,
  { parsedEndpointIPs, sourcesAsWritten, unreadyEndpoints, hostnameTopology, hostnameIgnored, topologyKeys }: ProxyGates,
): EndpointView {
  const { conditions, hints, deprecatedTopology, targetRef, zone } = endpoint;
  const endpointNode = endpoint.nodeName ?? (hostnameTopology && !hostnameIgnored ? deprecatedTopology?.[hostnameLabel] : undefined);
  return {
    text: joinHostPort(parsedEndpointIPs ? ip : written, port),
    ip: sourcesAsWritten ? written : ip,
    port,
    isLocal: nodeName !== '' && endpointNode === nodeName,
    ready: conditions?.ready ?? true,
    serving: !unreadyEndpoints || (conditions?.serving ?? true),
    terminating: unreadyEndpoints && (conditions?.terminating ?? false),
    zoneHints: namesOf(hints?.forZones),
    nodeHints: namesOf(hints?.forNodes),
    nodeName: endpointNode ?? undefined,
    targetRef: targetRef ?? undefined,
    ...(topologyKeys && {
      topology: {
        ...deprecatedTopology,
        ...(typeof endpointNode === 'string' && { [hostnameLabel]: endpointNode }),
        ...(typeof zone === 'string' && { [zoneLabel]: zone }),
      },
    }),
  };
}

/** Sorts endpoints, and removes duplicates of an address, which are adjacent and in their original order after the stable sort. */
function removeDuplicates(endpoints: EndpointView[], { livingDuplicatesWin, duplicatesByPort }: ProxyGates): EndpointView[] {
  if (!duplicatesByPort) return removeDuplicateIPs(endpoints).sort(compareEndpoints);
  const sortedEndpoints = endpoints.sort(compareEndpoints);
  if (!sortedEndpoints.some(({ text }, i) => text === sortedEndpoints[i - 1]?.text)) return sortedEndpoints;
  const uniqueEndpoints: EndpointView[] = [];
  for (const endpoint of sortedEndpoints) {
    const last = uniqueEndpoints.length - 1;
    if (uniqueEndpoints[last]?.text !== endpoint.text) uniqueEndpoints.push(endpoint);
    else if (livingDuplicatesWin ? !endpoint.terminating : endpoint.isLocal) uniqueEndpoints[last] = endpoint;
  }
  return uniqueEndpoints;
}

/** Keeps one endpoint for each address, whatever its port number: the first, or the last on this node. */
function removeDuplicateIPs(endpoints: readonly EndpointView[]): EndpointView[] {
  const endpointsByIP = new Map<string, EndpointView>();
  for (const endpoint of endpoints) if (endpoint.isLocal || !endpointsByIP.has(endpoint.ip)) endpointsByIP.set(endpoint.ip, endpoint);
  return [...endpointsByIP.values()];
}

/** Mirrors net.JoinHostPort of Go. */
export const joinHostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

const namesOf = (hints: readonly { readonly name?: string | null | undefined }[] | null | undefined): readonly string[] =>
  hints && hints.length > 0 ? hints.map(({ name }) => name ?? '') : noNames;

const noNames: readonly string[] = [];

const compareEndpoints = (a: EndpointView, b: EndpointView): number => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1);
