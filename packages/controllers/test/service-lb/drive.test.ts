import type { Effect, Steps } from 'kube-endpoints/load-balancer';
import { describe, expect, test } from 'vitest';
import { OwnershipLost } from '../../src/controllers/failures.ts';
import { Ending } from '../../src/service-lb/claims.ts';
import { drive } from '../../src/service-lb/perform.ts';

const get: Effect = { do: 'get', service: {} };
const remove: Effect = { do: 'delete', service: {} };

describe('steps', () => {
  test('go on with the answers, and give their result', async () => {
    function* steps(): Steps<string> {
      const first = yield get;
      const second = yield remove;
      return `${String(first)} ${String(second)}`;
    }
    const answers = ['one', Promise.resolve('two')];
    expect(await drive(steps(), () => answers.shift())).toBe('one two');
  });

  test('are told of an error, whatever it is, and may go on', async () => {
    function* steps(): Steps<unknown> {
      try {
        yield get;
      } catch (error) {
        return error;
      }
      return 'no error';
    }
    expect(await drive(steps(), () => Promise.reject(new Error('away')))).toEqual(new Error('away'));
    expect(
      await drive(steps(), () => {
        throw undefined;
      }),
    ).toBeUndefined();
  });

  test('throw what they throw', async () => {
    function* steps(): Steps<void> {
      yield get;
      throw new Error('mine');
    }
    await expect(drive(steps(), () => undefined)).rejects.toThrow('mine');
  });

  test.each([new OwnershipLost('shop/web'), new Ending()])('do not go on after $name', async (end) => {
    const done: string[] = [];
    function* steps(): Steps<void> {
      try {
        yield get;
      } catch {
        done.push('caught');
      } finally {
        done.push('left');
      }
      yield remove;
    }
    const asked: string[] = [];
    const perform = (effect: Effect): Promise<never> => {
      asked.push(effect.do);
      return Promise.reject(end);
    };
    await expect(drive(steps(), perform)).rejects.toBe(end);
    expect({ done, asked }).toEqual({ done: ['left'], asked: ['get'] });
  });
});
