import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { delays } from '../../src/engine/delays.ts';

it('documents every delay with its default and source', () => {
  const page = readFileSync(new URL('../../../../docs/semantics/simulator.md', import.meta.url), 'utf8');
  const rows = Object.entries(delays).map(
    ([name, { min, max, summary, source }]) => `| \`${name}\` | ${min} to ${max} | ${summary} | ${source} |`,
  );
  expect(rows.filter((row) => !page.includes(`\n${row}\n`))).toStrictEqual([]);
});
