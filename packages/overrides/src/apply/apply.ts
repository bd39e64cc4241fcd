import type { Decision, OverrideRequest, OverrideResult } from '../overrides.ts';
import { readViews } from '../view/read.ts';
import type { CompiledRule, Work } from './compiled.ts';
import { applyHolds, nothingHeld } from './hold.ts';
import { applyFloors } from './keep-ready.ts';
import { applyToLists } from './lists.ts';
import { heldAnnotation, heldLabel } from './memory.ts';
import { createNotes, type Notes } from './notes.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { type Situation, situationOf } from './situation.ts';
import { createStored } from './stored.ts';

/** Compiled rules, in order. */
export interface Program {
  readonly evaluation: 'all' | 'first';
  readonly rules: readonly CompiledRule[];
}

/** What rules made of an object in one go. */
export interface Pass {
  readonly result: OverrideResult;
  /** The rules that matched and might match otherwise when asked about what they made. */
  readonly unsure: readonly CompiledRule[];
}

/** First what changes the lists, in the order of the rules; then what is held; last, how many have to be ready at least. */
export function applyOnce({ evaluation, rules }: Program, request: OverrideRequest): Pass {
  const situation = situationOf(request);
  const notes = createNotes();
  const active = evaluation === 'first' ? untilFirst(rules, situation) : rules.filter((rule) => rule.object.matches(situation));
  if (active.length === 0 && !isMarked(situation)) {
    noteFailures(rules, situation, notes);
    return { result: unchanged(request, notes.decisions()), unsure: [] };
  }
  const work = workOn(request, situation, notes);
  for (const rule of active) {
    const refused = applyToLists(rule, work);
    if (refused) return { result: { ...unchanged(request, notes.decisions()), refused }, unsure: [] };
  }
  const holds = active.filter(({ action }) => action.kind === 'hold');
  const floors = active.filter(({ action }) => action.kind === 'keepReady');
  // what is taken back anyway is not held, or it would be when it is stored so
  if (holds.length > 0) applyFloors(floors, work, false);
  const held = holds.length > 0 ? applyHolds(holds, work) : nothingHeld;
  applyFloors(floors, work);
  noteFailures(rules, situation, notes);
  const outcome = outcomeOf(work, held.text());
  const due = dueOf(work, held.due());
  const result = outcome.patch.length > 0 ? new Changed(outcome, notes.decisions(), due) : unchanged(request, notes.decisions(), due);
  return { result, unsure: rules.filter((rule) => rule.looksAt === 'object' || (rule.looksAt && active.includes(rule))) };
}

/** A class for the sake of its getter: the object is built when it is looked at. */
class Changed implements OverrideResult {
  readonly changed: boolean = true;
  readonly patch: Outcome['patch'];
  readonly decisions: readonly Decision[];
  declare readonly due?: string;
  readonly #build: Outcome['build'];
  #object: OverrideResult['object'] | undefined;

  constructor({ patch, build }: Outcome, decisions: readonly Decision[], due: string | undefined) {
    this.patch = patch;
    this.decisions = decisions;
    if (due !== undefined) this.due = due;
    this.#build = build;
  }

  get object(): OverrideResult['object'] {
    this.#object ??= this.#build();
    return this.#object;
  }
}

/** The first rule that matches the object acts alone; those before it that only tell what they would do, tell it. */
function untilFirst(rules: readonly CompiledRule[], situation: Situation): CompiledRule[] {
  const active: CompiledRule[] = [];
  for (const rule of rules) {
    if (!rule.object.matches(situation)) continue;
    active.push(rule);
    if (!rule.audit) break;
  }
  return active;
}

function workOn({ object, oldObject, siblings = [] }: OverrideRequest, situation: Situation, notes: Notes): Work {
  const { incoming, stored } = readViews(object, oldObject);
  return {
    situation,
    incoming,
    view: incoming,
    frozen: false,
    stored: createStored(incoming, stored),
    storedView: stored,
    siblings,
    notes,
    acted: new Set(),
    takenBack: new Set(),
  };
}

/** Whether something was held of the object, which is to be cleared away where nothing is any more. */
const isMarked = ({ object: { metadata } }: Situation): boolean =>
  metadata?.annotations?.[heldAnnotation] !== undefined || metadata?.labels?.[heldLabel] !== undefined;

export const unchanged = ({ object }: OverrideRequest, decisions: readonly Decision[], due?: string): OverrideResult => ({
  object,
  changed: false,
  patch: [],
  decisions,
  ...(due !== undefined && { due }),
});

function noteFailures(rules: readonly CompiledRule[], { failures }: Situation, notes: Notes): void {
  if (failures.size === 0) return;
  for (const rule of rules) {
    const failure = failures.get(rule.name);
    if (failure) notes.add(rule, 'ExpressionFailed', undefined, failure);
  }
}

/** The end of the first window of a rule that did something, or of what is held, if that is sooner. */
function dueOf({ acted, situation: { now } }: Work, held: number): string | undefined {
  let due = held;
  for (const { object } of acted) due = Math.min(due, object.window?.endOf(now) ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(due) ? new Date(due).toISOString() : undefined;
}
