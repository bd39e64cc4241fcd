import { expect, test } from 'vitest';
import { textOf } from '../../../test/support/repository.ts';
import { decisionMessages } from '../src/index.ts';

test('each code has a line in the docs, and the docs know no other', () => {
  const rows =
    textOf('docs/semantics/overrides.md')
      .split('## Codes')[1]
      ?.match(/^\| (`\w+`(?:, `\w+`)*) \|/gm) ?? [];
  const codes = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  expect(codes.toSorted()).toEqual(Object.keys(decisionMessages).toSorted());
});
