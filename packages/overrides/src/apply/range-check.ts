import { compileRanges } from '../match/address.ts';
import { isPodReference } from '../match/pods.ts';
import { presetRanges } from '../match/presets.ts';
import type { Ranges } from '../rule.ts';
import { type Entry, numberOf } from '../view/entry.ts';
import type { Situation } from './situation.ts';

/** Why an entry may not be there; undefined where it may. */
export type RangeCheck = (entry: Entry, situation: Situation) => string | undefined;

/** Compiles ranges that are known to be sound. */
export function compileRangeCheck({ allowed, forbidden, presets = [] }: Ranges): RangeCheck {
  const checks: RangeCheck[] = [];
  for (const preset of presets) {
    if (preset === 'pods-of-other-namespaces') checks.push(foreignPod);
    else checks.push(inside(presetRanges[preset], presetReasons[preset]));
  }
  if (forbidden) checks.push(inside(forbidden, 'it is in a forbidden range'));
  if (allowed) checks.push(outside(allowed));
  const [only] = checks;
  if (only && checks.length === 1) return only;
  return (entry, situation) => {
    for (const check of checks) {
      const because = check(entry, situation);
      if (because !== undefined) return because;
    }
    return undefined;
  };
}

const presetReasons: Readonly<Record<keyof typeof presetRanges, string>> = {
  loopback: 'it is a loopback address',
  'link-local': 'it is a link-local address',
  unspecified: 'it is the unspecified address',
  multicast: 'it is a multicast address',
};

function inside(texts: readonly string[], because: string): RangeCheck {
  const ranges = compileRanges(texts);
  return (entry) => {
    const number = numberOf(entry);
    return number && ranges.has(number) ? because : undefined;
  };
}

/** A name, as a slice of FQDNs has them, is in no range. */
function outside(texts: readonly string[]): RangeCheck {
  const ranges = compileRanges(texts);
  return (entry) => {
    const number = numberOf(entry);
    return number && ranges.has(number) ? undefined : 'it is outside the allowed ranges';
  };
}

function foreignPod(entry: Entry, { namespace, pods }: Situation): string | undefined {
  const { targetRef } = entry;
  const named = isPodReference(targetRef) ? targetRef?.namespace : undefined;
  if (named && named !== namespace) return `it is of a pod of the namespace ${named}`;
  const number = numberOf(entry);
  const pod = number && pods.foreignAt(number);
  return pod ? `it is the address of a pod of the namespace ${pod.metadata?.namespace}` : undefined;
}
