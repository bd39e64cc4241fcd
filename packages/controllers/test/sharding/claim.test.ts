import { describe, expect, test } from 'vitest';
import { claimAnnotation, claimOf, claimText, readClaim } from '../../src/sharding/ring.ts';

const leaseWith = (text: string | undefined) =>
  ({ metadata: { annotations: text === undefined ? {} : { [claimAnnotation]: text } } }) as const;

test('a claim is a sorted set of members', () => {
  expect(claimOf(['b', 'a', 'b'])).toEqual(['a', 'b']);
});

test('what is written can be read', () => {
  for (const claim of [[], ['a'], ['a,b', 'c"d']]) expect(readClaim(leaseWith(claimText(claim)))).toEqual(claim);
});

test('is written down in one way for good', () => {
  expect(claimText(['a', 'b'])).toBe('{"ring":"fnv1a-32/256","members":["a","b"]}');
});

describe('what cannot be understood is no claim', () => {
  test.each([
    undefined,
    '',
    'a,b',
    'null',
    '[]',
    '{"members":["a"]}',
    '{"ring":"another","members":["a"]}',
    '{"ring":"fnv1a-32/256","members":"a"}',
    '{"ring":"fnv1a-32/256","members":[1]}',
  ])('%s', (text) => {
    expect(readClaim(leaseWith(text))).toBeUndefined();
  });

  test('nor is a Lease without annotations', () => {
    expect(readClaim({ metadata: {} })).toBeUndefined();
  });
});
