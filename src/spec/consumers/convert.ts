import { compareText } from '../../apimachinery/compare.ts';
import { rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { EndpointAddress, EndpointPort, EndpointSliceInput, EndpointSubset, Endpoints, Optional, Service } from '../../types/index.ts';
import { type Profile, profileFor, type ReleaseOptions } from '../../versions/index.ts';
import { familyOf, type IPFamily } from '../address.ts';
import { fitCapacity } from '../capacity.ts';
import { annotationsFor, headlessLabel } from '../metadata.ts';
import { chooseLesser, createPortSet, type Offer, pack } from '../subsets.ts';
import { sortMembers } from './merge.ts';
import { type CollectedService, collectSlices, type EndpointGroup } from './merge-collect.ts';
import type { MergedEndpoint } from './merge-endpoint.ts';

/** The release determines the order, limit and annotations of the result. */
export interface EndpointsFromSlicesOptions extends ReleaseOptions {
  /** The Services, as far as the caller has them. Each defines its primary family and whether it has ports. */
  readonly services?: readonly Service[];
}

/**
 * Converts slices to equivalent Endpoints, one for each Service that they name, sorted by namespace and name.
 *
 * 1. Slices of the Service's primary family are joined as in `mergeSlices`, except that two targets at one address stay
 *    separate. If the Service is unknown, IPv4 is primary, unless all slices are IPv6.
 * 2. Endpoints that the endpoints controller leaves out are dropped: terminating ones that are not published as ready, and pods
 *    with none of the Service's ports. Ports without a number are dropped too, because Endpoints cannot express them.
 * 3. The rest is packed into canonical subsets and truncated to capacity, as the release does.
 *
 * If nothing is left of a Service, its Endpoints have no subsets.
 * @throws RangeError for an unknown version
 */
export function endpointsFromSlices(slices: readonly EndpointSliceInput[], options: EndpointsFromSlicesOptions = {}): Endpoints[] {
  const profile = profileFor(options.version, options.featureGates);
  const servicesByKey = new Map(
    (options.services ?? []).map((service) => [keyOf(service.metadata?.namespace, service.metadata?.name), service]),
  );
  return collectSlices(slices, { byTarget: true })
    .services.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.service, b.service))
    .map((collected) => {
      const service = servicesByKey.get(keyOf(collected.namespace, collected.service));
      return createEndpoints(collected, createSubsets(collected, service, profile), profile);
    });
}

const keyOf = (namespace: Optional<string>, name: Optional<string>): string => `${namespace ?? ''}\0${name ?? ''}`;

/** The address type of a Service's Endpoints, derived from the Service or its slices; IPv4 if neither defines it. */
export const primaryFamily = ({ addressTypes }: CollectedService, service: Service | undefined): IPFamily =>
  (service && familyOf(service)?.family) ?? (addressTypes.has('IPv4') || !addressTypes.has('IPv6') ? 'IPv4' : 'IPv6');

/**
 * Whether an endpoint is in slices only to drain its connections. If a Service publishes not-ready addresses, its terminating
 * pods are ready in slices and stay in its Endpoints.
 */
export const isTerminatingNotReady = ({ ready, terminating }: MergedEndpoint): boolean => terminating && !ready;

/**
 * Whether a group without ports holds pods that have none of the Service's ports. This is the case if the controller wrote
 * the group, and the Service has a cluster IP or has ports. Endpoints leave such pods out, and list addresses without ports only for
 * headless Services without ports, or if another client wrote them. Slices alone are not always enough: if no pod of a headless Service has
 * any of its ports, only the Service shows that it has ports.
 */
export function isUnresolved(
  { port, origin }: EndpointGroup,
  { hasControllerPorts }: CollectedService,
  service: Service | undefined,
): boolean {
  if (port || origin === 'other') return false;
  return origin === 'controller' || hasControllerPorts || !!service?.spec?.ports?.length;
}

function createSubsets(collected: CollectedService, service: Service | undefined, profile: Profile): EndpointSubset[] {
  const ports = createPortSet();
  const offers: Offer[] = [];
  // one list per port: `pack` compares lists by identity
  const indexLists = new Map<number, readonly number[]>();
  const listOf = (index: number): readonly number[] => {
    const list = indexLists.get(index) ?? [index];
    indexLists.set(index, list);
    return list;
  };
  const family = primaryFamily(collected, service);
  for (const group of collected.groups.values()) {
    if (group.addressType !== family || isUnresolved(group, collected, service)) continue;
    for (const { endpoint } of sortMembers(group)) {
      if (isTerminatingNotReady(endpoint) || (group.port && endpoint.port === undefined)) continue;
      const port = toEndpointPort(group, endpoint.port);
      const index = port ? ports.add(port, '') : ports.noPorts;
      offers.push({ address: toAddress(endpoint), rank: rankOfIPv4(endpoint.address), ready: endpoint.ready, ports: listOf(index) });
    }
  }
  return pack(offers, ports.list, { ...profile, portlessSubsetsKept: true }, chooseLesser);
}

function toEndpointPort({ port, appProtocols }: EndpointGroup, number: number | undefined): EndpointPort | undefined {
  if (!port || number === undefined) return undefined;
  const [appProtocol] = [...(appProtocols.get(number) ?? [])].sort(compareText);
  return { ...(port.name && { name: port.name }), port: number, protocol: port.protocol, ...(appProtocol && { appProtocol }) };
}

const toAddress = ({ address, hostname, nodeName, targetRef }: MergedEndpoint): EndpointAddress => ({
  ip: address,
  ...(hostname && { hostname }),
  ...(nodeName && { nodeName }),
  ...(targetRef && { targetRef }),
});

function createEndpoints({ namespace, service, headless }: CollectedService, subsets: EndpointSubset[], profile: Profile): Endpoints {
  const fitted = fitCapacity(subsets, profile);
  const annotations = annotationsFor(undefined, undefined, fitted.overCapacity, profile);
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: service,
      namespace,
      ...(headless && { labels: { [headlessLabel]: '' } }),
      ...(Object.keys(annotations).length && { annotations }),
    },
    ...(fitted.subsets.length && { subsets: fitted.subsets }),
  };
}
