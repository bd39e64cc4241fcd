import { expect, test } from 'vitest';
import { findFalseAlarms, mutations, plant } from './plant.ts';

const seed = Number(process.env['PROPERTY_SEED'] ?? 1);

test.each(Object.keys(mutations).map((kind, index) => ({ kind, seed: seed + index })))(
  'a planted mistake of kind $kind (seed $seed) is the first cause that is found',
  ({ kind, seed }) => {
    const { planted, found } = plant(kind, seed);
    expect(found[0], found.join(', ')).toBe(planted);
  },
);

test('healthy clusters have no finding', () => {
  expect(Array.from({ length: 20 }, (_, index) => findFalseAlarms(seed + index)).flat()).toStrictEqual([]);
});
