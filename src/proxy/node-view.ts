import { compareText, type IPFamily, nameOf, objectKey } from '../apimachinery/index.ts';
import { serviceNameLabel } from '../spec/index.ts';
import type { EndpointSliceInput } from '../types/index.ts';
import { isIPFamily } from './addresses.ts';
import { categorize, type NodeIdentity } from './categorize.ts';
import { type EndpointsByPort, endpointsByPort } from './endpoints.ts';
import type { ProxyObjects, ProxyService } from './objects.ts';
import { portKey, servicePorts } from './service-ports.ts';
import type { NodeView, ServicePortView } from './view.ts';

export interface NodeViewOptions {
  /** IPv4 by default: a node of two families has a view, and rules, of each. */
  readonly family?: IPFamily;
}

/**
 * What the kube-proxy of a node makes of Services and EndpointSlices, of one address family. All that are given count; which ones
 * kube-proxy watches says `isWatched`. Of two Services or slices of one name the last counts.
 * @throws RangeError for a family that is none
 */
export function createNodeView(objects: ProxyObjects, node: NodeIdentity, { family = 'IPv4' }: NodeViewOptions = {}): NodeView {
  checkFamily(family);
  const services = new Map<string, ProxyService>();
  for (const service of objects.services ?? []) services.set(objectKey(service), service);
  const slices = slicesByService(objects.endpointSlices ?? [], family);
  const views = new Map<string, ServiceView>();
  for (const key of sortKeys(new Set([...services.keys(), ...slices.keys()]))) {
    views.set(key, viewService(services.get(key), slices.get(key) ?? [], node, family));
  }
  return joinViews(views, family);
}

/** @throws RangeError for a family that is none */
export function checkFamily(family: IPFamily): void {
  if (!isIPFamily(family)) throw new RangeError(`family must be "IPv4" or "IPv6", not ${JSON.stringify(family)}`);
}

/** What becomes of one Service and the slices that name it, whether there is such a Service or not. */
export interface ServiceView {
  readonly ports: readonly ServicePortView[];
  /** 0: none. */
  readonly healthCheckNodePort: number;
  readonly localReady: number;
}

/** Works out one Service. Slices come in the order of their names, so that the outcome does not hang on that of their arrival. */
export function viewService(
  service: ProxyService | undefined,
  slices: Iterable<EndpointSliceInput>,
  node: NodeIdentity,
  family: IPFamily,
): ServiceView {
  const inOrder = [...slices].sort((a, b) => compareText(nameOf(a), nameOf(b)));
  const endpoints = endpointsByPort(inOrder, node.name);
  const facts = service ? servicePorts(service, family) : [];
  const ports = facts.map((port) => ({ ...port, ...categorize(endpoints.get(portKey(port.portName, port.protocol)) ?? [], port, node) }));
  return { ports, healthCheckNodePort: facts[0]?.healthCheckNodePort ?? 0, localReady: countLocalReady(endpoints) };
}

/** @param views by "shop/web", in the order of `sortKeys` */
export function joinViews(views: ReadonlyMap<string, ServiceView>, family: IPFamily): NodeView {
  const present = [...views];
  return {
    family,
    ports: present.flatMap(([, { ports }]) => ports),
    healthCheckNodePorts: recordOf(present.map(([key, { healthCheckNodePort }]) => [key, healthCheckNodePort] as const)),
    localReady: recordOf(present.map(([key, { localReady }]) => [key, localReady] as const)),
  };
}

/**
 * "shop/web" of the Service that a slice is of; undefined where it is of another family or lacks a name, a namespace or the label.
 * Mirrors EndpointSliceUpdate and endpointSliceCacheKeys (1.36, pkg/proxy).
 */
export function serviceKeyOf({ metadata, addressType }: EndpointSliceInput, family: IPFamily): string | undefined {
  const service = metadata?.labels?.[serviceNameLabel];
  if (addressType !== family || !service || !metadata?.namespace || !metadata.name) return undefined;
  return `${metadata.namespace}/${service}`;
}

/** Keys by namespace, then name: "/" is between other characters, but has to come before all of them. */
export const sortKeys = (keys: Iterable<string>): string[] =>
  Array.from(keys, (key) => key.replace('/', '\0'))
    .sort()
    .map((key) => key.replace('\0', '/'));

function slicesByService(given: Iterable<EndpointSliceInput>, family: IPFamily): Map<string, EndpointSliceInput[]> {
  const byKey = new Map<string, EndpointSliceInput>();
  for (const slice of given) byKey.set(objectKey(slice), slice);
  const byService = new Map<string, EndpointSliceInput[]>();
  for (const slice of byKey.values()) {
    const owner = serviceKeyOf(slice, family);
    if (owner === undefined) continue;
    const own = byService.get(owner);
    if (own) own.push(slice);
    else byService.set(owner, [slice]);
  }
  return byService;
}

/** A pod counts once, however many of its ports are served. */
function countLocalReady(endpoints: EndpointsByPort): number {
  const ips = new Set<string>();
  for (const list of endpoints.values()) for (const { ready, isLocal, ip } of list) if (ready && isLocal) ips.add(ip);
  return ips.size;
}

const recordOf = (counts: readonly (readonly [key: string, count: number])[]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0));
