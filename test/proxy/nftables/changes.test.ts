import { expect, it } from 'vitest';
import { isSameContainer, orderChanges } from '../../../src/proxy/nftables/diff.ts';
import type { NftablesChain, NftablesContainer } from '../../../src/proxy/nftables/model.ts';

const chain = (name: string, ...texts: string[]): NftablesChain => ({ name, rules: texts.map((text) => ({ text })) });
const set: NftablesContainer = { name: 's', type: 'ipv4_addr', flags: ['dynamic', 'timeout'], timeoutSeconds: 60 };
const commandsFor = (changes: Partial<Parameters<typeof orderChanges>[0]>) =>
  orderChanges({ chains: [], containers: [], elements: [], ...changes }).map(({ verb, object }) => `${verb} ${object}`);

it('orderChanges returns no commands for unchanged objects', () => {
  const element = { key: '10.0.0.1', comment: 'x' };
  expect(
    commandsFor({
      chains: [{ before: chain('a', 'x'), after: chain('a', 'x') }],
      containers: [{ object: 'set', before: set, after: { ...set, flags: ['dynamic', 'timeout'] } }],
      elements: [{ container: 's', before: element, after: { ...element } }],
    }),
  ).toEqual([]);
});

it('orderChanges deletes an empty chain without a flush', () => {
  expect(commandsFor({ chains: [{ before: chain('a'), after: undefined }] })).toEqual(['delete chain']);
  expect(commandsFor({ chains: [{ before: chain('a', 'x'), after: undefined }] })).toEqual(['flush chain', 'delete chain']);
  expect(commandsFor({ chains: [{ before: chain('a', 'x'), after: chain('a') }] })).toEqual(['flush chain']);
});

it('orderChanges deletes and adds an element whose comment changes', () => {
  const change = { container: 'm', before: { key: 'k', value: 'drop', comment: 'a' }, after: { key: 'k', value: 'drop', comment: 'b' } };
  expect(commandsFor({ elements: [change] })).toEqual(['delete element', 'add element']);
});

it('orderChanges writes the elements of a re-created set again, and the chains that refer to it', () => {
  const changes = {
    chains: [
      { before: chain('a', 'ip saddr @s drop'), after: chain('a', 'ip saddr @s drop') },
      { before: chain('b', 'ip saddr @s-other drop'), after: chain('b', 'ip saddr @s-other drop') },
    ],
    containers: [{ object: 'set' as const, before: set, after: { ...set, timeoutSeconds: 90 } }],
    elements: [{ container: 's', before: { key: '10.0.0.1' }, after: { key: '10.0.0.1' } }],
  };
  expect(commandsFor(changes)).toEqual(['flush chain', 'delete set', 'add set', 'add rule', 'add element']);
});

it.each<Partial<NftablesContainer>>([{ type: 'ipv6_addr' }, { timeoutSeconds: 61 }, { flags: ['dynamic'] }, { comment: 'x' }])(
  'isSameContainer is false for a set with %j',
  (change) => {
    expect(isSameContainer(set, { ...set, ...change })).toBe(false);
    expect(isSameContainer(set, { ...set })).toBe(true);
  },
);
