import { compareText } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { type Entry, identityOf, type View } from '../view/view.ts';

/** What an object remembers of what is held: since when the writer wants which address otherwise than it is shown. */
export const heldAnnotation = 'kube-endpoints/held';

/**
 * Beside it, a label. Controllers compare labels with those of the Service and write what they want again where these differ, which they would
 * not where an address is shown as it is for other reasons; so that the rules hear of every change of what is held.
 */
export const heldLabel = 'kube-endpoints/held';

/** So many addresses of an object are held at once, as an annotation has its limits. */
export const maxHeld = 1000;

export interface HeldAddress {
  readonly key: string;
  /** What the writer wants. */
  readonly ready: boolean;
  /** Since when, in milliseconds. */
  readonly since: number;
}

export interface Memory {
  /** As it was written. */
  readonly text: string;
  /** Of what was shown when it was written. */
  readonly digest: string;
  readonly held: ReadonlyMap<string, HeldAddress>;
}

export const noMemory: Memory = { text: '', digest: '', held: new Map() };

/** What an object remembers. What cannot be read is not remembered. */
export function readMemory(object: EndpointsInput | EndpointSliceInput | undefined): Memory {
  const text = object?.metadata?.annotations?.[heldAnnotation];
  if (typeof text !== 'string' || text.length > maxLength) return noMemory;
  const [digest = '', ...parts] = text.split(' ');
  const held = new Map<string, HeldAddress>();
  for (const part of parts) {
    const [, key, sign, time] = /^(\S+)=([+-])(\S+)$/.exec(part) ?? [];
    const since = time === undefined ? Number.NaN : Date.parse(time);
    if (key !== undefined && !Number.isNaN(since)) held.set(key, { key, ready: sign === '+', since });
  }
  return { text, digest, held };
}

const maxLength = 200_000;

export function writeMemory(held: readonly HeldAddress[], digest: string): string {
  const sorted = held.toSorted((a, b) => compareText(a.key, b.key));
  return [digest, ...sorted.map(({ key, ready, since }) => `${key}=${ready ? '+' : '-'}${new Date(since).toISOString()}`)].join(' ');
}

/**
 * What tells one picture of addresses from another: the sum of a number for each address and how it is shown, so that neither order nor the
 * way in which ports are grouped counts.
 */
export function digestOf({ entries }: View): string {
  const shown = new Set<string>();
  for (const entry of entries) if (!entry.gone) shown.add(`${identityOf(entry)}${entry.ready ? '+' : '-'}`);
  let [one, other] = [shown.size, 0];
  for (const text of shown) {
    one = (one + hash(text, 0x811c9dc5)) >>> 0;
    other = (other + hash(text, 0x9747b28c)) >>> 0;
  }
  return [one, other].map((part) => part.toString(16).padStart(8, '0')).join('');
}

function hash(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** How addresses are stored. */
export interface Stored {
  /** Undefined where the address is not stored. */
  isReady(entry: Entry): boolean | undefined;
}

/** What an entry is known by where ports are told apart, and where they are not. */
export const keyOf = (entry: Entry): string => (entry.portName === '' ? identityOf(entry) : `${identityOf(entry)}#${entry.portName}`);

/**
 * Looked through when first asked. Where ports are not told apart on one side, or the port is not among those that are stored, an address is
 * stored for all of them: so that it makes no difference whether the same is said in one subset or in several.
 */
export function createStored({ portsApart }: View, storedView: () => View | undefined): Stored {
  let known: Map<string, Entry[]> | undefined;
  return {
    isReady(entry) {
      const stored = storedView();
      if (!stored) return undefined;
      known ??= byIP(stored);
      const uid = entry.targetRef?.uid || undefined;
      // a view that is frozen is the stored one itself
      const isPortStored = portsApart && stored.portsApart && stored.portNames.includes(entry.portName);
      const port = isPortStored ? entry.portName : undefined;
      let ready: boolean | undefined;
      for (const each of known.get(entry.ip) ?? none) {
        if ((each.targetRef?.uid || undefined) !== uid || (port !== undefined && port !== each.portName)) continue;
        // as it came, whatever rules made of it; what is there twice is ready where both are
        ready = each.wanted && ready !== false;
      }
      return ready;
    },
  };
}

const none: readonly Entry[] = [];

function byIP({ entries }: View): Map<string, Entry[]> {
  const known = new Map<string, Entry[]>();
  for (const entry of entries) {
    const others = known.get(entry.ip);
    if (others) others.push(entry);
    else known.set(entry.ip, [entry]);
  }
  return known;
}
