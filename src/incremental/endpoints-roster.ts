import { deepEqual } from '../apimachinery/equal.ts';
import { rankOfIPv4 } from '../apimachinery/ip.ts';
import { isSameAddress, sortByAddress } from '../spec/order/addresses.ts';
import { createSortedAddresses } from '../spec/order/sorted.ts';
import { haveSubsets } from '../spec/plan.ts';
import type { Settings } from '../spec/settings.ts';
import { lesser, type Offer, pack, subsetWith } from '../spec/subsets.ts';
import { inquire } from '../spec/verdict.ts';
import type { EndpointAddress, EndpointSubset, EndpointsInput, Service } from '../types/index.ts';
import { createMembers, type Member, type Members } from './pods.ts';

/** The pods of a Service on a feed, and their subsets. */
export interface EndpointsRoster extends Members {
  /** The canonical subsets, not yet truncated to capacity. The roster owns them; they are valid until its next update. */
  subsets(): EndpointSubset[];
  /** Whether these Endpoints have the subsets. The comparison is skipped if neither changed since they were last found equal. */
  areIn(current: EndpointsInput): boolean;
}

/** A pod with its offer, if it has one. */
interface Offering extends Member {
  time: string | undefined;
  readonly address: EndpointAddress | undefined;
  readonly ready: boolean;
  readonly ports: Ports | undefined;
}

/** The inputs of the last comparison that found Endpoints equal. */
interface Compared {
  readonly current: EndpointsInput;
  readonly resourceVersion: unknown;
  readonly subsets: unknown;
  readonly revision: number;
}

/** Indexes of ports, with the number of pods that offer exactly these. */
interface Ports {
  readonly places: readonly number[];
  pods: number;
}

/**
 * Creates the roster of a Service. If all pods offer the same ports and no two share an address, as in most Services, the
 * addresses are kept sorted and form one subset. Otherwise every change repacks the subsets, because the order of several subsets
 * depends on all of their addresses.
 */
export function createEndpointsRoster(service: Service, { profile, targetRef }: Settings): EndpointsRoster {
  const inquiry = inquire(service, profile, targetRef);
  const offers = createOffers();
  const members = createMembers<Offering>(service, (before, pod, time) => {
    const verdict = pod && inquiry.judge(pod);
    const offer = typeof verdict === 'object' ? verdict : undefined;
    if (before && isSame(before, offer)) {
      before.time = time;
      return offer || time !== undefined ? before : undefined;
    }
    if (before) offers.remove(before);
    if (offer) return offers.add(offer, time);
    return time === undefined ? undefined : { time, address: undefined, ready: false, ports: undefined };
  });
  let packed: { readonly revision: number; readonly subsets: EndpointSubset[] } | undefined;
  let equal: Compared | undefined;
  const subsets = (): EndpointSubset[] => {
    const { places, ready, notReady, revision } = offers;
    if (places) return [subsetWith(ready, notReady, [...new Set(places)], inquiry.ports.list, profile)];
    if (packed?.revision !== revision) {
      packed = { revision, subsets: pack(offersOf(members.all.values()), inquiry.ports.list, profile, lesser) };
    }
    return packed.subsets;
  };
  return {
    ...members,
    load(pods, times) {
      offers.gather(() => members.load(pods, times));
    },
    subsets,
    areIn(current) {
      const compared = { current, resourceVersion: current.metadata?.resourceVersion, subsets: current.subsets, revision: offers.revision };
      if (equal && isSameComparison(equal, compared)) return true;
      const isEqual = haveSubsets(current, subsets(), profile);
      if (isEqual) equal = compared;
      return isEqual;
    },
  };
}

const isSameComparison = (a: Compared, b: Compared): boolean =>
  a.current === b.current && a.resourceVersion === b.resourceVersion && a.subsets === b.subsets && a.revision === b.revision;

const isSame = ({ address, ready, ports }: Offering, offer: Offer | undefined): boolean =>
  address && offer
    ? ready === offer.ready && String(ports?.places) === String(offer.ports) && deepEqual(address, offer.address)
    : !address && !offer;

function offersOf(offerings: Iterable<Offering>): Offer[] {
  const offers: Offer[] = [];
  for (const { address, ready, ports } of offerings) {
    if (address && ports) offers.push({ address, rank: rankOfIPv4(address.ip), ready, ports: ports.places });
  }
  return offers;
}

/** The current offers, sorted as they are written. */
interface Offers {
  readonly revision: number;
  readonly ready: EndpointAddress[];
  readonly notReady: EndpointAddress[];
  /** The port indexes that all pods share; undefined if they differ or an address occurs twice. */
  readonly places: readonly number[] | undefined;
  add(offer: Offer, time: string | undefined): Offering;
  remove(offering: Offering): void;
  /** Runs `adding` while the list is empty, and sorts the added offers once at the end. */
  gather(adding: () => void): void;
}

function createOffers(): Offers {
  const [ready, notReady] = [createSortedAddresses(), createSortedAddresses()];
  const ports = new Map<string, Ports>();
  let [revision, twins] = [0, 0];
  let gathered: Offer[] | undefined;
  const hasTwin = (address: EndpointAddress): boolean => ready.hasLike(address) || notReady.hasLike(address);
  return {
    get revision() {
      return revision;
    },
    ready: ready.list,
    notReady: notReady.list,
    get places() {
      const [only, ...others] = [...ports.values()].filter(({ pods }) => pods > 0);
      return twins === 0 && others.length === 0 ? only?.places : undefined;
    },
    add(offer, time) {
      revision++;
      const known = ports.get(String(offer.ports)) ?? { places: offer.ports, pods: 0 };
      ports.set(String(offer.ports), known);
      known.pods++;
      if (gathered) gathered.push(offer);
      else {
        if (hasTwin(offer.address)) twins++;
        (offer.ready ? ready : notReady).add(offer.address);
      }
      return { time, address: offer.address, ready: offer.ready, ports: known };
    },
    remove({ address, ready: wasReady, ports: known }) {
      if (!address || !known) return;
      revision++;
      known.pods--;
      (wasReady ? ready : notReady).remove(address);
      if (hasTwin(address)) twins--;
    },
    gather(adding) {
      gathered = [];
      adding();
      const sorted = sortByAddress(gathered);
      for (const [i, offer] of sorted.entries()) {
        (offer.ready ? ready : notReady).list.push(offer.address);
        const before = sorted[i - 1];
        if (before && isSameAddress(before, offer)) twins++;
      }
      gathered = undefined;
    },
  };
}
