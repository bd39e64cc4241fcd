import { hashOf } from './ring.ts';

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
