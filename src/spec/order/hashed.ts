import type { EndpointPort, EndpointSubset } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { Digest } from '../hash/digest.ts';
import { createFNV128a } from '../hash/fnv128a.ts';
import { createMD5 } from '../hash/md5.ts';
import { writePort, writeSubset } from './printed.ts';

/**
 * Sorts ports as the release does: by the hashes of their Go structures as text.
 * Mirrors portsByHash (pkg/api/v1/endpoints/util.go), which calls DeepHashObject (pkg/util/hash/hash.go).
 */
export const sortPorts = (ports: readonly EndpointPort[], profile: Profile): EndpointPort[] => sortByHash(ports, writePort, profile);

/**
 * Sorts subsets in the release's order: by the hashes of their printed Go structures. The addresses and ports inside them must
 * already be sorted. Mirrors subsetsByHash (pkg/api/v1/endpoints/util.go).
 */
export const sortSubsets = (subsets: readonly EndpointSubset[], profile: Profile): EndpointSubset[] =>
  sortByHash(subsets, writeSubset, profile);

function sortByHash<T>(items: readonly T[], write: (digest: Digest, item: T, profile: Profile) => void, profile: Profile): T[] {
  if (items.length < 2) return [...items];
  const hashedItems = items.map((item) => {
    const digest = profile.orderedByFNV ? createFNV128a() : createMD5();
    write(digest, item, profile);
    return { item, hash: digest.hex() };
  });
  return hashedItems.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ item }) => item);
}
