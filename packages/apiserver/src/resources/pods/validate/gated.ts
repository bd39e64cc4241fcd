import type { Causes } from '../../field/causes.ts';
import { child, entries, type Fields, has, list, sameValue, text, texts } from '../../field/read.ts';
import { requiredDuringScheduling } from './affinity.ts';

/**
 * Validates the additional changes allowed while a pod has scheduling gates: node selector and node affinity may only become stricter.
 * Mirrors the middle of ValidatePodUpdate (pkg/apis/core/validation, 1.36).
 * @returns the spec with these changes reverted
 */
export function validateGatedChanges(spec: Fields, oldSpec: Fields, causes: Causes): Fields {
  let revertedSpec = spec;
  if (!sameValue(spec['nodeSelector'], oldSpec['nodeSelector'])) {
    validateSelector(child(spec, 'nodeSelector'), oldSpec, causes);
    revertedSpec = { ...revertedSpec, nodeSelector: oldSpec['nodeSelector'] };
  }
  const [affinity, oldAffinity] = [child(spec, 'affinity'), child(oldSpec, 'affinity')];
  if (sameValue(affinity['nodeAffinity'], oldAffinity['nodeAffinity'])) return revertedSpec;
  validateNodeAffinity(child(affinity, 'nodeAffinity'), child(oldAffinity, 'nodeAffinity'), causes);
  return { ...revertedSpec, affinity: withOldNodeAffinity(spec, oldSpec) };
}

function validateSelector(selector: Fields, oldSpec: Fields, causes: Causes): void {
  if (entries(oldSpec, 'nodeSelector').every(([key, value]) => selector[key] === value)) return;
  causes.invalid('spec.nodeSelector', selector, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)');
}

function validateNodeAffinity(affinity: Fields, old: Fields, causes: Causes): void {
  if (!has(old, requiredDuringScheduling)) return;
  const field = `spec.affinity.nodeAffinity.${requiredDuringScheduling}.nodeSelectorTerms`;
  const oldTerms = list(child(old, requiredDuringScheduling), 'nodeSelectorTerms');
  const terms = list(child(affinity, requiredDuringScheduling), 'nodeSelectorTerms');
  if (oldTerms.length > 0 && oldTerms.length !== terms.length) {
    const printedTerms = terms.length === 0 ? null : terms.map(toGoStruct);
    causes.invalid(field, printedTerms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
    return;
  }
  for (const [i, term] of terms.entries()) {
    if (!hasOnlyAdditions(term, oldTerms[i] ?? {}))
      causes.invalid(`${field}[${i}]`, toGoStruct(term), 'only additions are allowed (no mutations or deletions)');
  }
}

/** Mirrors validateNodeSelectorTermHasOnlyAdditions. */
function hasOnlyAdditions(term: Fields, old: Fields): boolean {
  const listNames = ['matchExpressions', 'matchFields'];
  if (listNames.every((name) => list(old, name).length === 0)) return listNames.every((name) => list(term, name).length === 0);
  return listNames.every((name) => {
    const oldRequirements = list(old, name);
    return sameValue(list(term, name).slice(0, oldRequirements.length), oldRequirements);
  });
}

/** Upstream prints its internal type, which has no JSON names. */
const toGoStruct = (term: Fields): Fields => ({
  MatchExpressions: toGoRequirements(term, 'matchExpressions'),
  MatchFields: toGoRequirements(term, 'matchFields'),
});

const toGoRequirements = (term: Fields, name: string): unknown =>
  has(term, name)
    ? list(term, name).map((each) => ({
        Key: text(each, 'key'),
        Operator: text(each, 'operator'),
        Values: has(each, 'values') ? texts(each, 'values') : null,
      }))
    : null;

function withOldNodeAffinity(spec: Fields, oldSpec: Fields): unknown {
  const affinity = child(spec, 'affinity');
  const nodeAffinity = child(oldSpec, 'affinity')['nodeAffinity'];
  if (!has(spec, 'affinity')) return { nodeAffinity };
  const hasPodAffinity = has(affinity, 'podAffinity') || has(affinity, 'podAntiAffinity');
  if (!has(oldSpec, 'affinity') && !hasPodAffinity) return undefined;
  const { nodeAffinity: _new, ...rest } = affinity;
  return nodeAffinity === undefined ? rest : { ...rest, nodeAffinity };
}
