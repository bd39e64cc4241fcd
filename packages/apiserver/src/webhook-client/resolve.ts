import { type ApiObject, hasReason, resources } from 'kube-endpoints/port';
import type { Randomness } from '../registry/index.ts';
import { child, type Fields, list, number, text, texts } from '../resources/field/read.ts';
import type { Store } from '../store/index.ts';
import type { Address, ServiceReference } from './client.ts';

/** Resolves a Service to an address, or returns undefined to resolve it in the store. An error becomes the reason why the call failed. */
export type ResolveService = (service: ServiceReference) => Address | undefined | Promise<Address | undefined>;

/**
 * Picks a ready endpoint, because no proxy routes cluster IPs for this process. Uses the Service's EndpointSlices or, if there are none,
 * the Service's Endpoints.
 *
 * Mirrors ResolveEndpoint (1.36, apiserver/pkg/util/proxy), which kube-apiserver uses with --enable-aggregator-routing; ExternalName is
 * handled as in ResolveCluster.
 * @throws Error if the Service, its port or a ready endpoint is missing
 */
export function resolveInStore(
  store: Pick<Store, 'get' | 'list'>,
  { draw }: Pick<Randomness, 'draw'>,
  reference: ServiceReference,
): Address {
  const { namespace, name, port } = reference;
  const service = getService(store, reference);
  const spec = child(service, 'spec');
  const type = text(spec, 'type') || 'ClusterIP';
  if (type === 'ExternalName') return { host: text(spec, 'externalName'), port };
  const servicePort = list(spec, 'ports').find((each) => number(each, 'port') === port);
  if (!servicePort) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const slices = store.list(resources.endpointSlices, { namespace, labelSelector: `kubernetes.io/service-name=${name}` }).items;
  const addresses = slices.length > 0 ? addressesInSlices(slices, spec, servicePort) : addressesInEndpoints(store, reference, servicePort);
  if (addresses.length === 0) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
  return addresses[draw(addresses.length)] as Address;
}

function getService(store: Pick<Store, 'get'>, { namespace, name }: ServiceReference): Fields {
  try {
    return store.get(resources.services, { namespace, name }) as unknown as Fields;
  } catch (error) {
    if (hasReason(error, 'NotFound')) throw new Error(`service ${JSON.stringify(name)} not found`);
    throw error;
  }
}

/** Returns the addresses of the Service's first IP family if there are any, otherwise all addresses. */
function addressesInSlices(slices: readonly ApiObject[], spec: Fields, servicePort: Fields): readonly Address[] {
  const [family] = texts(spec, 'ipFamilies');
  const allSlices = slices as unknown as readonly Fields[];
  const preferredAddresses = allSlices
    .filter((slice) => text(slice, 'addressType') === family)
    .flatMap((slice) => addressesInSlice(slice, servicePort));
  return preferredAddresses.length > 0 ? preferredAddresses : allSlices.flatMap((slice) => addressesInSlice(slice, servicePort));
}

function addressesInSlice(slice: Fields, servicePort: Fields): readonly Address[] {
  const port = list(slice, 'ports').find((each) => text(each, 'name') === text(servicePort, 'name'));
  if (!port) return [];
  return list(slice, 'endpoints')
    .filter((endpoint) => child(endpoint, 'conditions')['ready'] !== false)
    .map((endpoint) => ({ host: texts(endpoint, 'addresses')[0] ?? '', port: number(port, 'port') }));
}

function addressesInEndpoints(store: Pick<Store, 'get'>, { namespace, name }: ServiceReference, servicePort: Fields): readonly Address[] {
  const endpoints = getEndpoints(store, namespace, name);
  return list(endpoints, 'subsets').flatMap((subset) => {
    const port = list(subset, 'ports').find((each) => text(each, 'name') === text(servicePort, 'name'));
    return port ? list(subset, 'addresses').map((address) => ({ host: text(address, 'ip'), port: number(port, 'port') })) : [];
  });
}

function getEndpoints(store: Pick<Store, 'get'>, namespace: string, name: string): Fields {
  try {
    return store.get(resources.endpoints, { namespace, name }) as unknown as Fields;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return {};
    throw error;
  }
}
