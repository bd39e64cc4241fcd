import type { EndpointAddressInput, EndpointSubset, EndpointSubsetInput } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { sameSubsets } from './equal.ts';
import { compareAddresses } from './order/addresses.ts';
import { hasLike } from './order/sorted.ts';
import { repack } from './subsets.ts';

/**
 * Whether subsets that are there, which are not those that are wanted, are so once they are repacked. That is seldom, and to repack
 * costs more than all else about an update, so that it is left out where it can be seen that it makes no difference.
 */
export function sameWhenRepacked(there: readonly EndpointSubsetInput[], wanted: readonly EndpointSubset[], profile: Profile): boolean {
  const [only, ...others] = there;
  const [subset, ...more] = wanted;
  if (only && subset && others.length + more.length === 0 && remainsOther(only, subset, profile)) return false;
  return sameSubsets(repack(there, profile), wanted, profile);
}

/** To repack one subset puts its addresses into order, one for those that are the same; the others stay as ready as they are. */
function remainsOther({ addresses, notReadyAddresses }: EndpointSubsetInput, wanted: EndpointSubset, profile: Profile): boolean {
  const [ready, notReady] = [addresses ?? [], notReadyAddresses ?? []];
  const surplus = ready.length + notReady.length - (wanted.addresses?.length ?? 0) - (wanted.notReadyAddresses?.length ?? 0);
  if (surplus < 0 || (surplus === 0 && ready.length !== (wanted.addresses?.length ?? 0))) return true;
  const isInOrder = isAscending(ready) && isAscending(notReady) && !shareAny(ready, notReady);
  return isInOrder && !sameSubsets([{ addresses, notReadyAddresses }], [{ ...wanted, ports: [] }], profile);
}

type Addresses = readonly EndpointAddressInput[];

/** By IP, then by the target's UID, no two the same. */
const isAscending = (addresses: Addresses): boolean =>
  addresses.every((address, i) => i === 0 || compareAddresses(addresses[i - 1] as EndpointAddressInput, address) < 0);

/** Whether an address is in both of two ascending lists. */
function shareAny(some: Addresses, others: Addresses): boolean {
  const [few, many] = some.length < others.length ? [some, others] : [others, some];
  return few.some((address) => hasLike(many, address));
}
