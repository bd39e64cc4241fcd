import { plainCopy } from 'kube-endpoints/internal';
import type { JsonPatchOperation, OverrideRequest, OverrideResult } from '../overrides.ts';
import { applyOnce, type Program, unchanged } from './apply.ts';
import type { CompiledRule } from './compiled.ts';
import { decisionOf } from './notes.ts';

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
