import { describe, expect, test } from 'vitest';
import { comprehensionFunctions } from '../../src/functions/comprehensions.ts';
import { listFunctions } from '../../src/functions/lists.ts';
import { optionalFunctions } from '../../src/functions/optionals.ts';
import { stringFunctions } from '../../src/functions/strings.ts';
import { findDifferences } from '../replay.ts';

const parts = [stringFunctions, listFunctions, optionalFunctions, comprehensionFunctions];

describe('optional values and comprehensions', () => {
  test('agree with Kubernetes, except for differences of the library', () => {
    expect(Object.keys(findDifferences('optionals', ...parts))).toEqual([
      // Kubernetes removes one of the two nested optionals.
      'optional.of(1).optMap(x, optional.of(x).optMap(y, x + y))',
      // The static type of an empty list has no elements.
      'optional.unwrap([])',
      // The library does not compare optionals.
      'optional.of(1) == optional.of(1)',
      'optional.of(1) == optional.none()',
      'optional.none() == optional.none()',
      'optional.of(1) != optional.of(2)',
      // The library cannot parse optional elements and entries.
      '[?optional.of(1), ?optional.none()]',
      "{?'a': optional.of(1), ?'b': optional.none()}",
      // Go types have other names.
      'dyn(1).transformList(i, v, v)',
      // The library always has cel.bind.
      'cel.bind(x, 1, x + 1)',
    ]);
  });
});
