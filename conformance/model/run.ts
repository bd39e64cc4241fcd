import { parseArgs } from 'node:util';
import { createInProcessFactory } from './in-process.ts';
import { runScenario } from './scenario.ts';

/*
 * Runs the model against the in-process server: `--seeds N` times, from `--seed S` on. Prints "N passed, M failed" and exits with 1 if any
 * failed. With `--journal`, the server saves its writes in a journal that is slow and sometimes fails. With `--memory`, instead makes
 * `--updates N` updates (a million by default) and fails if the heap grows.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    journal: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    updates: { type: 'string', default: '1000000' },
  },
});

const [firstSeed, seedCount, updateCount] = [values.seed, values.seeds, values.updates].map((text) => {
  if (!/^\d+$/.test(text)) throw new RangeError(`${JSON.stringify(text)} is not a number`);
  return Number(text);
}) as [number, number, number];

if (values.memory) {
  const { measure } = await import('./memory.ts');
  process.exitCode = (await measure(updateCount, console.log)) ? 0 : 1;
} else {
  let failedCount = 0;
  const totals = { writes: 0, watches: 0, events: 0 };
  for (let seed = firstSeed; seed < firstSeed + seedCount; seed++) {
    const { problems, ...counts } = await runScenario(createInProcessFactory({ isJournaled: values.journal }), seed);
    for (const name of ['writes', 'watches', 'events'] as const) totals[name] += counts[name];
    if (problems.length === 0) continue;
    failedCount += 1;
    console.log(`seed ${seed}:`);
    for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
  }
  console.log(`${totals.writes} writes, ${totals.watches} watches, ${totals.events} events`);
  console.log(`${seedCount - failedCount} passed, ${failedCount} failed`);
  process.exitCode = failedCount === 0 ? 0 : 1;
}
