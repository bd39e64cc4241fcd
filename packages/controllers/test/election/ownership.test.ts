import { expect, test } from 'vitest';
import { ownsAll } from '../../src/election/ownership.ts';

test('a replica that is alone owns everything, for good', () => {
  expect(ownsAll.owns('shop/web')).toBe(true);
  ownsAll.onChange(() => expect.unreachable())();
});
