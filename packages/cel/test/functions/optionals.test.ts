import { describe, expect, test } from 'vitest';
import { comprehensionFunctions } from '../../src/functions/comprehensions.ts';
import { listFunctions } from '../../src/functions/lists.ts';
import { optionalFunctions } from '../../src/functions/optionals.ts';
import { stringFunctions } from '../../src/functions/strings.ts';
import { differences } from '../replay.ts';

const parts = [stringFunctions, listFunctions, optionalFunctions, comprehensionFunctions];

describe('optional values and comprehensions', () => {
  test('are as in the original', () => {
    expect(Object.keys(differences('optionals', ...parts))).toEqual([
      // the original takes one of the two away
      'optional.of(1).optMap(x, optional.of(x).optMap(y, x + y))',
      // known to be of nothing
      'optional.unwrap([])',
      // the library does not compare them
      'optional.of(1) == optional.of(1)',
      'optional.of(1) == optional.none()',
      'optional.none() == optional.none()',
      'optional.of(1) != optional.of(2)',
      // and cannot read these
      '[?optional.of(1), ?optional.none()]',
      "{?'a': optional.of(1), ?'b': optional.none()}",
      // types of Go have other names
      'dyn(1).transformList(i, v, v)',
      // the library has it at all times
      'cel.bind(x, 1, x + 1)',
    ]);
  });
});
