import { parseArgs } from 'node:util';
import { findFreePort } from '../../test/support/free-port.ts';
import { createRandom, type Random } from '../model/random.ts';
import { attempt, measure, type Phase, type StopSignal } from './attempt.ts';
import { type TestedCommand, testedCommands } from './commands.ts';

/**
 * Sends SIGTERM and SIGINT to every command of the built command line, or only to the command `--only NAME` (repeatable), at `--times N`
 * moments, drawn from `--seed S`. Checks that the command ends with 0 or the code of the signal and leaves nothing behind.
 * Prints "N passed, N failed"; exits with 1 if any attempt failed.
 */
const { values } = parseArgs({
  options: { times: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' }, only: { type: 'string', multiple: true } },
});
const [times, seed] = [values.times, values.seed].map((text) => {
  if (!/^\d+$/.test(text)) throw new RangeError(`${JSON.stringify(text)} is not an integer`);
  return Number(text);
}) as [number, number];

const signals: readonly StopSignal[] = ['SIGTERM', 'SIGINT'];
const phases: readonly Phase[] = ['startup', 'line', 'work', 'shutdown'];
const total = { passed: 0, failed: 0 };
console.log(`${'COMMAND'.padEnd(20)}${'SIGNAL'.padEnd(10)}${'PHASE'.padEnd(10)}ENDS`);
for (const [index, command] of testedCommands.entries()) {
  if (values.only && !values.only.includes(command.name)) continue;
  await testCommand(command, createRandom(seed * 1000 + index));
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function testCommand(command: TestedCommand, random: Random): Promise<void> {
  const { milliseconds, undisturbedExitCode } = await measure(command, await findFreePort());
  for (const signal of signals) {
    for (const phase of command.serves ? phases : (['startup'] as const)) {
      const ends = new Map<string, number>();
      const problems: string[] = [];
      for (let count = 0; count < times; count++) {
        // In milliseconds: from the start, from the first line (phase work), or from a first signal (phase shutdown).
        const delay = random.below(phase === 'startup' ? Math.ceil(milliseconds * 1.2) : phase === 'work' ? 500 : 100);
        const { end, problem } = await attempt({ command, signal, phase, delay, undisturbedExitCode, port: await findFreePort() });
        ends.set(end, (ends.get(end) ?? 0) + 1);
        total[problem === undefined ? 'passed' : 'failed'] += 1;
        if (problem !== undefined) problems.push(`after ${delay} ms: ${problem}`);
      }
      const counts = [...ends].map(([end, count]) => `${end} ${count}x`).join(', ');
      console.log(`${command.name.padEnd(20)}${signal.padEnd(10)}${(command.serves ? phase : 'any').padEnd(10)}${counts}`);
      for (const problem of problems) console.log(`  FAILED ${problem}`);
    }
  }
}
