import { parseArgs } from 'node:util';
import { bugs } from '../bugs.ts';
import { checkBug, parseNumber, parseOrExit } from '../harness/arguments.ts';
import { guardRealTime } from '../harness/guard.ts';
import { replaceSources } from '../harness/hooks.ts';
import type { Violation } from './search.ts';
import type { World } from './world.ts';

/**
 * Searches all interleavings of small worlds. `--small` searches only worlds that take less than a minute together, `--bug NAME` injects a
 * bug and ends with the first world that finds it, `--world NAME` selects worlds by the beginning of their name, `--seconds N` limits
 * the search of each world, 600 by default, and `--full` tries all actions in every state, and compares states by the inputs of their processes.
 * `--walks N` goes through each world N times at random instead, with the seeds from `--seed`; `--check-keys` checks instead that states
 * that a search holds equal are. Sets the exit code to 1 if a world has a problem, and to 2 for invalid arguments.
 */
const options = parseOrExit(parseWorldArguments);
// Short stack traces save time: most errors are only created to be sent as responses.
Error.stackTraceLimit = 3;
const bug = options.bug === undefined ? undefined : bugs[options.bug];
const checkAllReplaced = replaceSources(bug?.sources ?? []);
const { searchWorld } = await import('./search.ts');
const { walkWorld } = await import('./walk.ts');
const { checkKeys } = await import('./check-keys.ts');
const { createLargeWorlds, createSmallWorlds } = await import('./sizes.ts');
checkAllReplaced();

const counts = { passed: 0, failed: 0 };
const worlds = (options.small || (bug && options.walks === 0) ? createSmallWorlds() : createLargeWorlds()).filter(({ name }) =>
  name.startsWith(options.world),
);
const columns = [
  'world',
  'controller',
  'processes',
  'faults',
  'states',
  'transitions',
  'pruned',
  'histories',
  'recovery',
  'seconds',
  'result',
];
const keyColumns = ['world', 'controller', 'processes', 'faults', 'states', 'keys', 'seconds', 'result'];
console.log(formatRow(options.checkKeys ? keyColumns : columns));
for (const world of worlds) {
  const violation = options.checkKeys ? await checkWorld(world) : await search(world);
  if (!violation) continue;
  printViolation(world, violation);
  if (bug) break;
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function search(world: World): Promise<Violation | undefined> {
  const { shouldStop, seconds } = startTimer();
  const common = { shouldStop, ...(bug?.injectBug && { injectBug: bug.injectBug }) };
  const { walks, seed, full: isFull } = options;
  const result = await guardRealTime(() =>
    walks > 0
      ? walkWorld(world, { ...common, walks, seed })
      : searchWorld(world, { ...common, isFull, comparesInputs: isFull || bug !== undefined }),
  );
  const { states, transitions, pruned, behavior, recoveryMs, isComplete, violation } = result;
  const recovery = recoveryMs === undefined ? '' : `${(recoveryMs / 1000).toFixed(1)} s`;
  const outcome = violation ? 'has a problem' : isComplete ? 'no problem' : walks > 0 ? 'no problem sampled' : 'no problem so far';
  console.log(formatRow([...describeWorld(world), states, transitions, pruned, behavior.nodes, recovery, seconds(), outcome]));
  counts[violation ? 'failed' : 'passed'] += 1;
  return violation;
}

async function checkWorld(world: World): Promise<Violation | undefined> {
  const { shouldStop, seconds } = startTimer();
  const { states, keys, isComplete, difference } = await guardRealTime(() => checkKeys(world, shouldStop));
  const outcome = difference ? 'has a difference' : isComplete ? 'no difference' : 'no difference so far';
  console.log(formatRow([...describeWorld(world), states, keys, seconds(), outcome]));
  counts[difference ? 'failed' : 'passed'] += 1;
  if (!difference) return undefined;
  const [actions, others] = difference;
  return { actions: [...actions, 'or', ...others], problems: ['states with the same key do not lead to states with the same keys'] };
}

function describeWorld({ name, controller, replicaCount, maxFaults }: World): (string | number)[] {
  return [name, controller ?? 'all', replicaCount, maxFaults];
}

function startTimer(): { readonly shouldStop: () => boolean; readonly seconds: () => string } {
  const startMs = performance.now();
  return {
    shouldStop: () => performance.now() - startMs > options.seconds * 1000,
    seconds: () => ((performance.now() - startMs) / 1000).toFixed(1),
  };
}

function printViolation({ name }: World, { actions, problems }: Violation): void {
  console.log(`\ninterleaving of ${name} with a problem:`);
  for (const action of actions) console.log(`  ${action}`);
  for (const problem of problems) console.log(`problem: ${problem.slice(0, 1000)}`);
}

function formatRow(cells: readonly unknown[]): string {
  const widths = [18, 23, 9, 6, 9, 11, 9, 9, 8, 8];
  return cells
    .map((cell, column) => (column < 2 ? String(cell).padEnd(widths[column] ?? 0) : String(cell).padStart(widths[column] ?? 0)))
    .join(' ');
}

interface WorldArguments {
  readonly small: boolean;
  readonly bug: string | undefined;
  readonly world: string;
  readonly seconds: number;
  readonly full: boolean;
  readonly walks: number;
  readonly seed: number;
  readonly checkKeys: boolean;
}

function parseWorldArguments(): WorldArguments {
  const { values } = parseArgs({
    options: {
      small: { type: 'boolean', default: false },
      bug: { type: 'string' },
      world: { type: 'string', default: '' },
      seconds: { type: 'string', default: '600' },
      full: { type: 'boolean', default: false },
      walks: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      'check-keys': { type: 'boolean', default: false },
    },
  });
  const { small, bug, world, full } = values;
  checkBug(bug, Object.keys(bugs));
  const [seconds = 0, walks = 0, seed = 0] = (['seconds', 'walks', 'seed'] as const).map((flag) => parseNumber(flag, values[flag]));
  return { small, bug, world, full, seconds, walks, seed, checkKeys: values['check-keys'] };
}
