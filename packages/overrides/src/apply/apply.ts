import { plainCopy } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { type Situation, situationOf } from '../match/situation.ts';
import type { Decision, JsonPatchOperation, OverrideRequest, OverrideResult } from '../overrides.ts';
import { readEndpoints } from '../view/endpoints.ts';
import { readSlice } from '../view/slice.ts';
import { isSlice, type View } from '../view/view.ts';
import { type CompiledRule, createNotes, decisionOf, type Notes, type Work } from './compiled.ts';
import { applyHolds, nothingHeld } from './hold.ts';
import { applyFloors, applyToLists } from './lists.ts';
import { createStored, heldAnnotation, heldLabel } from './memory.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

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

/** What is to be written and what is stored, read alike. */
export interface Views {
  readonly incoming: View;
  /** Read when first asked for. Undefined where nothing is stored, or something of another kind. */
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
 * What rules make of an object. Where a rule looks at what rules change, it is asked again about what came out, until that stays; where it does
 * not, nothing is changed at all, so that who asks twice gets the same twice.
 */
export function applyProgram(program: Program, request: OverrideRequest): OverrideResult {
  const { result, unsure } = applyOnce(program, request);
  if (!result.changed || unsure.length === 0) return result;
  let settled = result.object;
  for (let round = 0; round < maxRounds; round++) {
    const next = applyOnce(program, { ...request, object: settled }).result;
    if (next.refused) break;
    if (!next.changed) return round === 0 ? result : combined(request, result, settled, next.due);
    settled = next.object;
  }
  return unchanged(request, [decisionOf(unsure.at(-1) as CompiledRule, 'Unsettled')]);
}

const maxRounds = 3;

function combined(
  { object: before }: OverrideRequest,
  first: OverrideResult,
  object: OverrideResult['object'],
  due = first.due,
): OverrideResult {
  const patch = patchBetween(before, object);
  if (patch.length === 0) return unchanged({ object: before } as OverrideRequest, first.decisions);
  return { object, changed: true, patch, decisions: first.decisions, ...(due !== undefined && { due }) };
}

/** Field by field of the object; seldom needed, and therefore plain. */
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
