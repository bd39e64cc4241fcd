import { describe, expect, test } from 'vitest';
import { RuleFilesError, readRuleFiles } from '../../src/webhook/rule-files.ts';

describe('readRuleFiles', () => {
  const validRules = (name: string): string => `rules:\n  - name: ${name}\n    match: {services: [${name}]}\n    action: {freeze: {}}\n`;
  const invalidRules = 'rules:\n  - name: x\n    action: {melt: {}}\n';
  const problemsOf = (...texts: readonly string[]): readonly string[] => {
    try {
      readRuleFiles(texts.map((text, index) => ({ name: `${'abc'[index]}.yaml`, text })));
      return [];
    } catch (error) {
      if (error instanceof RuleFilesError) return error.problems;
      throw error;
    }
  };

  test('reads files in order', () => {
    expect(
      readRuleFiles([
        { name: 'a', text: validRules('one') },
        { name: 'b', text: validRules('two').trimEnd() },
        { name: 'c', text: validRules('three') },
      ]).rules,
    ).toEqual(['one', 'two', 'three']);
  });

  test.each([
    ['in a single file', [invalidRules], 'a.yaml:3'],
    ['in the first file', [invalidRules, validRules('b')], 'a.yaml:3'],
    ['in a middle file', [validRules('a'), invalidRules.trimEnd(), validRules('c')], 'b.yaml:3'],
    ['in the last file', [validRules('a'), validRules('b').trimEnd(), invalidRules], 'c.yaml:3'],
    ['in the second document of a file', [validRules('a'), `${validRules('b')}---\n${invalidRules}`], 'b.yaml:8'],
  ])('names the file and the line of a problem %s', (_, texts, position) => {
    expect(problemsOf(...texts)).toEqual([expect.stringMatching(new RegExp(`^${position}:\\d+: rules\\[0\\]\\.action\\.melt: `))]);
  });

  test('refuses two rules with the same name', () => {
    expect(problemsOf(validRules('x'), validRules('x'))).toEqual([expect.stringMatching(/^b\.yaml:2/)]);
  });
});
