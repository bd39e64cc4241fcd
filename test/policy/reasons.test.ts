import { expect, it } from 'vitest';
import { policyReasons } from '../../src/policy/index.ts';
import { listFiles, readTextFile } from '../support/repository.ts';

const codes = Object.keys(policyReasons);

it('every reason is documented with its verdict, and ends with a full stop', () => {
  const page = readTextFile('docs/semantics/policy.md');
  for (const [code, { verdict, message }] of Object.entries(policyReasons)) {
    expect(page).toContain(`| \`${code}\` | ${verdict} | ${message} |`);
    expect(message).toMatch(/^[A-Z{s].*\.$/);
  }
});

it('every reason is expected by a test', () => {
  const tests = listFiles('test/policy', '.test.ts').map(readTextFile).join('\n');
  expect(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(tests))).toStrictEqual([]);
});
