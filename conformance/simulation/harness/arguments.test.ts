import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

const bugs = ['forgets', 'repeats'];
const read = (line: string) => readArguments(line.split(' ').filter(Boolean), bugs);

test('readArguments reads all options of a command line', () => {
  expect(read('')).toEqual({ seeds: 1000, seed: 1, jobs: 1, replay: undefined, lines: undefined, bug: undefined, trust: false });
  expect(read('--seeds 20 --seed=3 --jobs 2 --bug repeats --trust')).toMatchObject({
    seeds: 20,
    seed: 3,
    jobs: 2,
    bug: 'repeats',
    trust: true,
  });
  expect(read('--replay 0 --lines 9')).toMatchObject({ replay: 0, lines: 9 });
});

test.each([
  ['--bug nope', '--bug: "nope" is not one of forgets, repeats'],
  ['--bug toString', '--bug: "toString" is not one of'],
  ['--seeds abc', '--seeds: "abc" is not a number'],
  ['--seed 1.5', '--seed: "1.5" is not a number'],
  ['--jobs=', '--jobs: "" is not a number'],
  ['--replay 99999999999999999999', '--replay: "99999999999999999999" is not a number'],
  ['--lines -1', "'--lines' argument is ambiguous"],
  ['--frob', "Unknown option '--frob'"],
  ['seeds', "Unexpected argument 'seeds'"],
])('readArguments rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(message);
});
