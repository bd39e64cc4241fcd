import type { EndpointSliceInput } from 'kube-endpoints/types';
import { compileRanges, type EntryMatcher, type ObjectMatcher } from '../match/match.ts';
import { isPodReference, type Situation } from '../match/situation.ts';
import { type Decision, type DecisionCode, decisionMessages } from '../overrides.ts';
import { presetRanges } from '../ranges.ts';
import type { Ranges } from '../rule.ts';
import { type Entry, ipNumberOf, type View } from '../view/view.ts';
import type { StoredIndex } from './hold-record.ts';

/** A compiled rule. */
export interface CompiledRule {
  readonly name: string;
  readonly audit: boolean;
  readonly objectMatcher: ObjectMatcher;
  /** Undefined if the rule applies to every address. */
  readonly matchesEntry: EntryMatcher | undefined;
  readonly action: CompiledAction;
  /** The data that rules can change and that the match depends on: the object, or addresses of a matching object; undefined if none. */
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
export interface ApplyState {
  readonly situation: Situation;
  readonly incomingView: View;
  /** The incoming addresses; after a freeze, the stored ones. */
  view: View;
  /** True after a freeze. */
  frozen: boolean;
  readonly storedIndex: StoredIndex;
  readStoredView(): View | undefined;
  readonly otherSlices: readonly EndpointSliceInput[];
  readonly log: DecisionLog;
  /** Rules that changed something. */
  readonly actingRules: Set<CompiledRule>;
  /** Addresses that keepReady made ready. */
  readonly keptReadyEntries: Set<Entry>;
}

/** Values for the placeholders of a message. */
export type Details = Readonly<Record<string, string | number>>;

/** The rule that a decision belongs to. */
export interface DecisionRule {
  readonly name: string;
  readonly audit: boolean;
}

/** Collects decisions. */
export interface DecisionLog {
  add(rule: DecisionRule, code: DecisionCode, address?: string, details?: Details): void;
  /** Returns the decisions in the order in which they were made, followed by a summary for each rule and code beyond `maxDecisions`. */
  listDecisions(): Decision[];
}

/** The maximum number of reported addresses per rule and code; further addresses are only counted. */
export const maxDecisions = 100;

export function createDecisionLog(): DecisionLog {
  const reportedDecisions: Decision[] = [];
  const counts = new Map<string, { readonly rule: DecisionRule; readonly code: DecisionCode; count: number }>();
  return {
    add(rule, code, address, details) {
      const key = `${code} ${rule.name}`;
      const counter = counts.get(key) ?? { rule, code, count: 0 };
      counts.set(key, counter);
      if (++counter.count <= maxDecisions) reportedDecisions.push(createDecision(rule, code, address, details));
    },
    listDecisions: () => [
      ...reportedDecisions,
      ...[...counts.values()]
        .filter(({ count }) => count > maxDecisions)
        .map(({ rule, code, count }) => summarizeOmittedDecisions(rule, code, count)),
    ],
  };
}

export function createDecision({ name, audit }: DecisionRule, code: DecisionCode, address?: string, details: Details = {}): Decision {
  const message = decisionMessages[code].replace(/\{(\w+)\}/g, (_, field: string) =>
    String(field === 'address' ? address : (details[field] ?? '')),
  );
  return { rule: name, code, message, ...(address !== undefined && { address }), audit };
}

const summarizeOmittedDecisions = ({ name, audit }: DecisionRule, code: DecisionCode, count: number): Decision => ({
  rule: name,
  code,
  message: `the same for ${count - maxDecisions} more addresses`,
  audit,
});

/** Returns the reason that an address is not permitted; undefined if the address is permitted. */
export type RangeCheck = (entry: Entry, situation: Situation) => string | undefined;

/** Compiles validated ranges. */
export function compileRangeCheck({ allowed, forbidden, presets = [] }: Ranges): RangeCheck {
  const checks: RangeCheck[] = [];
  for (const preset of presets) {
    if (preset === 'pods-of-other-namespaces') checks.push(checkPodNamespace);
    else checks.push(createForbiddenCheck(presetRanges[preset], presetReasons[preset]));
  }
  if (forbidden) checks.push(createForbiddenCheck(forbidden, 'it is in a forbidden range'));
  if (allowed) checks.push(createAllowedCheck(allowed));
  const [firstCheck] = checks;
  if (firstCheck && checks.length === 1) return firstCheck;
  return (entry, situation) => {
    for (const check of checks) {
      const reason = check(entry, situation);
      if (reason !== undefined) return reason;
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

function createForbiddenCheck(texts: readonly string[], reason: string): RangeCheck {
  const ranges = compileRanges(texts);
  return (entry) => {
    const number = ipNumberOf(entry);
    return number !== undefined && ranges.has(number) ? reason : undefined;
  };
}

/** Creates a check that permits only these ranges. It rejects every FQDN, because ranges contain only addresses. */
function createAllowedCheck(texts: readonly string[]): RangeCheck {
  const ranges = compileRanges(texts);
  return (entry) => {
    const number = ipNumberOf(entry);
    return number !== undefined && ranges.has(number) ? undefined : 'it is outside the allowed ranges';
  };
}

function checkPodNamespace(entry: Entry, { namespace, pods }: Situation): string | undefined {
  const { targetRef } = entry;
  const podNamespace = isPodReference(targetRef) ? targetRef?.namespace : undefined;
  if (podNamespace && podNamespace !== namespace) return `it belongs to a pod in namespace ${podNamespace}`;
  const number = ipNumberOf(entry);
  const pod = number === undefined ? undefined : pods.podOfOtherNamespace(number);
  return pod ? `it is the address of a pod in namespace ${pod.metadata?.namespace}` : undefined;
}
