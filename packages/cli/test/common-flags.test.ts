import { Command } from 'commander';
import { expect, test } from 'vitest';
import { type Asked, commonWrong, namespaceAsked, namespaceFlag } from '../src/common-flags.ts';

function wrongWith(text: string, asked: Omit<Asked, 'flags'> & Record<string, unknown>): string | undefined {
  const program = new Command()
    .option('-o, --output <FORMAT>', '', 'table')
    .option('-f, --filename <FILE...>')
    .option('-R, --recursive')
    .parse(text.split(' ').filter(Boolean), { from: 'user' });
  return commonWrong(program, { ...asked, flags: program.opts<Asked['flags']>() });
}

test.each<[string, Parameters<typeof wrongWith>[1]]>([
  ['-o json -f a.yaml -R', { command: 'compute' }],
  ['-o json', { command: 'run', once: true }],
  ['-o svg -f a.yaml', { command: 'trace' }],
  ['-R', { command: 'proxy diff', after: ['b'] }],
  ['', { command: 'webhook' }],
])('"%s" is right for %j', (text, asked) => {
  expect(wrongWith(text, asked)).toBeUndefined();
});

test.each<[string, Parameters<typeof wrongWith>[1], RegExp]>([
  ['-o svg', { command: 'compute' }, /^-o svg is for trace: /],
  ['-o json', { command: 'dns' }, /^-o is for commands that print objects: dns goes on and prints none$/],
  ['-o json', { command: 'run', once: false }, /: run goes on and prints none without --once$/],
  ['-f a.yaml', { command: 'webhook manifest' }, /^-f is for commands that read objects: webhook manifest reads none$/],
  ['-R', { command: 'compute' }, /^-R is for the directories of -f: give both$/],
])('"%s" is told for %j', (text, asked, message) => {
  expect(wrongWith(text, asked)).toMatch(message);
});

test('a namespace is a name, or none', () => {
  expect([namespaceFlag('shop'), namespaceFlag('')]).toEqual(['shop', '']);
  expect(() => namespaceFlag('Not_A')).toThrow(/give a name as objects have it/);
});

test('a namespace is asked for unless all are', () => {
  expect([{ namespace: 'shop' }, { namespace: '' }, {}, { namespace: 'shop', allNamespaces: true }].map(namespaceAsked)).toEqual([
    'shop',
    undefined,
    undefined,
    undefined,
  ]);
});
