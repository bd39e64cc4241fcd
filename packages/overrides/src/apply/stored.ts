import { type Entry, identityOf } from '../view/entry.ts';
import type { View } from '../view/view.ts';

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
