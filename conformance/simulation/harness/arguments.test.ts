import { expect, test } from 'vitest';
import { divideSeeds, parseArguments } from './arguments.ts';

const bugs = ['forgets', 'repeats'];
const parse = (line: string) => parseArguments(line.split(' ').filter(Boolean), bugs);

test('parseArguments reads all options of a command line', () => {
  expect(parse('')).toEqual({ seeds: 1000, seed: 1, jobs: 1, replay: undefined, lines: undefined, bug: undefined, skipBaseline: false });
  expect(parse('--seeds 20 --seed=3 --jobs 2 --bug repeats --skip-baseline')).toMatchObject({
    seeds: 20,
    seed: 3,
    jobs: 2,
    bug: 'repeats',
    skipBaseline: true,
  });
  expect(parse('--replay 0 --lines 9')).toMatchObject({ replay: 0, lines: 9 });
});

test('divideSeeds passes bug and skipBaseline to every worker process', () => {
  expect(divideSeeds(parse('--seed 3 --seeds 5 --jobs 2 --bug repeats --skip-baseline'))).toEqual([
    ['--seed', '3', '--seeds', '2', '--bug', 'repeats', '--skip-baseline'],
    ['--seed', '5', '--seeds', '3', '--bug', 'repeats', '--skip-baseline'],
  ]);
});

test('divideSeeds creates no worker process without seeds if there are more jobs than seeds', () => {
  expect(divideSeeds(parse('--seeds 2 --jobs 3'))).toEqual([
    ['--seed', '1', '--seeds', '1'],
    ['--seed', '2', '--seeds', '1'],
  ]);
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
])('parseArguments rejects %s', (line, message) => {
  expect(() => parse(line)).toThrow(message);
});
