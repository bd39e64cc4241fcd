import { expect, test } from 'vitest';
import { OwnershipLost } from '../../src/controllers/failures.ts';
import { Ending, isEnd } from '../../src/service-lb/claims.ts';

test('work ends with the ownership and with the controller, and with nothing else', () => {
  expect([new OwnershipLost('shop/web'), new Ending(), new Error('no'), undefined].map(isEnd)).toEqual([true, true, false, false]);
  expect(String(new Ending())).toBe('Ending: the controller ends');
});
