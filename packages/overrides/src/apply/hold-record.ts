import { compareText } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { type Entry, identityOf, type View } from '../view/view.ts';

/** Annotation that records for each held address the readiness that the writer intends, and since when. */
export const heldAnnotation = 'kube-endpoints/held';

/**
 * Label that is set together with the annotation. Controllers rewrite endpoints when labels differ from the Service's. Without the label,
 * they would not notice that held addresses differ from their own result, and rules would not run again.
 */
export const heldLabel = 'kube-endpoints/held';

/** The maximum number of held addresses per object, because annotations are limited in size. */
export const maxHeldAddresses = 1000;

export interface HeldAddress {
  readonly key: string;
  /** The readiness that the writer intends. */
  readonly ready: boolean;
  /** Since when the writer intends it, in milliseconds since the epoch. */
  readonly changedAtMs: number;
}

export interface HoldRecord {
  /** The annotation value. */
  readonly text: string;
  /** The digest of the addresses in the object when the annotation was written. */
  readonly digest: string;
  readonly addresses: ReadonlyMap<string, HeldAddress>;
}

export const emptyHoldRecord: HoldRecord = { text: '', digest: '', addresses: new Map() };

/** Parses an object's annotation. Unreadable parts are ignored. */
export function parseHoldRecord(object: EndpointsInput | EndpointSliceInput | undefined): HoldRecord {
  const text = object?.metadata?.annotations?.[heldAnnotation];
  if (typeof text !== 'string' || text.length > maxAnnotationLength) return emptyHoldRecord;
  const [digest = '', ...parts] = text.split(' ');
  const addresses = new Map<string, HeldAddress>();
  for (const part of parts) {
    const [, key, sign, time] = /^(\S+)=([+-])(\S+)$/.exec(part) ?? [];
    const changedAtMs = time === undefined ? Number.NaN : Date.parse(time);
    if (key !== undefined && !Number.isNaN(changedAtMs)) addresses.set(key, { key, ready: sign === '+', changedAtMs });
  }
  return { text, digest, addresses };
}

const maxAnnotationLength = 200_000;

export function formatHoldRecord(heldAddresses: readonly HeldAddress[], digest: string): string {
  const sortedAddresses = heldAddresses.toSorted((a, b) => compareText(a.key, b.key));
  return [
    digest,
    ...sortedAddresses.map(({ key, ready, changedAtMs }) => `${key}=${ready ? '+' : '-'}${new Date(changedAtMs).toISOString()}`),
  ].join(' ');
}

/** Computes a digest of addresses and their readiness: a sum of hashes, so that neither order nor the grouping of ports matters. */
export function digestOf({ entries }: View): string {
  const states = new Set<string>();
  for (const entry of entries) if (!entry.removal) states.add(`${identityOf(entry)}${entry.ready ? '+' : '-'}`);
  let [firstSum, secondSum] = [states.size, 0];
  for (const text of states) {
    firstSum = (firstSum + hashText(text, 0x811c9dc5)) >>> 0;
    secondSum = (secondSum + hashText(text, 0x9747b28c)) >>> 0;
  }
  return [firstSum, secondSum].map((part) => part.toString(16).padStart(8, '0')).join('');
}

function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The stored addresses. */
export interface StoredIndex {
  /** Returns the readiness of the stored address before any rule; undefined if the address is not stored. */
  readinessOf(entry: Entry): boolean | undefined;
}

/** Returns a key that identifies an entry by address, and by port if ports are separate. */
export const keyOf = (entry: Entry): string => (entry.portName === '' ? identityOf(entry) : `${identityOf(entry)}#${entry.portName}`);

/**
 * Indexes the stored addresses on first use. If ports are not separate on both sides, or the port is not stored, an address counts as
 * stored for all ports. So one subset gives the same result as several subsets with the same content.
 */
export function createStoredIndex({ hasSeparatePorts }: View, readStoredView: () => View | undefined): StoredIndex {
  let entriesByIP: Map<string, Entry[]> | undefined;
  return {
    readinessOf(entry) {
      const storedView = readStoredView();
      if (!storedView) return undefined;
      entriesByIP ??= indexByIP(storedView);
      const uid = entry.targetRef?.uid || undefined;
      // After a freeze, the current view is the stored one.
      const isPortStored = hasSeparatePorts && storedView.hasSeparatePorts && storedView.portNames.includes(entry.portName);
      const port = isPortStored ? entry.portName : undefined;
      let ready: boolean | undefined;
      for (const each of entriesByIP.get(entry.ip) ?? noEntries) {
        if ((each.targetRef?.uid || undefined) !== uid || (port !== undefined && port !== each.portName)) continue;
        // The stored readiness before any rule. An address stored twice is ready if both entries are.
        ready = each.intendedReady && ready !== false;
      }
      return ready;
    },
  };
}

const noEntries: readonly Entry[] = [];

function indexByIP({ entries }: View): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const entry of entries) {
    const entriesOfIP = index.get(entry.ip);
    if (entriesOfIP) entriesOfIP.push(entry);
    else index.set(entry.ip, [entry]);
  }
  return index;
}
