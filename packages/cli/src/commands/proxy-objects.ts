import { isWatched, type ProxyObjects, type ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Inventory } from '../input/collection.ts';
import { computedHint, computedSlices } from '../input/computed-slices.ts';
import { counted } from '../print/text.ts';

/** What a kube-proxy is given, and what has to be said of it. */
export interface ProxyInput extends Required<Pick<ProxyObjects, 'services' | 'endpointSlices'>> {
  readonly services: readonly ProxyService[];
  readonly endpointSlices: readonly EndpointSliceInput[];
  readonly hints: readonly string[];
}

/** The release whose kube-proxy, and whose controllers, are meant. */
export const proxyRelease = '1.36';

/**
 * The Services and EndpointSlices of the input that a kube-proxy watches. Where a file holds no slices, those that the controllers
 * would write are made of its pods, or of Endpoints that nobody but the user writes.
 * @param live whether the input is of a cluster, where no slices means that there are none
 */
export function proxyObjects(inventory: Inventory, live: boolean): ProxyInput {
  const services = inventory.services.filter((service) => isWatched(service, 'Service')) as readonly ProxyService[];
  const hints = inventory.standIns.size > 0 ? [standInHint(inventory.standIns.size)] : [];
  if (live || inventory.slices.length > 0) {
    const endpointSlices = inventory.slices.filter((slice) => isWatched(slice, 'EndpointSlice'));
    return { services, endpointSlices, hints };
  }
  return {
    services,
    endpointSlices: computedSlices(inventory, proxyRelease),
    hints: inventory.services.length > 0 ? [...hints, computedHint(proxyRelease)] : hints,
  };
}

const standInHint = (count: number): string =>
  `The input does not tell the cluster IP of ${counted(count, 'Service')}: another address stands for it.`;
