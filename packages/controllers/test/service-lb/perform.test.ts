import type { Effect, EventEffect, Steps } from 'kube-endpoints/internal';
import type { ClientPort } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { OwnershipLostError } from '../../src/controllers/failures.ts';
import type { Calls } from '../../src/service-lb/calls.ts';
import { ControllerStoppingError } from '../../src/service-lb/claims.ts';
import { createSetup } from '../../src/service-lb/options.ts';
import { createJob, createPerformer, type Job, type Performer, runSteps } from '../../src/service-lb/perform.ts';
import { createTestOwnership } from '../controllers/fixture.ts';
import { createCloud } from './cloud.ts';

const service = { metadata: { namespace: 'shop', name: 'web', uid: 'u1' }, status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } } };
const createEventEffect = (type: EventEffect['type'], message = 'm'): Effect => ({ do: 'event', service, type, reason: type, message });

interface Setup {
  readonly performer: Performer;
  readonly calledMethods: string[];
  readonly recordedEvents: string[];
  readonly ownership: ReturnType<typeof createTestOwnership>;
}

function setUp({ dryRun = false, updates = true } = {}): Setup {
  const calledMethods: string[] = [];
  const recordedEvents: string[] = [];
  const ownership = createTestOwnership({ owned: true });
  const recordCall =
    <T>(name: string, answer: T) =>
    async (): Promise<T> => {
      calledMethods.push(name);
      return answer;
    };
  const calls = {
    get: recordCall('get', undefined),
    ensure: recordCall('ensure', { ingress: [] }),
    update: updates ? recordCall('update', undefined) : () => Promise.reject(new Error('no')),
    delete: recordCall('delete', undefined),
    patch: recordCall('patch', {}),
  } as unknown as Calls;
  const setup = createSetup({ port: {} as ClientPort, cloud: createCloud(), dryRun, ownership });
  const recorder = {
    record: (_: unknown, type: string, _reason: string, message: string) =>
      void recordedEvents.push(message === 'm' ? type : `${type}: ${message}`),
  };
  return { performer: createPerformer({ setup, calls, recorder }), calledMethods, recordedEvents, ownership };
}

/** Performs all effects and returns their answers or errors. */
async function performAll({ performer }: Setup, job: Job, ...effects: readonly Effect[]): Promise<unknown[]> {
  function* steps(): Steps<unknown[]> {
    const answers: unknown[] = [];
    for (const effect of effects) {
      try {
        answers.push(yield effect);
      } catch (error) {
        answers.push(String(error));
      }
    }
    return answers;
  }
  return performer.run(job, steps());
}

describe('an Event', () => {
  test('of type Normal is dropped in a job with warningsOnly; an Event of type Warning is recorded', async () => {
    const harness = setUp();
    await performAll(harness, createJob('shop/web'), createEventEffect('Normal'), createEventEffect('Warning'));
    await performAll(harness, createJob('shop/web', true), createEventEffect('Normal'), createEventEffect('Warning'));
    expect(harness.recordedEvents).toEqual(['Normal', 'Warning', 'Warning']);
  });

  test('omits credentials and is truncated to the maximum length', async () => {
    const harness = setUp();
    const long = `GET https://me:s3cret@lb.example failed: ${'x'.repeat(2000)}`;
    await performAll(harness, createJob('shop/web'), createEventEffect('Warning', long));
    expect(harness.recordedEvents).toEqual([expect.stringMatching(/^Warning: GET https:\/\/…@lb\.example failed: x{900,}…$/)]);
    expect(harness.recordedEvents[0]).toHaveLength('Warning: '.length + 1024);
  });

  test('is dropped if the Service belongs to another replica', async () => {
    const harness = setUp();
    harness.ownership.lose();
    await performAll(harness, createJob('shop/web'), createEventEffect('Warning'));
    expect(harness.recordedEvents).toEqual([]);
  });
});

test('a job counts patches and records that ensure succeeded', async () => {
  const job = createJob('shop/web');
  const patch: Effect = { do: 'patch', service, patch: {} };
  await performAll(setUp(), job, patch, { do: 'ensure', service, nodes: [] }, patch);
  expect(job).toMatchObject({ writes: 2, ensured: true, balancerLost: false });
});

test.each([
  [true, false],
  [false, true],
])('if update succeeds: %s, a load balancer that get does not return counts as lost: %s', async (updates, isLost) => {
  const job = createJob('shop/web');
  const answers = await performAll(setUp({ updates }), job, { do: 'update', service, nodes: [] }, { do: 'get', service });
  expect(answers).toEqual([updates ? undefined : 'Error: no', undefined]);
  expect(job.balancerLost).toBe(isLost);
});

test('a dry run performs get and no other cloud call', async () => {
  const harness = setUp({ dryRun: true });
  const job = createJob('shop/web');
  const nodes: [] = [];
  const answers = await performAll(
    harness,
    job,
    { do: 'get', service },
    { do: 'ensure', service, nodes },
    { do: 'update', service, nodes },
    { do: 'delete', service },
    { do: 'patch', service, patch: {} },
    { do: 'ensure', service: {}, nodes },
  );
  expect(answers).toEqual([undefined, service.status.loadBalancer, undefined, undefined, undefined, {}]);
  expect(harness.calledMethods).toEqual(['get']);
  expect(job.writes).toBe(0);
});

const getEffect: Effect = { do: 'get', service: {} };
const deleteEffect: Effect = { do: 'delete', service: {} };

describe('runSteps', () => {
  test('resumes the steps with each answer and returns their result', async () => {
    function* steps(): Steps<string> {
      const first = yield getEffect;
      const second = yield deleteEffect;
      return `${String(first)} ${String(second)}`;
    }
    const answers = ['one', Promise.resolve('two')];
    expect(await runSteps(steps(), () => answers.shift())).toBe('one two');
  });

  test('throws any error of an effect into the steps', async () => {
    function* steps(): Steps<unknown> {
      try {
        yield getEffect;
      } catch (error) {
        return error;
      }
      return 'no error';
    }
    expect(await runSteps(steps(), () => Promise.reject(new Error('away')))).toEqual(new Error('away'));
    expect(
      await runSteps(steps(), () => {
        throw undefined;
      }),
    ).toBeUndefined();
  });

  test('rejects with the error that the steps throw', async () => {
    function* steps(): Steps<void> {
      yield getEffect;
      throw new Error('mine');
    }
    await expect(runSteps(steps(), () => undefined)).rejects.toThrow('mine');
  });

  test.each([new OwnershipLostError('shop/web'), new ControllerStoppingError()])(
    'runs only the finally blocks of the steps after $name',
    async (end) => {
      const done: string[] = [];
      function* steps(): Steps<void> {
        try {
          yield getEffect;
        } catch {
          done.push('caught');
        } finally {
          done.push('finally');
        }
        yield deleteEffect;
      }
      const calls: string[] = [];
      const perform = (effect: Effect): Promise<never> => {
        calls.push(effect.do);
        return Promise.reject(end);
      };
      await expect(runSteps(steps(), perform)).rejects.toBe(end);
      expect({ done, calls }).toEqual({ done: ['finally'], calls: ['get'] });
    },
  );
});
