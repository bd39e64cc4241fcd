import { describe, expect, test } from 'vitest';
import { compare, findPhrases } from './phrases.ts';

describe('findPhrases', () => {
  test.each([
    ['a comment', 'a.ts', 'const a = 1;\n// Sorts the list anew.', 2, 'anew'],
    ['a docstring, across lines', 'a.ts', '/**\n * Undefined\n * where absent.\n */', 2, 'undefined where'],
    ['line comments, across lines', 'a.ts', '// An address that is in the\n  // place of another.', 1, 'in the place of'],
    ['a string', 'a.ts', "throw new Error('the caller is told')", 1, 'told'],
    ['a template', 'a.ts', `\`the client \${client.told} is told\``, 1, 'told'],
    ['a test title', 'a.test.ts', "test('whoever writes, wins', () => {})", 1, 'whoever'],
    ['Markdown', 'a.md', '# A\n\nNobody reads it.', 3, 'nobody'],
    ['a YAML comment', 'a.yaml', 'a: 1 \n# nobody needs this', 2, 'nobody'],
  ])('finds a phrase in %s', (_, path, text, line, phrase) => {
    expect(findPhrases(path, text)).toStrictEqual([{ line, phrase }]);
  });

  test.each([
    ['names in code', 'a.ts', 'const told = nobody(whoever); // correct'],
    ['keys', 'a.ts', "record['told']"],
    ['code in comments', 'a.ts', '/** Reports `told`. */'],
    ['values in templates', 'a.ts', `\`a client \${told} waits\``],
    ['a quote in a regular expression', 'a.ts', "/['`]/.test(told) && nobody['a b']"],
    ['fenced blocks and code of Markdown', 'a.md', '`told`\n\n```ts\nnobody();\n```\n'],
    ['values of YAML', 'a.yaml', 'user: nobody'],
    ['other files', 'a.json', '"nobody is told"'],
  ])('ignores %s', (_, path, text) => {
    expect(findPhrases(path, text)).toStrictEqual([]);
  });
});

describe('compare', () => {
  const allowed = new Map([['a.ts: told', 1]]);

  test('accepts as many phrases as are allowed', () => {
    expect(compare(new Map([['a.ts: told', [7]]]), allowed)).toStrictEqual([]);
  });

  test('reports a new phrase with its lines and a replacement', () => {
    expect(compare(new Map([['a.ts: told', [7, 9]]]), allowed)).toStrictEqual(['a.ts:7,9: avoid "told": reported, passed, said']);
  });

  test('reports an exception that is no longer needed', () => {
    expect(compare(new Map(), allowed)).toStrictEqual(['a.ts: told: 0 instead of 1: run with --shrink']);
  });
});
