import { describe, expect, test } from 'vitest';
import { RuleFilesError, readRuleFiles } from '../../src/webhook/rule-files.ts';

describe('rule files', () => {
  const good = (name: string): string => `rules:\n  - name: ${name}\n    match: {services: [${name}]}\n    action: {freeze: {}}\n`;
  const bad = 'rules:\n  - name: x\n    action: {melt: {}}\n';
  const problemsOf = (...texts: readonly string[]): readonly string[] => {
    try {
      readRuleFiles(texts.map((text, at) => ({ name: `${'abc'[at]}.yaml`, text })));
      return [];
    } catch (error) {
      if (error instanceof RuleFilesError) return error.problems;
      throw error;
    }
  };

  test('are read in order', () => {
    expect(
      readRuleFiles([
        { name: 'a', text: good('one') },
        { name: 'b', text: good('two').trimEnd() },
        { name: 'c', text: good('three') },
      ]).rules,
    ).toEqual(['one', 'two', 'three']);
  });

  test.each([
    ['alone', [bad], 'a.yaml:3'],
    ['first', [bad, good('b')], 'a.yaml:3'],
    ['in the middle', [good('a'), bad.trimEnd(), good('c')], 'b.yaml:3'],
    ['last', [good('a'), good('b').trimEnd(), bad], 'c.yaml:3'],
    ['of two documents', [good('a'), `${good('b')}---\n${bad}`], 'b.yaml:8'],
  ])('name the file and the line of a problem %s', (_, texts, place) => {
    expect(problemsOf(...texts)).toEqual([expect.stringMatching(new RegExp(`^${place}:\\d+: rules\\[0\\]\\.action\\.melt: `))]);
  });

  test('refuse two rules of the same name', () => {
    expect(problemsOf(good('x'), good('x'))).toEqual([expect.stringMatching(/^b\.yaml:2/)]);
  });
});
