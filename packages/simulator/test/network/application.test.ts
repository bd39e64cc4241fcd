import { expect, test } from 'vitest';
import type { Application, ApplicationHost } from '../../src/engine/application.ts';
import { createClock } from '../../src/engine/clock.ts';
import { createBoundChoice } from '../../src/engine/delays.ts';
import type { TimelineEntry } from '../../src/engine/timeline.ts';
import { type ApplicationSettings, applicationDefaults, createApplications } from '../../src/network/application.ts';

/** Runs a process that gets SIGTERM at 5 s, and SIGKILL at 30 s. Lists its listener's states, its exit and its readiness at 5.5 s. */
function run(settings: Partial<ApplicationSettings>, terminateAt = 5000, role?: ApplicationHost['role']): string[] {
  const timeline: TimelineEntry[] = [];
  const found: string[] = [];
  const clock = createClock({ start: 0, choose: createBoundChoice(() => false), onEntry: (entry) => timeline.push(entry) });
  const start = createApplications(clock, () => ({ ...applicationDefaults, ...settings }));
  const ref = { pod: 'shop/web-1', podUid: 'u1', node: 'n1', container: 'web', image: 'web:1' };
  let hasExited = false;
  const application: Application = start(ref, {
    role,
    onExit: (code) => {
      hasExited = true;
      found.push(`${clock.now()} exit ${code}`);
    },
  });
  clock.at(terminateAt, () => hasExited || application.terminate());
  clock.at(5500, () => found.push(`5500 ready ${application.answers('readiness')}`));
  clock.at(30_000, () => hasExited || application.kill());
  clock.runUntil(60_000);
  const states = timeline.flatMap((entry) => (entry.type === 'listener' ? [`${entry.at} ${entry.state}`] : []));
  return [...states, ...found].sort((x, y) => Number.parseInt(x, 10) - Number.parseInt(y, 10));
}

test.each([
  ['finishes its requests', {}, ['2000 open', '5050 draining', '5500 ready false', '6050 closed', '6050 exit 0']],
  ['cuts its requests', { onTerminate: 'close' }, ['2000 open', '5050 closed', '5500 ready false', '6050 exit 0']],
  ['ignores the signal', { onTerminate: 'ignore' }, ['2000 open', '5500 ready true', '30000 closed']],
  ['drains and stays ready', { drainSeconds: 10 }, ['2000 open', '5500 ready true', '15050 draining', '16050 closed', '16050 exit 0']],
  [
    'drains and turns not ready',
    { drainSeconds: 10, isReadyWhileDraining: false },
    ['2000 open', '5500 ready false', '15050 draining', '16050 closed', '16050 exit 0'],
  ],
  [
    'has its own times',
    { start: { min: 1, max: 10 }, exit: { min: 0, max: 30_000 } },
    ['10 open', '5050 draining', '5500 ready false', '30000 closed'],
  ],
] as const)('a process that %s', (_, settings, expected) => {
  expect(run(settings)).toStrictEqual(expected);
});

test('a process that is stopped before it listens exits without having listened', () => {
  expect(run({}, 1000)).toStrictEqual(['2050 exit 0', '5500 ready false']);
});

test.each([
  ['exits by itself after its time', { exitAfterSeconds: 4 }, ['2000 open', '4000 closed', '4000 exit 0', '5500 ready false']],
  [
    'exits with 143 if it is stopped before',
    { exitAfterSeconds: 20 },
    ['2000 open', '5050 draining', '5500 ready false', '6050 closed', '6050 exit 143'],
  ],
  [
    'exits after its time while it ends its requests',
    { exitAfterSeconds: 6 },
    ['2000 open', '5050 draining', '5500 ready false', '6000 closed', '6000 exit 0'],
  ],
  ['exits before it listens', { exitAfterSeconds: 1 }, ['1000 exit 0', '5500 ready false']],
  ['runs without a time until it is stopped', {}, ['2000 open', '5050 draining', '5500 ready false', '6050 closed', '6050 exit 143']],
] as const)('a task that %s', (_, settings, expected) => {
  expect(run(settings, 5000, 'task')).toStrictEqual(expected);
});

test('a process that the kubelet restarts has no time', () => {
  expect(run({ exitAfterSeconds: 4 })).toStrictEqual(run({}));
});

test('an init container exits after the delay of a start, without listening', () => {
  expect(run({}, 5000, 'init')).toStrictEqual(['2000 exit 0', '5500 ready false']);
});
