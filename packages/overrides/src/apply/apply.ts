import { plainCopy } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { type Situation, situationOf } from '../match/situation.ts';
import type { Decision, JsonPatchOperation, OverrideRequest, OverrideResult } from '../overrides.ts';
import { readEndpoints } from '../view/endpoints.ts';
import { readSlice } from '../view/slice.ts';
import { isSlice, type View } from '../view/view.ts';
import { type CompiledRule, createNotes, decisionOf, type Notes, type Work } from './compiled.ts';
import { applyHolds, nothingHeld } from './hold.ts';
import { createStored, heldAnnotation, heldLabel } from './hold-record.ts';
import { applyKeepReady, applyToLists } from './lists.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Compiled rules, in order. */
export interface Program {
  readonly evaluation: 'all' | 'first';
  readonly rules: readonly CompiledRule[];
}

/** The result of applying the rules once. */
export interface Pass {
  readonly result: OverrideResult;
  /** Rules whose match may change when they are applied to the result. */
  readonly dependentRules: readonly CompiledRule[];
}

/** Applies rules in three steps: those that change lists, in order; then hold; then keepReady. */
export function applyOnce({ evaluation, rules }: Program, request: OverrideRequest): Pass {
  const situation = situationOf(request);
  const notes = createNotes();
  const active = evaluation === 'first' ? untilFirst(rules, situation) : rules.filter((rule) => rule.object.matches(situation));
  if (active.length === 0 && !isMarked(situation)) {
    noteFailures(rules, situation, notes);
    return { result: unchanged(request, notes.decisions()), dependentRules: [] };
  }
  const work = createWork(request, situation, notes);
  for (const rule of active) {
    const refused = applyToLists(rule, work);
    if (refused) return { result: { ...unchanged(request, notes.decisions()), refused }, dependentRules: [] };
  }
  const holds = active.filter(({ action }) => action.kind === 'hold');
  const keepReadyRules = active.filter(({ action }) => action.kind === 'keepReady');
  // Addresses that keepReady restores must not be held too, or they would be held once the result is stored.
  if (holds.length > 0) applyKeepReady(keepReadyRules, work, false);
  const held = holds.length > 0 ? applyHolds(holds, work) : nothingHeld;
  applyKeepReady(keepReadyRules, work);
  noteFailures(rules, situation, notes);
  const outcome = outcomeOf(work, held.text());
  const due = dueOf(work, held.due());
  const result = outcome.patch.length > 0 ? new Changed(outcome, notes.decisions(), due) : unchanged(request, notes.decisions(), due);
  return { result, dependentRules: rules.filter((rule) => rule.dependsOn === 'object' || (rule.dependsOn && active.includes(rule))) };
}

/** Builds the object on first access, since most hosts only use the patch. */
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

/** For `evaluation: first`: the first enforced rule that matches, with the matching audit rules before it. */
function untilFirst(rules: readonly CompiledRule[], situation: Situation): CompiledRule[] {
  const active: CompiledRule[] = [];
  for (const rule of rules) {
    if (!rule.object.matches(situation)) continue;
    active.push(rule);
    if (!rule.audit) break;
  }
  return active;
}

function createWork({ object, oldObject, otherSlices = [] }: OverrideRequest, situation: Situation, notes: Notes): Work {
  const { incoming, stored } = readViews(object, oldObject);
  return {
    situation,
    incoming,
    view: incoming,
    frozen: false,
    stored: createStored(incoming, stored),
    storedView: stored,
    otherSlices,
    notes,
    acted: new Set(),
    keptReady: new Set(),
  };
}

/** True if the object carries marks of held addresses, which must be removed if nothing is held any more. */
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

/** When the result must be computed again: the first end of a window of a rule that acted, or of a held address. */
function dueOf({ acted, situation: { now } }: Work, held: number): string | undefined {
  let due = held;
  for (const { object } of acted) due = Math.min(due, object.window?.endOf(now) ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(due) ? new Date(due).toISOString() : undefined;
}

/** The object to be written and the stored one, in comparable form. */
export interface Views {
  readonly incoming: View;
  /** Read on first use. Undefined if nothing is stored, or an object of another kind. */
  stored(): View | undefined;
}

export function readViews(object: EndpointsInput | EndpointSliceInput, oldObject: EndpointsInput | EndpointSliceInput | undefined): Views {
  if (isSlice(object)) {
    const old = oldObject && isSlice(oldObject) ? oldObject : undefined;
    return { incoming: readSlice(object), stored: lazily(() => old && readSlice(old)) };
  }
  const old = oldObject && !isSlice(oldObject) ? oldObject : undefined;
  const apart = (object.subsets?.length ?? 0) > 1 || (old?.subsets?.length ?? 0) > 1;
  return { incoming: readEndpoints(object, apart), stored: lazily(() => old && readEndpoints(old, apart)) };
}

function lazily(read: () => View | undefined): () => View | undefined {
  let view: { readonly read: View | undefined } | undefined;
  return () => {
    view ??= { read: read() };
    return view.read;
  };
}

/**
 * Applies rules to an object. If a rule depends on what rules change, applies them again until the result is stable; if it does not become
 * stable, returns the object unchanged. So applying the rules to their own result changes nothing.
 */
export function applyProgram(program: Program, request: OverrideRequest): OverrideResult {
  const { result, dependentRules: unsure } = applyOnce(program, request);
  if (!result.changed || unsure.length === 0) return result;
  let settled = result.object;
  for (let round = 0; round < maxRounds; round++) {
    const next = applyOnce(program, { ...request, object: settled }).result;
    if (next.refused) break;
    if (!next.changed) return round === 0 ? result : combineResults(request, result, settled, next.due);
    settled = next.object;
  }
  return unchanged(request, [decisionOf(unsure.at(-1) as CompiledRule, 'Unsettled')]);
}

const maxRounds = 3;

function combineResults(
  { object: before }: OverrideRequest,
  first: OverrideResult,
  object: OverrideResult['object'],
  due = first.due,
): OverrideResult {
  const patch = patchBetween(before, object);
  if (patch.length === 0) return unchanged({ object: before } as OverrideRequest, first.decisions);
  return { object, changed: true, patch, decisions: first.decisions, ...(due !== undefined && { due }) };
}

/** A patch with one operation per top-level field; rarely needed, so not minimal. */
function patchBetween(before: object, after: object): JsonPatchOperation[] {
  const [one, other] = [before, after].map((object) => new Map(Object.entries(object).filter(([, value]) => value !== undefined)));
  const patch: JsonPatchOperation[] = [];
  for (const name of new Set([...(one as Map<string, unknown>).keys(), ...(other as Map<string, unknown>).keys()])) {
    const [was, is] = [one?.get(name), other?.get(name)];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const path = `/${name}`;
    if (is === undefined) patch.push({ op: 'remove', path });
    else patch.push({ op: was === undefined ? 'add' : 'replace', path, value: plainCopy(is) });
  }
  return patch;
}
