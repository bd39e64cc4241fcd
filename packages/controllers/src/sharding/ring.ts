import type { ApiObject } from 'kube-endpoints/port';

/** Which member each key belongs to: the same answer in every process that knows of the same members. */
export interface Ring {
  /** By `hashOf(key)`; undefined where there are no members. */
  ownerOf(hash: number): string | undefined;
}

/** What a ring is made by. Two that differ in it disagree on who owns what. */
export const ringKind = 'fnv1a-32/256';

/**
 * Consistent hashing: each member stands at many points of a circle, and a key belongs to the first point from its own on. A member that
 * goes takes nothing but its own points along, so that no other member's keys move.
 */
export function createRing(members: readonly string[]): Ring {
  const names = [...new Set(members)].sort();
  // A point and whose it is in one number: such numbers sort by point, and where two members share one, by name.
  const points = new Float64Array(names.length * pointsOfMember);
  names.forEach((name, index) => {
    const hash = hashOf(name);
    for (let i = 0; i < pointsOfMember; i++) points[index * pointsOfMember + i] = mix(hash + Math.imul(i, stride)) * mostMembers + index;
  });
  points.sort();
  return {
    ownerOf(hash) {
      const place = firstFrom(points, hash * mostMembers);
      return names[(points[place % points.length] ?? 0) % mostMembers];
    },
  };
}

/** 32-bit FNV-1a over the UTF-16 units of a text, its bits then mixed: names that differ in their last letter only are to lie far apart. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    if (unit > 0xff) hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return mix(hash);
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The index of the first point that is not before a place; their number, where there is none. */
function firstFrom(points: Float64Array, place: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

const pointsOfMember = 256;
const mostMembers = 2 ** 16;
/** Odd, and far from any small fraction of 2^32. */
const stride = 0x9e3779b9;

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

/** The name of a replica's Lease: tells a reader which replica it is. Two whose names came out the same would wait for each other. */
export function leaseNameOf(group: string, identity: string): string {
  const readable = identity
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, mostReadable)
    .replace(/^-+|-+$/g, '');
  const hash = hashOf(identity).toString(16).padStart(8, '0');
  return [group, readable, hash].filter((part) => part !== '').join('-');
}

const mostReadable = 63;
