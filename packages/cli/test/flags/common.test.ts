import { Command } from 'commander';
import { expect, test } from 'vitest';
import { givenFlags, namespaceFlag, requestedNamespace } from '../../src/flags/common.ts';
import { parseLine } from '../parse.ts';

test.each([
  'compute -o json -f a.yaml -R',
  'run --once -o json',
  'trace web -o svg -f a.yaml',
  'proxy diff --node n --after b -R',
  'override test --rules r --old b -R',
  'webhook --rules r --self-signed d',
])('accepts flags that fit the command: %s', async (line) => {
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
])('refuses flags that do not fit the command: %s', async (line, message) => {
  expect((await parseLine(line)).stderr.trimEnd()).toMatch(message);
});

test('namespaceFlag accepts a name or an empty string', () => {
  expect([namespaceFlag('shop'), namespaceFlag('')]).toEqual(['shop', '']);
  expect(() => namespaceFlag('Not_A')).toThrow(/give a name as objects have it/);
});

test('namespaceAsked is undefined for all namespaces', () => {
  expect([{ namespace: 'shop' }, { namespace: '' }, {}, { namespace: 'shop', allNamespaces: true }].map(requestedNamespace)).toEqual([
    'shop',
    undefined,
    undefined,
    undefined,
  ]);
});

test('givenFlags lists given flags, even with their default value', () => {
  const command = new Command()
    .option('-a, --first <A>', '', 'x')
    .option('--second <B>', '', 'y')
    .option('--no-third', '')
    .option('--fourth', '');
  command.parse(['-a', 'x', '--no-third'], { from: 'user' });
  expect(givenFlags(command)).toEqual(['--first', '--no-third']);
});
