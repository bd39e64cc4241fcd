import type { Causes } from '../../field/causes.ts';
import { child, entries, type Fields, has, list, sameValue, text, texts } from '../../field/read.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/**
 * Validates the additional changes allowed while a pod has scheduling gates: node selector and node affinity may only become stricter.
 * Mirrors the middle of ValidatePodUpdate (pkg/apis/core/validation, 1.36).
 * @returns the spec with these changes reverted
 */
export function gatedChanges(spec: Fields, before: Fields, causes: Causes): Fields {
  let rest = spec;
  if (!sameValue(spec['nodeSelector'], before['nodeSelector'])) {
    validateSelector(child(spec, 'nodeSelector'), before, causes);
    rest = { ...rest, nodeSelector: before['nodeSelector'] };
  }
  const [affinity, old] = [child(spec, 'affinity'), child(before, 'affinity')];
  if (sameValue(affinity['nodeAffinity'], old['nodeAffinity'])) return rest;
  validateNodeAffinity(child(affinity, 'nodeAffinity'), child(old, 'nodeAffinity'), causes);
  return { ...rest, affinity: takenBack(spec, before) };
}

function validateSelector(selector: Fields, before: Fields, causes: Causes): void {
  if (entries(before, 'nodeSelector').every(([key, value]) => selector[key] === value)) return;
  causes.invalid('spec.nodeSelector', selector, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)');
}

function validateNodeAffinity(affinity: Fields, old: Fields, causes: Causes): void {
  if (!has(old, required)) return;
  const field = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  const before = list(child(old, required), 'nodeSelectorTerms');
  const terms = list(child(affinity, required), 'nodeSelectorTerms');
  if (before.length > 0 && before.length !== terms.length) {
    const printed = terms.length === 0 ? null : terms.map(asGo);
    causes.invalid(field, printed, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
    return;
  }
  for (const [i, term] of terms.entries()) {
    if (!onlyAdds(term, before[i] ?? {}))
      causes.invalid(`${field}[${i}]`, asGo(term), 'only additions are allowed (no mutations or deletions)');
  }
}

/** Mirrors validateNodeSelectorTermHasOnlyAdditions. */
function onlyAdds(term: Fields, old: Fields): boolean {
  const parts = ['matchExpressions', 'matchFields'];
  if (parts.every((name) => list(old, name).length === 0)) return parts.every((name) => list(term, name).length === 0);
  return parts.every((name) => {
    const before = list(old, name);
    return sameValue(list(term, name).slice(0, before.length), before);
  });
}

/** Upstream prints its internal type, which has no JSON names. */
const asGo = (term: Fields): Fields => ({
  MatchExpressions: requirements(term, 'matchExpressions'),
  MatchFields: requirements(term, 'matchFields'),
});

const requirements = (term: Fields, name: string): unknown =>
  has(term, name)
    ? list(term, name).map((each) => ({
        Key: text(each, 'key'),
        Operator: text(each, 'operator'),
        Values: has(each, 'values') ? texts(each, 'values') : null,
      }))
    : null;

function takenBack(spec: Fields, before: Fields): unknown {
  const [affinity, old] = [child(spec, 'affinity'), child(before, 'affinity')];
  const nodeAffinity = old['nodeAffinity'];
  if (!has(spec, 'affinity')) return { nodeAffinity };
  const others = has(affinity, 'podAffinity') || has(affinity, 'podAntiAffinity');
  if (!has(before, 'affinity') && !others) return undefined;
  const { nodeAffinity: _new, ...rest } = affinity;
  return nodeAffinity === undefined ? rest : { ...rest, nodeAffinity };
}
