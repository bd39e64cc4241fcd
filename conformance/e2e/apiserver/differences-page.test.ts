import { describe, expect, it } from 'vitest';
import { explainComparisons, explanations, MAX_EXPLANATIONS } from './compare/explanations.ts';
import { createPage, readPage } from './differences-page.ts';

describe('the explanations', () => {
  it('equal those of the generated page', () => {
    expect(readPage()).toBe(createPage(explanations));
  });

  it('are few, and each has a unique title', () => {
    expect(explanations.length).toBeLessThanOrEqual(MAX_EXPLANATIONS);
    expect(new Set(explanations.map(({ title }) => title)).size).toBe(explanations.length);
  });
});

describe('explainComparisons', () => {
  const comparison = { topic: 't', number: 1, request: 'GET /version', code: 200, fieldCount: 3 };
  const knownExplanations = [{ title: 'known', reason: 'because', request: /^GET \/version$/, field: /^body\.a$/ }];
  const createComparison = (field: string) => ({ ...comparison, differences: [{ field, real: 1, ours: 2 }] });

  it('accepts explained differences', () => {
    const { comparisons, unusedExplanations } = explainComparisons([createComparison('body.a')], knownExplanations);
    expect([comparisons[0]?.unexplained, unusedExplanations]).toEqual([[], []]);
  });

  it('reports unexplained differences and unused explanations', () => {
    const { comparisons, unusedExplanations } = explainComparisons(
      [createComparison('body.b'), { ...createComparison('body.a'), request: 'GET /other' }],
      knownExplanations,
    );
    expect(comparisons.map(({ unexplained }) => unexplained.length)).toEqual([1, 1]);
    expect(unusedExplanations).toEqual(knownExplanations);
  });
});
