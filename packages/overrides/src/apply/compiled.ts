import type { EndpointSliceInput } from 'kube-endpoints/types';
import { compileRanges, type EntryMatcher, type ObjectMatcher } from '../match/match.ts';
import { isPodReference, type Situation } from '../match/situation.ts';
import { type Decision, type DecisionCode, decisionMessages } from '../overrides.ts';
import { presetRanges } from '../ranges.ts';
import type { Ranges } from '../rule.ts';
import { type Entry, numberOf, type View } from '../view/view.ts';
import type { Stored } from './hold-record.ts';

/** A compiled rule. */
export interface CompiledRule {
  readonly name: string;
  readonly audit: boolean;
  readonly object: ObjectMatcher;
  /** Absent if the rule applies to every address. */
  readonly entry: EntryMatcher | undefined;
  readonly action: CompiledAction;
  /** What the match depends on that rules can change: the object, or addresses of a matching object. */
  readonly dependsOn: 'object' | 'addresses' | undefined;
}

export type CompiledAction =
  | { readonly kind: 'keepIn' }
  | { readonly kind: 'keepOut'; readonly absent: boolean }
  | { readonly kind: 'move'; readonly ready: boolean }
  | { readonly kind: 'freeze' }
  | { readonly kind: 'refuse'; readonly check: RangeCheck }
  | { readonly kind: 'drop'; readonly check: RangeCheck }
  | { readonly kind: 'hold'; readonly afterReady: number; readonly afterUnready: number }
  | { readonly kind: 'keepReady'; readonly atLeast: (total: number) => number };

/** The state while rules are applied to one object. */
export interface Work {
  readonly situation: Situation;
  readonly incoming: View;
  /** The incoming addresses; after a freeze, the stored ones. */
  view: View;
  /** True after a freeze. */
  frozen: boolean;
  readonly stored: Stored;
  storedView(): View | undefined;
  readonly otherSlices: readonly EndpointSliceInput[];
  readonly notes: Notes;
  /** Rules that changed something. */
  readonly acted: Set<CompiledRule>;
  /** Addresses that keepReady made ready. */
  readonly keptReady: Set<Entry>;
}

/** Values for the placeholders of a message. */
export type Details = Readonly<Record<string, string | number>>;

/** The rule that a decision belongs to. */
export interface Author {
  readonly name: string;
  readonly audit: boolean;
}

/** Collects decisions. */
export interface Notes {
  add(author: Author, code: DecisionCode, address?: string, details?: Details): void;
  /** Decisions in the order in which they were made. */
  decisions(): Decision[];
}

/** The maximum number of reported addresses per rule and code; further ones are only counted. */
export const maxDecisions = 100;

export function createNotes(): Notes {
  const made: Decision[] = [];
  const counts = new Map<string, { readonly author: Author; readonly code: DecisionCode; count: number }>();
  return {
    add(author, code, address, details) {
      const key = `${code} ${author.name}`;
      const known = counts.get(key) ?? { author, code, count: 0 };
      counts.set(key, known);
      if (++known.count <= maxDecisions) made.push(decisionOf(author, code, address, details));
    },
    decisions: () => [
      ...made,
      ...[...counts.values()].filter(({ count }) => count > maxDecisions).map(({ author, code, count }) => othersOf(author, code, count)),
    ],
  };
}

export function decisionOf({ name, audit }: Author, code: DecisionCode, address?: string, details: Details = {}): Decision {
  const message = decisionMessages[code].replace(/\{(\w+)\}/g, (_, field: string) =>
    String(field === 'address' ? address : (details[field] ?? '')),
  );
  return { rule: name, code, message, ...(address !== undefined && { address }), audit };
}

const othersOf = ({ name, audit }: Author, code: DecisionCode, count: number): Decision => ({
  rule: name,
  code,
  message: `the same for ${count - maxDecisions} more addresses`,
  audit,
});

/** The reason that an address is not permitted; undefined if it is. */
export type RangeCheck = (entry: Entry, situation: Situation) => string | undefined;

/** Compiles validated ranges. */
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

/** An FQDN, as in a slice of that address type, is never outside: it is not in any range. */
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
  if (named && named !== namespace) return `it belongs to a pod in namespace ${named}`;
  const number = numberOf(entry);
  const pod = number && pods.foreignAt(number);
  return pod ? `it is the address of a pod in namespace ${pod.metadata?.namespace}` : undefined;
}
