import {
  fitCapacity,
  type Inquiry,
  inquire,
  lesser,
  type Offer,
  pack,
  type UnmanagedCode,
  unmanagedBecause,
  type Verdict,
} from '../spec/index.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/** The place of a pod's address in the final Endpoints. */
export interface Place {
  readonly ready: boolean;
  /** Such as "http:8080/TCP", sorted. */
  readonly ports: readonly string[];
}

export interface Placements {
  readonly inquiry: Inquiry;
  readonly unmanaged: UnmanagedCode | undefined;
  readonly judged: readonly { readonly pod: Pod; readonly offer: Offer | undefined }[];
  /** The subsets before and after truncation to capacity. */
  readonly packed: readonly EndpointSubset[];
  readonly subsets: readonly EndpointSubset[];
  /** Undefined if the address was cut by truncation. */
  placeOf(offer: Offer): Place | undefined;
}

/** Evaluates every pod, and locates its offer in the final subsets. */
export function placements(service: Service, pods: readonly Pod[], profile: Profile): Placements {
  const unmanaged = unmanagedBecause(service, profile);
  const inquiry = inquire(service, profile);
  const judged = pods.map((pod) => ({ pod, offer: unmanaged ? undefined : offerIn(inquiry.judge(pod)) }));
  const offers = judged.flatMap(({ offer }) => offer ?? []);
  const packed = pack(offers, inquiry.ports.list, profile, lesser);
  const { subsets } = fitCapacity(packed, profile);
  const places = placesIn(subsets);
  return { inquiry, unmanaged, judged, packed, subsets, placeOf: ({ address }) => places.get(keyOf(address)) };
}

function placesIn(subsets: readonly EndpointSubset[]): ReadonlyMap<string, Place> {
  const places = new Map<string, { ready: boolean; ports: string[] }>();
  const add = (address: EndpointAddress, ready: boolean, ports: readonly string[]): void => {
    const key = keyOf(address);
    const place = places.get(key);
    places.set(key, { ready: ready && (place?.ready ?? true), ports: [...(place?.ports ?? []), ...ports].sort() });
  };
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const printed = ports.map(printPort);
    for (const address of addresses) add(address, true, printed);
    for (const address of notReadyAddresses) add(address, false, printed);
  }
  return places;
}

const offerIn = (verdict: Verdict): Offer | undefined => (typeof verdict === 'string' ? undefined : verdict);

const keyOf = ({ ip, targetRef }: EndpointAddress): string => JSON.stringify([ip, targetRef?.uid ?? '']);

/** Such as "http:8080/TCP". */
export const printPort = ({ name, port, protocol }: EndpointPort): string =>
  `${name ? `${name}:` : ''}${port}${protocol ? `/${protocol}` : ''}`;
