import type { ApiObject } from 'kube-endpoints/port';
import { ringKind } from './ring.ts';

/** The members that a replica acts by: it claims the keys that are its own on the ring of these. Sorted; empty: it claims none. */
export type Claim = readonly string[];

/** Where a replica's claim stands in its Lease. */
export const claimAnnotation = 'kube-endpoints/acts-by';

/** Which group of replicas a Lease belongs to. */
export const groupLabel = 'kube-endpoints/group';

export const claimOf = (members: Iterable<string>): Claim => [...new Set(members)].sort();

export const claimText = (claim: Claim): string => JSON.stringify({ ring: ringKind, members: claim });

/** What a Lease claims; undefined where it cannot be told, as with a ring of another kind. */
export function readClaim({ metadata }: ApiObject): Claim | undefined {
  try {
    const { ring, members } = JSON.parse(metadata.annotations?.[claimAnnotation] ?? '');
    const isKnown = ring === ringKind && Array.isArray(members) && members.every((member) => typeof member === 'string');
    return isKnown ? claimOf(members) : undefined;
  } catch {
    return undefined;
  }
}
