import { expect, it } from 'vitest';
import { allocatorGates, allocatorSettings } from '../../src/allocators/gates.ts';

const openGates = (version: string): string[] =>
  Object.entries(allocatorSettings(version))
    .filter(([, open]) => open)
    .map(([name]) => name);

it('allocatorSettings opens no gate in 1.17 and every gate in the newest release', () => {
  expect(openGates('1.17')).toEqual([]);
  expect(openGates('1.37')).toEqual(Object.keys(allocatorGates));
});

it.each(Object.entries(allocatorGates))('%s opens in its release and not in earlier ones', (name, { since }) => {
  const minor = Number(since.split('.')[1]);
  expect(openGates(`1.${minor}.0`)).toContain(name);
  expect(openGates(`1.${minor - 1}`)).not.toContain(name);
});

it('allocatorSettings is frozen, and refuses unknown releases', () => {
  expect(Object.isFrozen(allocatorSettings('1.20'))).toBe(true);
  expect(() => allocatorSettings('1.16')).toThrow(RangeError);
});
