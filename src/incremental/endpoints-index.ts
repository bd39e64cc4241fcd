import { deepEqual } from '../apimachinery/equal.ts';
import { rankOfIPv4 } from '../apimachinery/ip.ts';
import { isSameAddress, sortByAddress } from '../spec/order/addresses.ts';
import { createSortedAddresses } from '../spec/order/sorted.ts';
import { hasSubsets } from '../spec/plan.ts';
import type { Settings } from '../spec/settings.ts';
import { chooseLesser, createSubset, isPerPod, type Offer, pack } from '../spec/subsets.ts';
import { createPodEvaluator } from '../spec/verdict.ts';
import type { EndpointAddress, EndpointSubset, EndpointsInput, Service } from '../types/index.ts';
import { type CachedPod, createPodIndex, type PodIndex } from './pods.ts';

/** The pods of a Service on a feed, and their subsets. */
export interface EndpointsIndex extends PodIndex {
  /** The canonical subsets, not yet truncated to capacity. The index owns them; they are valid until its next update. */
  subsets(): EndpointSubset[];
  /** Whether these Endpoints have the subsets. The comparison is skipped if neither changed since they were last found equal. */
  matches(current: EndpointsInput): boolean;
}

/** A pod with its offer, if it has one. */
interface PodOffer extends CachedPod {
  time: string | undefined;
  readonly address: EndpointAddress | undefined;
  readonly ready: boolean;
  readonly ports: PortUse | undefined;
}

/** The inputs of the last comparison that found Endpoints equal. */
interface ComparisonInputs {
  readonly current: EndpointsInput;
  readonly resourceVersion: unknown;
  readonly subsets: unknown;
  readonly revision: number;
}

/** Indexes of ports, with the number of pods that offer exactly these. */
interface PortUse {
  readonly indexes: readonly number[];
  podCount: number;
}

/**
 * Creates the pod index of a Service. If all pods offer the same ports and no two share an address, as in most Services, the
 * addresses are kept sorted and form one subset. Otherwise every change repacks the subsets, because the order of several subsets
 * depends on all of their addresses.
 */
export function createEndpointsIndex(service: Service, { profile, targetRef }: Settings): EndpointsIndex {
  const evaluator = createPodEvaluator(service, profile, targetRef);
  const offers = createOffers();
  const podIndex = createPodIndex<PodOffer>(service, (previous, pod, time) => {
    const verdict = pod && evaluator.evaluate(pod);
    const offer = typeof verdict === 'object' ? verdict : undefined;
    if (previous && isUnchanged(previous, offer)) {
      previous.time = time;
      return offer || time !== undefined ? previous : undefined;
    }
    if (previous) offers.remove(previous);
    if (offer) return offers.add(offer, time);
    return time === undefined ? undefined : { time, address: undefined, ready: false, ports: undefined };
  });
  let lastPacking: { readonly revision: number; readonly subsets: EndpointSubset[] } | undefined;
  let lastEqualInputs: ComparisonInputs | undefined;
  const subsets = (): EndpointSubset[] => {
    const { sharedPorts, ready, notReady, revision } = offers;
    const { list } = evaluator.ports;
    if (sharedPorts && !isPerPod(sharedPorts, list, profile))
      return [createSubset(ready, notReady, [...new Set(sharedPorts)], list, profile)];
    if (lastPacking?.revision !== revision) {
      lastPacking = { revision, subsets: pack(offersOf(podIndex.cachedPods.values()), list, profile, chooseLesser) };
    }
    return lastPacking.subsets;
  };
  return {
    ...podIndex,
    load(pods, times) {
      offers.addInBulk(() => podIndex.load(pods, times));
    },
    subsets,
    matches(current) {
      const inputs = { current, resourceVersion: current.metadata?.resourceVersion, subsets: current.subsets, revision: offers.revision };
      if (lastEqualInputs && areSameInputs(lastEqualInputs, inputs)) return true;
      const isEqual = hasSubsets(current, subsets(), profile);
      if (isEqual) lastEqualInputs = inputs;
      return isEqual;
    },
  };
}

const areSameInputs = (a: ComparisonInputs, b: ComparisonInputs): boolean =>
  a.current === b.current && a.resourceVersion === b.resourceVersion && a.subsets === b.subsets && a.revision === b.revision;

const isUnchanged = ({ address, ready, ports }: PodOffer, offer: Offer | undefined): boolean =>
  address && offer
    ? ready === offer.ready && String(ports?.indexes) === String(offer.ports) && deepEqual(address, offer.address)
    : !address && !offer;

function offersOf(podOffers: Iterable<PodOffer>): Offer[] {
  const offers: Offer[] = [];
  for (const { address, ready, ports } of podOffers) {
    if (address && ports) offers.push({ address, rank: rankOfIPv4(address.ip), ready, ports: ports.indexes });
  }
  return offers;
}

/** The current offers, sorted as they are written. */
interface Offers {
  readonly revision: number;
  readonly ready: EndpointAddress[];
  readonly notReady: EndpointAddress[];
  /** The port indexes that all pods share; undefined if they differ or an address occurs twice. */
  readonly sharedPorts: readonly number[] | undefined;
  add(offer: Offer, time: string | undefined): PodOffer;
  remove(podOffer: PodOffer): void;
  /** Runs `addOffers` while the list is empty, and sorts the added offers once at the end. */
  addInBulk(addOffers: () => void): void;
}

function createOffers(): Offers {
  const [ready, notReady] = [createSortedAddresses(), createSortedAddresses()];
  const ports = new Map<string, PortUse>();
  let [revision, duplicateCount] = [0, 0];
  let bulkOffers: Offer[] | undefined;
  const hasDuplicate = (address: EndpointAddress): boolean => ready.hasAddress(address) || notReady.hasAddress(address);
  return {
    get revision() {
      return revision;
    },
    ready: ready.list,
    notReady: notReady.list,
    get sharedPorts() {
      const [first, ...others] = [...ports.values()].filter(({ podCount }) => podCount > 0);
      return duplicateCount === 0 && others.length === 0 ? first?.indexes : undefined;
    },
    add(offer, time) {
      revision++;
      const portUse = ports.get(String(offer.ports)) ?? { indexes: offer.ports, podCount: 0 };
      ports.set(String(offer.ports), portUse);
      portUse.podCount++;
      if (bulkOffers) bulkOffers.push(offer);
      else {
        if (hasDuplicate(offer.address)) duplicateCount++;
        (offer.ready ? ready : notReady).add(offer.address);
      }
      return { time, address: offer.address, ready: offer.ready, ports: portUse };
    },
    remove({ address, ready: isReady, ports: portUse }) {
      if (!address || !portUse) return;
      revision++;
      portUse.podCount--;
      (isReady ? ready : notReady).remove(address);
      if (hasDuplicate(address)) duplicateCount--;
    },
    addInBulk(addOffers) {
      bulkOffers = [];
      addOffers();
      const sortedOffers = sortByAddress(bulkOffers);
      for (const [i, offer] of sortedOffers.entries()) {
        (offer.ready ? ready : notReady).list.push(offer.address);
        const previous = sortedOffers[i - 1];
        if (previous && isSameAddress(previous, offer)) duplicateCount++;
      }
      bulkOffers = undefined;
    },
  };
}
