import type { ApiObject } from 'kube-endpoints/port';

/** Which member owns each key: the same result in every process with the same members. */
export interface Ring {
  /** Owner of the key with the hash `hashOf(key)`; undefined if there are no members. */
  ownerOf(hash: number): string | undefined;
}

/** Algorithm and parameters of the ring. All replicas must use the same to agree on the owners. */
export const ringKind = 'fnv1a-32/256';

/**
 * Consistent hashing: each member has many points on a circle, and a key belongs to the first point at or after its hash. If a member
 * leaves, only its own keys move.
 */
export function createRing(members: readonly string[]): Ring {
  const names = [...new Set(members)].sort();
  // Each number combines a point and the index of its member, so that numbers sort by point, then by the name of the member.
  const points = new Float64Array(names.length * pointsPerMember);
  names.forEach((name, index) => {
    const hash = hashOf(name);
    for (let i = 0; i < pointsPerMember; i++) points[index * pointsPerMember + i] = mix(hash + Math.imul(i, stride)) * maxMembers + index;
  });
  points.sort();
  return {
    ownerOf(hash) {
      const position = lowerBound(points, hash * maxMembers);
      return names[(points[position % points.length] ?? 0) % maxMembers];
    },
  };
}

/** Returns the 32-bit FNV-1a hash of the UTF-16 code units, mixed: names that differ only in the last character must get distant hashes. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const codeUnit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (codeUnit & 0xff), 0x01000193);
    if (codeUnit > 0xff) hash = Math.imul(hash ^ (codeUnit >>> 8), 0x01000193);
  }
  return mix(hash);
}

/** The finalizer of MurmurHash3: each bit of the value affects every bit of the result. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Index of the first point at or after a position; the number of points if no such point exists. */
function lowerBound(points: Float64Array, position: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle] as number) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

const pointsPerMember = 256;
const maxMembers = 2 ** 16;
/** Odd, and far from any simple fraction of 2^32. */
const stride = 0x9e3779b9;

/** The members that a replica knows of. It claims the keys that it owns on the ring of these members. Sorted; if empty, claims no keys. */
export type Claim = readonly string[];

/** Annotation of a Lease with the replica's claim. */
export const claimAnnotation = 'kube-endpoints/acts-by';

/** Label of a Lease with the name of its group of replicas. */
export const groupLabel = 'kube-endpoints/group';

export const toClaim = (members: Iterable<string>): Claim => [...new Set(members)].sort();

export const formatClaim = (claim: Claim): string => JSON.stringify({ ring: ringKind, members: claim });

/** Reads the claim of a Lease; undefined if it is missing, invalid, or for another kind of ring. */
export function readClaim({ metadata }: ApiObject): Claim | undefined {
  try {
    const { ring, members } = JSON.parse(metadata.annotations?.[claimAnnotation] ?? '');
    const isReadable = ring === ringKind && Array.isArray(members) && members.every((member) => typeof member === 'string');
    return isReadable ? toClaim(members) : undefined;
  } catch {
    return undefined;
  }
}

/** Name of a replica's Lease, with a readable part of its identity. Replicas with the same Lease name would wait for each other. */
export function leaseNameOf(group: string, identity: string): string {
  const readableIdentity = identity
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, maxReadableLength)
    .replace(/^-+|-+$/g, '');
  const hash = hashOf(identity).toString(16).padStart(8, '0');
  return [group, readableIdentity, hash].filter((part) => part !== '').join('-');
}

const maxReadableLength = 63;
