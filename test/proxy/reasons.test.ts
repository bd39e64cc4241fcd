import { expect, it } from 'vitest';
import { proxyReasons } from '../../src/proxy/index.ts';
import { readTextFile } from '../support/repository.ts';

it('every reason is unique, and has a sentence without a subject, and a remedy if it refuses traffic, except PolicyNotUsed', () => {
  const codes = proxyReasons.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(proxyReasons.filter(({ used }) => used).map(({ code }) => code)).toEqual(['Ready', 'TerminatingFallback']);
  for (const { sentence, remedy } of proxyReasons) for (const text of [sentence, remedy ?? 'is']) expect(text).toMatch(/^[a-z].*[^.]$/);
  expect(proxyReasons.filter(({ used, remedy }) => !used && remedy === undefined).map(({ code }) => code)).toEqual(['PolicyNotUsed']);
});

it('every reason is documented', () => {
  const page = readTextFile('docs/semantics/proxy.md');
  for (const { code, sentence, used } of proxyReasons) expect(page).toContain(`| \`${code}\` | ${sentence} | ${used ? 'yes' : 'no'} |`);
});
