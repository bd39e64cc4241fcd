import { Command } from 'commander';
import { expect, test } from 'vitest';
import { givenFlags, namespaceAsked, namespaceFlag } from '../../src/flags/common.ts';
import { parseLine } from '../parse.ts';

test.each([
  'compute -o json -f a.yaml -R',
  'run --once -o json',
  'trace web -o svg -f a.yaml',
  'proxy diff --node n --after b -R',
  'override test --rules r --old b -R',
  'webhook --rules r --self-signed d',
])('the flags of every command fit: %s', async (line) => {
  const { invocation, error, stderr } = await parseLine(line);
  expect({ error, stderr }).toEqual({ error: undefined, stderr: '' });
  expect(invocation).toBeDefined();
});

test.each<[string, RegExp]>([
  ['compute -o svg', /^error: -o svg is for trace: /],
  ['dns -o json', /^error: -o is for commands that print objects: dns goes on and prints none$/],
  ['run -o json', /: run goes on and prints none without --once$/],
  ['webhook manifest --service w --ca a -f a.yaml', /^error: -f is for commands that read objects: webhook manifest reads none$/],
  ['compute -R', /^error: -R is for the directories of -f: give both$/],
])('the flags of every command do not fit: %s', async (line, message) => {
  expect((await parseLine(line)).stderr.trimEnd()).toMatch(message);
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

test('the flags that were given, also with the value that they have by default', () => {
  const command = new Command()
    .option('-a, --first <A>', '', 'x')
    .option('--second <B>', '', 'y')
    .option('--no-third', '')
    .option('--fourth', '');
  command.parse(['-a', 'x', '--no-third'], { from: 'user' });
  expect(givenFlags(command)).toEqual(['--first', '--no-third']);
});
