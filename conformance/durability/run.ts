import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../test/support/free-port.ts';
import { measureCost } from './cost.ts';
import { checkFullDisk } from './full-disk.ts';
import { checkGrowth } from './growth.ts';
import { runKills } from './kills.ts';

/**
 * Checks that `kubectl-endpoints apiserver --data` loses no acknowledged write: kills it with SIGKILL `--kills N` times at random moments, drawn
 * from `--seed S`, while clients write; fills its disk; and updates one object `--updates N` times, by which the folder must not grow.
 * Prints "N passed, N failed"; exits with 1 if any check failed. With `--cost N`, instead measures N writes with and without `--data`.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    updates: { type: 'string', default: '50000' },
    cost: { type: 'string' },
  },
});
const toInteger = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new RangeError(`${JSON.stringify(text)} is not an integer`);
  return Number(text);
};

const folder = mkdtempSync(join(tmpdir(), 'durability-'));
try {
  if (values.cost === undefined) await runChecks(toInteger(values.kills), toInteger(values.seed), toInteger(values.updates));
  else console.log(await measureCost(folder, await findFreePort(), toInteger(values.cost)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runChecks(kills: number, seed: number, updates: number): Promise<void> {
  const total = { passed: 0, failed: 0, writes: 0 };
  const report = (name: string, problems: readonly string[]): void => {
    total[problems.length === 0 ? 'passed' : 'failed'] += 1;
    for (const problem of problems.slice(0, 10)) console.log(`${name}: ${problem}`);
  };
  await runKills({
    folder,
    port: await findFreePort(),
    kills,
    seed,
    onKill({ number, writes, problems }) {
      total.writes += writes;
      report(`kill ${number}`, problems);
      if (number % 50 === 0) console.log(`${number} kills, ${total.writes} acknowledged writes, ${total.failed} failed`);
    },
  });
  console.log(`${kills} kills, ${total.writes} acknowledged writes`);
  const diskProblems = await checkFullDisk(join(folder, 'disk'), await findFreePort());
  if (diskProblems) report('full disk', diskProblems);
  else console.log('full disk: skipped, because this user cannot mount a file system');
  report('growth', await checkGrowth(join(folder, 'growth'), updates, console.log));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
