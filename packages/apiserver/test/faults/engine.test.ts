import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import type { Call } from '../../src/faults/call.ts';
import { createEngine } from '../../src/faults/engine.ts';
import type { FaultRule } from '../../src/faults/index.ts';
import { createJournal } from '../../src/faults/journal.ts';
import { createFaultScheduler } from '../../src/faults/scheduler.ts';
import { createClock, settle } from '../store/support.ts';

const update: Call = { verb: 'update', resource: resources.services, namespace: 'shop', name: 'web' };
const watch: Call = { verb: 'watch', resource: resources.services };

function createSubject(...rules: readonly FaultRule[]) {
  const clock = createClock();
  const journal = createJournal(1, 100);
  const scheduler = rules.length > 0 ? createFaultScheduler(rules, 1) : undefined;
  return { clock, journal, engine: createEngine({ clock, scheduler, journal, compact: () => undefined }) };
}

it('does not build the description of a call without rules', async () => {
  const { engine } = createSubject();
  const fate = engine.begin(() => {
    throw new Error('asked');
  });
  expect(fate).toBeUndefined();
  expect(await engine.guard(fate, () => 'done')).toBe('done');
});

it('returns the error answer and latency of a call, and logs both', () => {
  const { engine, journal, clock } = createSubject({ fault: 'conflict' }, { fault: 'latency', milliseconds: 3 });
  clock.advance(20);
  expect(engine.begin(() => update)).toMatchObject({ latency: 3, errorAnswer: { error: { code: 409 } } });
  expect(engine.begin(() => update)).toBeUndefined();
  expect(journal.entries.map(({ fault: { fault }, call, at }) => [fault, call, at])).toEqual([
    ['conflict', 'update services shop/web', 20],
    ['latency', 'update services shop/web', 20],
  ]);
});

it('a crash after a call hides its result', async () => {
  const { engine } = createSubject({ fault: 'crash', when: 'always' });
  for (const act of [() => 'done', () => Promise.reject(new Error('failed'))]) {
    const guarded = engine.guard(
      engine.begin(() => update),
      act,
    );
    await expect(guarded).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(engine.down).toBe(true);
    engine.command({ fault: 'restart' });
  }
});

it('a call that began before a crash is not answered after the restart', async () => {
  const { engine } = createSubject();
  let finish = (_: string): void => undefined;
  const guarded = engine.guard(undefined, () => new Promise<string>((resolve) => (finish = resolve)));
  engine.command({ fault: 'crash' });
  expect(() => engine.begin(() => update)).toThrow('ECONNRESET');
  expect(() => engine.requireUp()).toThrow('ECONNRESET');
  engine.command({ fault: 'restart' });
  finish('done');
  await expect(guarded).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('a crash breaks delayed calls and open streams', async () => {
  const { engine, clock } = createSubject({ fault: 'latency', milliseconds: 5 });
  const fate = engine.begin(() => update);
  const delayed = engine.delay(fate as NonNullable<typeof fate>);
  const idle = { next: () => new Promise<never>(() => undefined) };
  const pending = engine.stream(watch, idle, undefined).next();
  engine.command({ fault: 'crash' });
  await expect(delayed).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(pending).rejects.toMatchObject({ code: 'ECONNRESET' });
  await settle();
  expect(clock.scheduled).toBe(0);
});

it('logs commands as rules that repeat them at the same calls', () => {
  const { engine, journal } = createSubject();
  engine.begin(() => update);
  engine.command({ fault: 'crash' });
  expect(() => engine.begin(() => update)).toThrow();
  engine.command({ fault: 'restart' });
  engine.command({ fault: 'restart' });
  engine.begin(() => update);
  engine.command({ fault: 'compact' });
  expect(journal.entries.map(({ rule }) => rule)).toEqual([
    { fault: 'crash', at: 'before', verbs: expect.arrayContaining(['get', 'watch']), when: { nth: 2 } },
    { fault: 'restart', when: { nth: 3 } },
    { fault: 'compact', when: { nth: 3 } },
  ]);
});
