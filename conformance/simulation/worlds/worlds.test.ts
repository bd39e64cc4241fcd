import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampled } from '../../../test/support/sample.ts';
import { bugs } from '../bugs.ts';
import { sourceConditions } from '../harness/hooks.ts';
import { checkKeys } from './check-keys.ts';
import { keyOfState } from './key.ts';
import { type SearchOptions, searchWorld } from './search.ts';
import type { WorldState } from './state.ts';
import { walkWorld } from './walk.ts';
import { createPodWorld, createSpecialWorlds, type World } from './world.ts';

const controllers = ['endpoints', 'endpointslices', 'endpointslicemirroring'] as const;

const worlds: readonly World[] = [
  ...controllers.flatMap((controller) => createSpecialWorlds({ controller, faults: 0 })),
  createPodWorld({ controller: 'endpointslices', pods: 2, replicas: 1, faults: 0 }),
  createPodWorld({ controller: 'endpointslices', pods: 1, replicas: 2, faults: 0 }),
  createPodWorld({ controller: 'endpoints', pods: 1, replicas: 1, faults: 1 }),
];

const describeWorld = ({ name, controller, replicaCount, maxFaults }: World): string =>
  `${controller} in ${name}, ${replicaCount} processes, ${maxFaults} faults`;

it.each(worlds.map((world) => [describeWorld(world), world] as const))('finds no problem of %s', async (_, world) => {
  const { isComplete, finalStates, violation } = await searchWorld(world);
  expect(violation).toBeUndefined();
  expect(isComplete).toBe(true);
  expect(finalStates).toBeGreaterThan(0);
});

it('counts the same states in a second search', async () => {
  const world = createPodWorld({ controller: 'endpointslices', pods: 2, replicas: 1, faults: 0 });
  expect(await searchWorld(world)).toStrictEqual(await searchWorld(world));
});

it('ends a search after the given number of states', async () => {
  const world = createPodWorld({ controller: 'endpoints', pods: 2, replicas: 1, faults: 0 });
  expect(await searchWorld(world, { maxStates: 20 })).toMatchObject({ states: 20, isComplete: false });
});

/** Worlds in which each rule of the reduction applies; small enough to be searched without it. */
const reducedWorlds: readonly World[] = [
  createPodWorld({ controller: 'endpointslices', pods: 2, replicas: 2, faults: 0 }),
  createPodWorld({ controller: 'endpoints', pods: 1, replicas: 1, faults: 1 }),
  createPodWorld({ controller: 'endpointslices', pods: 1, replicas: 2, faults: 1 }),
  ...createSpecialWorlds({ controller: 'endpointslices', faults: 0 }),
  ...createSpecialWorlds({ controller: 'endpointslicemirroring', faults: 1 }).filter(({ name }) => name === 'service-recreated'),
];

it.each(reducedWorlds.map((world) => [describeWorld(world), world] as const))(
  'reaches the same final states of %s as a full search',
  async (_, world) => {
    const [reduced, full] = [await collect(world), await collect(world, { isFull: true, comparesInputs: true })];
    expect(reduced.finalStates).toStrictEqual(full.finalStates);
    expect(reduced.result.isComplete).toBe(true);
    expect(reduced.problems).toStrictEqual(full.problems);
  },
);

it.each(reducedWorlds.slice(0, 2).map((world) => [describeWorld(world), world] as const))(
  'leads from states of %s with the same key to states with the same keys',
  async (_, world) => {
    const { states, keys, ...result } = await checkKeys(world);
    expect(result).toStrictEqual({ isComplete: true });
    expect(keys).toBeLessThan(states);
  },
);

it('tries fewer transitions than a full search', async () => {
  const world = createPodWorld({ controller: 'endpointslices', pods: 2, replicas: 2, faults: 0 });
  const [reduced, full] = [await searchWorld(world), await searchWorld(world, { isFull: true, comparesInputs: true })];
  expect(reduced.transitions * 5).toBeLessThan(full.transitions);
});

it('finds the same problems as a full search', async () => {
  const world = createPodWorld({ controller: 'endpoints', pods: 1, replicas: 1, faults: 1 });
  const injectBug = bugs['silent-410']?.injectBug as NonNullable<SearchOptions['injectBug']>;
  const options = { injectBug, comparesInputs: true };
  const [reduced, full] = [await collect(world, options), await collect(world, { ...options, isFull: true })];
  expect(reduced.problems).toStrictEqual(full.problems);
  expect(full.problems).toContainEqual(expect.stringContaining('r1 has not received pods at 2'));
});

/** Searches a world to its end, and returns its distinct final states and problems. */
async function collect(world: World, options: SearchOptions = {}) {
  const finalStates = new Set<string>();
  const problems = new Set<string>();
  const onFinalState = (state: WorldState): void => void finalStates.add(keyOfState(state));
  const result = await searchWorld(world, { ...options, onFinalState, onProblem: (problem) => void problems.add(problem) });
  return { result, finalStates: [...finalStates].sort(), problems: [...problems].sort() };
}

const largestWorld = createPodWorld({ controller: 'endpoints', pods: 3, replicas: 2, faults: 2 });

it('walks through a large world to final states, in the same way with the same seed', async () => {
  const result = await walkWorld(largestWorld, { walks: 5, seed: 1 });
  expect(result).toMatchObject({ finalStates: 5, isComplete: false });
  expect(result.violation).toBeUndefined();
  expect(await walkWorld(largestWorld, { walks: 5, seed: 1 })).toStrictEqual(result);
  expect(await walkWorld(largestWorld, { walks: 5, seed: 6 })).not.toStrictEqual(result);
});

it('finds a bug by walks through a large world', async () => {
  const injectBug = bugs['silent-410']?.injectBug as NonNullable<SearchOptions['injectBug']>;
  const { violation } = await walkWorld(largestWorld, { walks: 500, seed: 1, injectBug });
  expect(violation?.problems).toContainEqual(expect.stringMatching(/has not received pods at/));
  expect(violation?.actions).toContainEqual(expect.stringMatching(/^fault: .* breaks before .* and the server forgets the changes$/));
});

it('ends walks when it should stop', async () => {
  expect(await walkWorld(largestWorld, { walks: 5, seed: 1, shouldStop: () => true })).toMatchObject({ states: 0, isComplete: false });
});

/** Each bug, a world that finds it, the number of faults in the shortest interleaving, and the problem. */
const bugTests: readonly (readonly [bug: string, world: string, faults: number, problem: RegExp])[] = [
  ['no-stale-tracker', 'pod-changes-twice', 0, /the slices of one\/web are not right/],
  ['no-stale-endpoints', 'pod-recreated', 0, /it has already replaced version 1 itself/],
  ['no-stale-mirror', 'custom-endpoints', 0, /its cache of slices is at 1, but it wrote one at 2 itself/],
  ['missed-selector-change', 'selector-added', 0, /the mirrored slices of one\/web are not right/],
  ['missed-tombstone', 'selector-added', 1, /it must be kept: ServiceHasSelector/],
  ['uid-ignored', 'pod-recreated', 1, /the Endpoints of one\/web are not right/],
  ['early-write', 'pod-changes-twice', 0, /its caches of endpoints are not complete/],
  ['lost-requeue', 'pod-changes-twice', 0, /the Endpoints of one\/web are not right/],
  ['lost-dirty', 'pod-changes-twice', 0, /the Endpoints of one\/web are not right/],
  ['no-relist', 'pods-1', 1, /r1 has not received pods at 2/],
  ['silent-410', 'pods-1', 1, /r1 has not received pods at 2/],
];

it('has a world for each bug', () => {
  expect(bugTests.map(([bug]) => bug).sort()).toStrictEqual(Object.keys(bugs).sort());
});

it.each(sampled(bugTests, bugTests.length))('finds the bug %s in the world %s', async (bug, world, faults, problem) => {
  const { code, output } = await run('--bug', bug, '--world', world);
  expect(output).toMatch(problem);
  expect(output.match(/^ {2}fault: /gm) ?? []).toHaveLength(faults);
  expect(code).toBe(1);
});

it('rejects invalid arguments', async () => {
  expect(await run('--bug', 'none-such')).toStrictEqual({
    code: 2,
    output: `error: --bug: "none-such" is not one of ${Object.keys(bugs).join(', ')}\n`,
  });
  expect(await run('--seconds', 'many')).toStrictEqual({ code: 2, output: 'error: --seconds: "many" is not a number\n' });
});

/** Runs the command in a new process, because a bug replaces sources while they are loaded. */
const run = (...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [...sourceConditions, join(import.meta.dirname, 'run.ts'), ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` }),
    );
  });
