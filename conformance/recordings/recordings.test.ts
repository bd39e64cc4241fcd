import { expect, test } from 'vitest';
import { checkSeed } from './check.ts';
import { faults } from './faults.ts';

test.each(faults.map(({ name }, seed) => ({ name, seed })))(
  'the history of each kind of recording names the fault: $name',
  async ({ seed }) => {
    expect(await checkSeed(seed)).toStrictEqual([]);
  },
);
