import { expect, it } from 'vitest';
import { createHintsMemory } from '../../../src/incremental/slices/hints-memory.ts';

const shares = new Map([
  ['a', 0.5],
  ['b', 0.5],
]);
const fair = new Map([
  ['a', 1],
  ['b', 1],
]);
const unfair = new Map([['a', 2]]);

it('the user is told once', () => {
  const memory = createHintsMemory();
  expect(memory.isAnnounced('x')).toBe(false);
  expect(memory.enable('x', 'IPv4', fair)).toBe(true);
  expect(memory.enable('x', 'IPv4', fair)).toBe(false);
  expect(memory.enable('x', 'IPv6', fair)).toBe(false);
  expect(memory.enable('y', 'IPv4', fair)).toBe(true);
  expect(memory.isAnnounced('x')).toBe(true);
});

it('and once more after hints of either type are dropped', () => {
  const memory = createHintsMemory();
  memory.drop('x', 'IPv4');
  memory.enable('x', 'IPv4', fair);
  memory.enable('x', 'IPv6', unfair);
  memory.drop('x', 'IPv4');
  expect(memory.isAnnounced('x')).toBe(false);
  expect(memory.overloaded(shares)).toEqual(['x']);
  expect(memory.enable('x', 'IPv4', fair)).toBe(true);
  memory.drop('x', 'IPv6');
  expect(memory.overloaded(shares)).toEqual([]);
  expect(memory.overloaded(undefined)).toEqual(['x']);
  memory.drop('x', 'IPv4');
  expect(memory.overloaded(undefined)).toEqual([]);
});

it('those are overloaded of which some type is', () => {
  const memory = createHintsMemory();
  memory.enable('fair', 'IPv4', fair);
  memory.enable('one', 'IPv4', fair);
  memory.enable('one', 'IPv6', unfair);
  memory.enable('none', 'IPv4', new Map());
  expect(memory.overloaded(shares)).toEqual(['one']);
  expect(memory.overloaded(undefined)).toEqual(['fair', 'one']);
  memory.enable('one', 'IPv6', fair);
  expect(memory.overloaded(shares)).toEqual([]);
});

it('forgets all of a Service', () => {
  const memory = createHintsMemory();
  memory.enable('x', 'IPv4', unfair);
  memory.forget('x');
  expect([memory.isAnnounced('x'), memory.overloaded(shares)]).toEqual([false, []]);
});
