import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/clouds/index.ts';
import { flushPromises } from '../../queue/clock.ts';
import { errorOf, makeService, request, withNodes } from '../objects.ts';
import { balancerUids, createFaultyCloud } from './support.ts';

/** Whether a promise is still pending. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const onSettled = () => {
    pending = false;
  };
  promise.then(onSettled, onSettled);
  await flushPromises();
  return pending;
}

describe('a fault of the memory cloud', () => {
  it.each<[Fault, unknown, string[]]>([
    [{ fault: 'throw' }, { code: 'Failed', message: 'the cloud cannot be reached' }, []],
    [{ fault: 'throw', error: 'no error at all' }, 'no error at all', []],
    [{ fault: 'throw', error: undefined }, undefined, []],
    [{ fault: 'elsewhere' }, { code: 'Elsewhere' }, []],
    [{ fault: 'retryAfter', milliseconds: 70 }, { code: 'RetryAfter', retryAfter: 70 }, []],
    [{ fault: 'failsAfterEffect' }, { code: 'Failed' }, ['uid-web']],
  ])('%j: the first call rejects as documented, and the next one succeeds', async (fault, error, uids) => {
    const { cloud, ensure } = createFaultyCloud(fault);
    const thrown = await errorOf(ensure());
    if (typeof error === 'object') expect(thrown).toMatchObject(error as object);
    else expect(thrown).toBe(error);
    expect(balancerUids(cloud)).toEqual(uids);
    expect(cloud.calls[0]?.fault).toBe(fault.fault);
    await ensure();
    expect(balancerUids(cloud)).toEqual(['uid-web']);
  });

  it('hang: the call rejects when it is aborted', async () => {
    const { cloud, abortController, ensure } = createFaultyCloud({ fault: 'hang' });
    const answer = ensure();
    expect(await isPending(answer)).toBe(true);
    abortController.abort('enough');
    await expect(answer).rejects.toBe('enough');
    expect(balancerUids(cloud)).toEqual([]);
  });

  it('hang: with forGood, the call never settles', async () => {
    const { abortController, ensure } = createFaultyCloud({ fault: 'hang', forGood: true });
    const answer = ensure();
    abortController.abort('enough');
    expect(await isPending(answer)).toBe(true);
  });

  it('latency: the call takes effect later, or never if it is aborted', async () => {
    const { clock, cloud, abortController, ensure } = createFaultyCloud(
      { fault: 'latency', milliseconds: 50 },
      { fault: 'latency', milliseconds: 50 },
    );
    const answer = ensure();
    await clock.pass(49);
    expect(balancerUids(cloud)).toEqual([]);
    await clock.pass(1);
    await answer;
    expect(balancerUids(cloud)).toEqual(['uid-web']);
    cloud.lose('uid-web');
    const second = ensure();
    abortController.abort('enough');
    await expect(second).rejects.toBe('enough');
    await clock.pass(100);
    expect(balancerUids(cloud)).toEqual([]);
    expect(clock.scheduled).toBe(0);
  });

  it('malformed: the call takes effect and returns the given answer', async () => {
    const { cloud, ensure } = createFaultyCloud(
      { fault: 'malformed' },
      { fault: 'malformed', answer: 7 },
      { fault: 'malformed', answer: undefined },
    );
    expect([await ensure(), await ensure(), await ensure()]).toEqual([{ ingress: [{ ip: 'not an address' }] }, 7, undefined]);
    expect(balancerUids(cloud)).toEqual(['uid-web']);
  });

  it('lose: the load balancer is deleted before the call', async () => {
    const { cloud, ensure } = createFaultyCloud(undefined, { fault: 'lose' }, undefined, { fault: 'lose' }, { fault: 'lose' });
    await ensure();
    expect(await cloud.balancers.get(request(makeService()))).toBeUndefined();
    await ensure();
    expect(await errorOf(cloud.balancers.update(withNodes(makeService())))).toMatchObject({ code: 'Failed' });
    await ensure();
    expect(balancerUids(cloud)).toEqual(['uid-web']);
  });

  it('late: the call takes effect after it is aborted', async () => {
    const { clock, cloud, abortController, ensure } = createFaultyCloud({ fault: 'late', milliseconds: 20 });
    const answer = ensure();
    abortController.abort('enough');
    await expect(answer).rejects.toBe('enough');
    await clock.pass(19);
    expect(balancerUids(cloud)).toEqual([]);
    await clock.pass(1);
    expect(balancerUids(cloud)).toEqual(['uid-web']);
  });

  it.each([
    [false, ['uid-web']],
    [true, []],
  ])(
    'late: with unlessSuperseded %j, an ensure that arrives after a later delete leaves the load balancers %j',
    async (unlessSuperseded, uids) => {
      const { clock, cloud, abortController, ensure } = createFaultyCloud({ fault: 'late', milliseconds: 20, unlessSuperseded });
      const answer = ensure();
      abortController.abort('enough');
      await expect(answer).rejects.toBe('enough');
      await cloud.balancers.get(request(makeService()));
      await cloud.balancers.delete(request(makeService()));
      await clock.pass(20);
      expect(balancerUids(cloud)).toEqual(uids);
    },
  );

  it('late: the call is not superseded by calls for other Services', async () => {
    const { clock, cloud, abortController, ensure } = createFaultyCloud({ fault: 'late', milliseconds: 20, unlessSuperseded: true });
    const answer = ensure();
    abortController.abort('enough');
    await expect(answer).rejects.toBe('enough');
    await cloud.balancers.ensure(withNodes(makeService('other')));
    await clock.pass(20);
    expect(balancerUids(cloud).sort()).toEqual(['uid-other', 'uid-web']);
  });

  it('late: an error of the delayed effect is ignored', async () => {
    const { clock, cloud, abortController } = createFaultyCloud({ fault: 'late', milliseconds: 20 });
    const answer = cloud.balancers.update(withNodes(makeService(), [], abortController.signal));
    abortController.abort('enough');
    await expect(answer).rejects.toBe('enough');
    await clock.pass(20);
    expect(balancerUids(cloud)).toEqual([]);
  });

  it('answersTwice: a then() callback is called twice; await returns the first answer', async () => {
    const { cloud, ensure } = createFaultyCloud({ fault: 'answersTwice', second: 2 }, { fault: 'answersTwice', second: 2 });
    const first = { ingress: [{ ip: '198.18.0.1' }] };
    expect(await ensure()).toEqual(first);
    const answers: unknown[] = [];
    await ensure().then((answer) => void answers.push(answer));
    expect(answers).toEqual([first, 2]);
    expect(balancerUids(cloud)).toEqual(['uid-web']);
  });
});
