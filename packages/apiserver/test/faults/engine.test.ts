import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import type { Call } from '../../src/faults/call.ts';
import { createEngine } from '../../src/faults/engine.ts';
import type { FaultRule } from '../../src/faults/index.ts';
import { createJournal } from '../../src/faults/journal.ts';
import { createFaultScheduler } from '../../src/faults/scheduler.ts';
import { createClock, flushPromises } from '../store/support.ts';

const updateCall: Call = { verb: 'update', resource: resources.services, namespace: 'shop', name: 'web' };
const watchCall: Call = { verb: 'watch', resource: resources.services };

function createTestEngine(...rules: readonly FaultRule[]) {
  const clock = createClock();
  const journal = createJournal(1, 100);
  const scheduler = rules.length > 0 ? createFaultScheduler(rules, 1) : undefined;
  return { clock, journal, engine: createEngine({ clock, scheduler, journal, compact: () => undefined }) };
}

it('the engine does not request the description of a call if there are no rules', async () => {
  const { engine } = createTestEngine();
  const decision = engine.begin(() => {
    throw new Error('unexpected call');
  });
  expect(decision).toBeUndefined();
  expect(await engine.guard(decision, () => 'done')).toBe('done');
});

it('the engine returns and logs the error answer and the latency of a call', () => {
  const { engine, journal, clock } = createTestEngine({ fault: 'conflict' }, { fault: 'latency', milliseconds: 3 });
  clock.advance(20);
  expect(engine.begin(() => updateCall)).toMatchObject({ latency: 3, errorAnswer: { error: { code: 409 } } });
  expect(engine.begin(() => updateCall)).toBeUndefined();
  expect(journal.entries.map(({ fault: { fault }, call, at }) => [fault, call, at])).toEqual([
    ['conflict', 'update services shop/web', 20],
    ['latency', 'update services shop/web', 20],
  ]);
});

it('a crash after a call hides its result or error', async () => {
  const { engine } = createTestEngine({ fault: 'crash', when: 'always' });
  for (const run of [() => 'done', () => Promise.reject(new Error('failed'))]) {
    const answer = engine.guard(
      engine.begin(() => updateCall),
      run,
    );
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(engine.down).toBe(true);
    engine.injectOnCommand({ fault: 'restart' });
  }
});

it('a call that began before a crash is not answered after the restart', async () => {
  const { engine } = createTestEngine();
  let finish = (_: string): void => undefined;
  const answer = engine.guard(undefined, () => new Promise<string>((resolve) => (finish = resolve)));
  engine.injectOnCommand({ fault: 'crash' });
  expect(() => engine.begin(() => updateCall)).toThrow('ECONNRESET');
  expect(() => engine.requireUp()).toThrow('ECONNRESET');
  engine.injectOnCommand({ fault: 'restart' });
  finish('done');
  await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('a crash breaks delayed calls and open streams', async () => {
  const { engine, clock } = createTestEngine({ fault: 'latency', milliseconds: 5 });
  const decision = engine.begin(() => updateCall);
  const delay = engine.delay(decision as NonNullable<typeof decision>);
  const idleWatch = { next: () => new Promise<never>(() => undefined) };
  const pendingRead = engine.wrapStream(watchCall, idleWatch, undefined).next();
  engine.injectOnCommand({ fault: 'crash' });
  await expect(delay).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(pendingRead).rejects.toMatchObject({ code: 'ECONNRESET' });
  await flushPromises();
  expect(clock.scheduled).toBe(0);
});

it('the engine logs a command as a rule that injects the fault at the same call', () => {
  const { engine, journal } = createTestEngine();
  engine.begin(() => updateCall);
  engine.injectOnCommand({ fault: 'crash' });
  expect(() => engine.begin(() => updateCall)).toThrow();
  engine.injectOnCommand({ fault: 'restart' });
  engine.injectOnCommand({ fault: 'restart' });
  engine.begin(() => updateCall);
  engine.injectOnCommand({ fault: 'compact' });
  expect(journal.entries.map(({ rule }) => rule)).toEqual([
    { fault: 'crash', at: 'before', verbs: expect.arrayContaining(['get', 'watch']), when: { nth: 2 } },
    { fault: 'restart', when: { nth: 3 } },
    { fault: 'compact', when: { nth: 3 } },
  ]);
});
