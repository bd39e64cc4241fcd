import { Command } from 'commander';
import { describe, expect, it, test } from 'vitest';
import { findGivenFlags, parseFeatureGates, parseNamespaceFlag, requestedNamespace } from '../../src/flags/common.ts';
import { parseLine } from '../parse.ts';

test.each([
  'compute -o json -f a.yaml -R',
  'run --once -o json',
  'trace web -o svg -f a.yaml',
  'proxy diff --node n --after b -R',
  'override test --rules r --old b -R',
  'webhook --rules r --self-signed d',
])('a command accepts flags that fit it: %s', async (line) => {
  const { invocation, error, stderr } = await parseLine(line);
  expect({ error, stderr }).toEqual({ error: undefined, stderr: '' });
  expect(invocation).toBeDefined();
});

test.each<[string, RegExp]>([
  ['compute -o svg', /^error: -o svg is only for trace: /],
  ['dns -o json', /^error: -o has no effect: dns prints no objects$/],
  ['run -o json', /has no effect: run prints no objects without --once$/],
  ['webhook manifest --service w --ca a -f a.yaml', /^error: -f has no effect: webhook manifest reads no objects$/],
  ['compute -R', /^error: -R has no effect without a directory: give -f DIRECTORY$/],
])('a command refuses flags that do not fit it: %s', async (line, message) => {
  expect((await parseLine(line)).stderr.trimEnd()).toMatch(message);
});

test('parseNamespaceFlag accepts a name or an empty string', () => {
  expect([parseNamespaceFlag('shop'), parseNamespaceFlag('')]).toEqual(['shop', '']);
  expect(() => parseNamespaceFlag('Not_A')).toThrow(/give an object name/);
});

test('requestedNamespace is undefined for all namespaces', () => {
  expect([{ namespace: 'shop' }, { namespace: '' }, {}, { namespace: 'shop', allNamespaces: true }].map(requestedNamespace)).toEqual([
    'shop',
    undefined,
    undefined,
    undefined,
  ]);
});

test('findGivenFlags lists given flags, even with their default value', () => {
  const command = new Command()
    .option('-a, --first <A>', '', 'x')
    .option('--second <B>', '', 'y')
    .option('--no-third', '')
    .option('--fourth', '');
  command.parse(['-a', 'x', '--no-third'], { from: 'user' });
  expect(findGivenFlags(command)).toEqual(['--first', '--no-third']);
});

describe('parseFeatureGates', () => {
  it('parses the values of strconv.ParseBool, and joins the occurrences of the flag', () => {
    const gates = parseFeatureGates('IPv6DualStack=true, TopologyAwareHints=F');
    expect(parseFeatureGates('IPv6DualStack=0', gates)).toEqual({ IPv6DualStack: false, TopologyAwareHints: false });
  });

  it.each(['IPv6DualStack', 'IPv6DualStack=yes', 'IPv6DualStack=true=false'])('rejects %s', (text) => {
    expect(() => parseFeatureGates(text)).toThrow(`${JSON.stringify(text)} is not NAME=true or NAME=false`);
  });
});
