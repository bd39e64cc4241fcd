import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import { createServerFaults, type PendingPauses, pause } from '../../src/faults/server.ts';
import { createClock, isSettled } from '../store/support.ts';

function createTestServer() {
  const clock = createClock();
  const events: string[] = [];
  const server = createServerFaults(clock, () => events.push('compact'));
  const openWatch = (name: string, resource: typeof resources.pods, namespace?: string) =>
    server.addWatch(
      { verb: 'watch', resource, namespace },
      {
        cut: (broken) => events.push(`${name} cut ${broken}`),
        stall: (milliseconds) => events.push(`${name} stall ${milliseconds}`),
        release: () => events.push(`${name} release`),
      },
    );
  return { clock, events, server, openWatch };
}

it('faults affect only open watches that match the selector', () => {
  const { server, openWatch, events } = createTestServer();
  openWatch('a', resources.pods, 'shop');
  openWatch('b', resources.services);
  const closeWatch = openWatch('c', resources.pods);
  closeWatch();
  expect(server.apply({ fault: 'dropWatches', watches: { resources: ['pods'] }, broken: true })).toBe(true);
  expect(server.apply({ fault: 'stallWatches', watches: { namespaces: ['shop'] }, forMilliseconds: 5 })).toBe(true);
  expect(server.apply({ fault: 'stallWatches', watches: { resources: ['nodes'] } })).toBe(false);
  expect(server.apply({ fault: 'releaseWatches' })).toBe(true);
  expect(server.apply({ fault: 'compact' })).toBe(true);
  expect(events).toEqual(['a cut true', 'a stall 5', 'a release', 'b release', 'compact']);
});

it('a crash cuts watches and rejects pending pauses; a second crash does nothing', async () => {
  const { server, openWatch, events, clock } = createTestServer();
  openWatch('a', resources.pods);
  const pendingPause = server.pause(5);
  expect([server.apply({ fault: 'crash' }), server.apply({ fault: 'crash' })]).toEqual([true, false]);
  await expect(pendingPause).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect([server.down, server.crashCount, events, clock.scheduled]).toEqual([true, 1, ['a cut true'], 0]);
  expect([server.apply({ fault: 'restart' }), server.apply({ fault: 'restart' })]).toEqual([true, false]);
  expect([server.down, server.crashCount]).toEqual([false, 1]);
});

it('a crashed server restarts after downMilliseconds, unless it was restarted before', () => {
  const { server, clock } = createTestServer();
  server.apply({ fault: 'crash', downMilliseconds: 5 });
  clock.advance(4);
  expect(server.down).toBe(true);
  clock.advance(1);
  expect(server.down).toBe(false);
  server.apply({ fault: 'crash', downMilliseconds: 5 });
  server.apply({ fault: 'restart' });
  server.apply({ fault: 'crash' });
  clock.advance(5);
  expect(server.down).toBe(true);
});

it('a pause resolves when its time is over', async () => {
  const clock = createClock();
  const pendingPauses: PendingPauses = new Set();
  const pendingPause = pause(clock, 5, pendingPauses);
  clock.advance(4);
  expect(await isSettled(pendingPause)).toBe(false);
  clock.advance(1);
  await pendingPause;
  expect([pendingPauses.size, clock.scheduled]).toEqual([0, 0]);
});

it('a pause rejects when it is stopped or its signal is aborted', async () => {
  const clock = createClock();
  const pendingPauses: PendingPauses = new Set();
  const controller = new AbortController();
  const stoppedPause = pause(clock, 5, pendingPauses, controller.signal);
  for (const stop of pendingPauses) stop(new Error('stop'));
  await expect(stoppedPause).rejects.toThrow('stop');
  const abortedPause = pause(clock, 5, pendingPauses, controller.signal);
  controller.abort(new Error('enough'));
  await expect(abortedPause).rejects.toThrow('enough');
  await expect(pause(clock, 5, pendingPauses, controller.signal)).rejects.toThrow('enough');
  expect([pendingPauses.size, clock.scheduled]).toEqual([0, 0]);
});
