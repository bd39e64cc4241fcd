import { plainCopy } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { createSituation, type Situation } from '../match/situation.ts';
import type { Decision, JsonPatchOperation, OverrideRequest, OverrideResult } from '../overrides.ts';
import { readEndpoints } from '../view/endpoints.ts';
import { readSlice } from '../view/slice.ts';
import { isSlice, type View } from '../view/view.ts';
import { type ApplyState, type CompiledRule, createDecision, createDecisionLog, type DecisionLog } from './compiled.ts';
import { applyHolds, noHolds } from './hold.ts';
import { createStoredIndex, heldAnnotation, heldLabel } from './hold-record.ts';
import { applyKeepReady, applyToLists } from './lists.ts';
import { createOutcome, type Outcome } from './outcome.ts';

/** Compiled rules, in order. */
export interface Program {
  readonly evaluation: 'all' | 'first';
  readonly rules: readonly CompiledRule[];
}

/** The result of applying the rules once. */
export interface PassResult {
  readonly result: OverrideResult;
  /** Rules whose match may change when they are applied to the result. */
  readonly dependentRules: readonly CompiledRule[];
}

/** Applies first the rules that change lists, in their order, then the rules with `hold`, and finally the rules with `keepReady`. */
export function applyOnce({ evaluation, rules }: Program, request: OverrideRequest): PassResult {
  const situation = createSituation(request);
  const log = createDecisionLog();
  const activeRules =
    evaluation === 'first' ? rulesUpToFirstMatch(rules, situation) : rules.filter((rule) => rule.objectMatcher.matches(situation));
  if (activeRules.length === 0 && !hasHoldMarks(situation)) {
    logFailures(rules, situation, log);
    return { result: createUnchangedResult(request, log.listDecisions()), dependentRules: [] };
  }
  const state = createApplyState(request, situation, log);
  for (const rule of activeRules) {
    const refusal = applyToLists(rule, state);
    if (refusal) return { result: { ...createUnchangedResult(request, log.listDecisions()), refused: refusal }, dependentRules: [] };
  }
  const holdRules = activeRules.filter(({ action }) => action.kind === 'hold');
  const keepReadyRules = activeRules.filter(({ action }) => action.kind === 'keepReady');
  // keepReady runs first, so that an address that it restores is not held as well once the result is stored.
  if (holdRules.length > 0) applyKeepReady(keepReadyRules, state, false);
  const holdResult = holdRules.length > 0 ? applyHolds(holdRules, state) : noHolds;
  applyKeepReady(keepReadyRules, state);
  logFailures(rules, situation, log);
  const outcome = createOutcome(state, holdResult.formatAnnotation());
  const due = computeDue(state, holdResult.findNextEnd());
  const result =
    outcome.patch.length > 0
      ? new ChangedResult(outcome, log.listDecisions(), due)
      : createUnchangedResult(request, log.listDecisions(), due);
  return { result, dependentRules: rules.filter((rule) => rule.dependsOn === 'object' || (rule.dependsOn && activeRules.includes(rule))) };
}

/** Builds the object on first access, since most hosts only use the patch. */
class ChangedResult implements OverrideResult {
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

/** The rules to apply if `evaluation` is `first`: the first enforced rule that matches, and the matching audit rules before it. */
function rulesUpToFirstMatch(rules: readonly CompiledRule[], situation: Situation): CompiledRule[] {
  const activeRules: CompiledRule[] = [];
  for (const rule of rules) {
    if (!rule.objectMatcher.matches(situation)) continue;
    activeRules.push(rule);
    if (!rule.audit) break;
  }
  return activeRules;
}

function createApplyState({ object, oldObject, otherSlices = [] }: OverrideRequest, situation: Situation, log: DecisionLog): ApplyState {
  const { incomingView, readStoredView } = readViews(object, oldObject);
  return {
    situation,
    incomingView,
    view: incomingView,
    frozen: false,
    storedIndex: createStoredIndex(incomingView, readStoredView),
    readStoredView,
    otherSlices,
    log,
    actingRules: new Set(),
    keptReadyEntries: new Set(),
  };
}

/** True if the object has the annotation or label of held addresses, which must be removed if no address is held any more. */
const hasHoldMarks = ({ object: { metadata } }: Situation): boolean =>
  metadata?.annotations?.[heldAnnotation] !== undefined || metadata?.labels?.[heldLabel] !== undefined;

export const createUnchangedResult = ({ object }: OverrideRequest, decisions: readonly Decision[], due?: string): OverrideResult => ({
  object,
  changed: false,
  patch: [],
  decisions,
  ...(due !== undefined && { due }),
});

function logFailures(rules: readonly CompiledRule[], { failures }: Situation, log: DecisionLog): void {
  if (failures.size === 0) return;
  for (const rule of rules) {
    const failure = failures.get(rule.name);
    if (failure) log.add(rule, 'ExpressionFailed', undefined, failure);
  }
}

/** The time when the result must be computed again, which is the first end of a hold or of the time window of an acting rule. */
function computeDue({ actingRules, situation: { now } }: ApplyState, holdDue: number): string | undefined {
  let due = holdDue;
  for (const { objectMatcher } of actingRules) due = Math.min(due, objectMatcher.window?.endOf(now) ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(due) ? new Date(due).toISOString() : undefined;
}

/** Views of the object to be written and of the stored object. */
export interface Views {
  readonly incomingView: View;
  /** Read on first use. Undefined if no object is stored, or an object of another kind. */
  readStoredView(): View | undefined;
}

export function readViews(object: EndpointsInput | EndpointSliceInput, oldObject: EndpointsInput | EndpointSliceInput | undefined): Views {
  if (isSlice(object)) {
    const oldSlice = oldObject && isSlice(oldObject) ? oldObject : undefined;
    return { incomingView: readSlice(object), readStoredView: memoize(() => oldSlice && readSlice(oldSlice)) };
  }
  const oldEndpoints = oldObject && !isSlice(oldObject) ? oldObject : undefined;
  const hasSeparatePorts = (object.subsets?.length ?? 0) > 1 || (oldEndpoints?.subsets?.length ?? 0) > 1;
  return {
    incomingView: readEndpoints(object, hasSeparatePorts),
    readStoredView: memoize(() => oldEndpoints && readEndpoints(oldEndpoints, hasSeparatePorts)),
  };
}

function memoize(read: () => View | undefined): () => View | undefined {
  let cached: { readonly view: View | undefined } | undefined;
  return () => {
    cached ??= { view: read() };
    return cached.view;
  };
}

/**
 * Applies rules to an object. If the match of a rule depends on fields that rules change, applies the rules again until the result is
 * stable. If the result does not become stable, returns the object unchanged. Therefore, the rules never change their own result.
 */
export function applyProgram(program: Program, request: OverrideRequest): OverrideResult {
  const { result, dependentRules } = applyOnce(program, request);
  if (!result.changed || dependentRules.length === 0) return result;
  let stableObject = result.object;
  for (let round = 0; round < maxRounds; round++) {
    const nextResult = applyOnce(program, { ...request, object: stableObject }).result;
    if (nextResult.refused) break;
    if (!nextResult.changed) return round === 0 ? result : combineResults(request, result, stableObject, nextResult.due);
    stableObject = nextResult.object;
  }
  return createUnchangedResult(request, [createDecision(dependentRules.at(-1) as CompiledRule, 'Unsettled')]);
}

const maxRounds = 3;

function combineResults(
  { object: input }: OverrideRequest,
  first: OverrideResult,
  object: OverrideResult['object'],
  due = first.due,
): OverrideResult {
  const patch = createPatchBetween(input, object);
  if (patch.length === 0) return createUnchangedResult({ object: input } as OverrideRequest, first.decisions);
  return { object, changed: true, patch, decisions: first.decisions, ...(due !== undefined && { due }) };
}

/** Creates a patch with one operation per changed top-level field. The patch is not minimal, because it is rarely needed. */
function createPatchBetween(before: object, after: object): JsonPatchOperation[] {
  const [oldFields, newFields] = [before, after].map(
    (object) => new Map(Object.entries(object).filter(([, value]) => value !== undefined)),
  );
  const patch: JsonPatchOperation[] = [];
  for (const name of new Set([...(oldFields as Map<string, unknown>).keys(), ...(newFields as Map<string, unknown>).keys()])) {
    const [oldValue, newValue] = [oldFields?.get(name), newFields?.get(name)];
    if (JSON.stringify(oldValue) === JSON.stringify(newValue)) continue;
    const path = `/${name}`;
    if (newValue === undefined) patch.push({ op: 'remove', path });
    else patch.push({ op: oldValue === undefined ? 'add' : 'replace', path, value: plainCopy(newValue) });
  }
  return patch;
}
