import { describe, expect, it } from 'vitest';
import { finalizerWarnings } from '../../../src/custom-resources/objects/warnings.ts';
import { thing } from '../support.ts';

const advice = 'to avoid accidental conflicts with other finalizer writers';

describe('finalizerWarnings', () => {
  it('tells of finalizers without a domain, or that are no names', () => {
    const warnings = finalizerWarnings(thing({}, { finalizers: ['example.com/x', 'orphan', 'plain', 'with.dot', 'a b', 'plain'] }));
    expect(warnings.filter((warning) => warning.includes('"plain"'))).toEqual([
      `metadata.finalizers: "plain": prefer a domain-qualified finalizer name ${advice}`,
    ]);
    expect(warnings).toContain(`metadata.finalizers: "with.dot": prefer a domain-qualified finalizer name including a path (/) ${advice}`);
    expect(warnings.some((warning) => warning.startsWith('metadata.finalizers: "a b": name part must consist of'))).toBe(true);
    expect(warnings.some((warning) => /example.com|orphan/.test(warning))).toBe(false);
  });

  it('tells only of new ones', () => {
    expect(finalizerWarnings(thing({}, { finalizers: ['plain'] }), thing({}, { finalizers: ['plain'] }))).toEqual([]);
    expect(finalizerWarnings(thing())).toEqual([]);
  });
});
