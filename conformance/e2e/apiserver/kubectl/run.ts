import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counts } from '../suites.ts';
import type { Target } from '../target/target.ts';
import type { Command, CommandGroup } from './command.ts';
import { normaliseOutput } from './normalise-output.ts';
import { reading } from './reading.ts';
import { resources } from './resources.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { writing } from './writing.ts';

const commandGroups: readonly CommandGroup[] = [writing, reading, resources];

/** Returns the reason why kubectl cannot run on this machine; undefined if it can. */
export function kubectlProblem(): string | undefined {
  return spawnSync('kubectl', ['version', '--client']).status === 0 ? undefined : 'kubectl is not installed';
}

/** Runs every command against our server and checks the output. The output of a real server must be equal, except for known differences. */
export async function runKubectl(ours: Target, real?: Target, groups: readonly CommandGroup[] = commandGroups): Promise<Counts> {
  const homes = mkdtempSync(join(tmpdir(), 'kube-endpoints-kubectl-'));
  const counts = { passed: 0, failed: 0 };
  try {
    for (const { name, commands } of groups) {
      const countsBefore = { ...counts };
      for (const command of commands) {
        const [result, reference] = await Promise.all(
          [ours, real].map((target) => (target === undefined ? undefined : runCommand(target, join(homes, target.name), command))),
        );
        const problems = result === undefined ? [] : findProblems(command, result, ours, reference, real);
        counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
        if (problems.length > 0) console.log(`FAILED ${name}: kubectl ${command.line}\n${problems.join('\n')}`);
      }
      console.log(`${name}: ${commands.length} commands, ${counts.failed - countsBefore.failed} failed`);
    }
  } finally {
    rmSync(homes, { recursive: true, force: true });
  }
  return counts;
}

function findProblems(command: Command, result: CommandResult, ours: Target, reference?: CommandResult, real?: Target): string[] {
  const [text, expected] = [normaliseOutput(result.text, ours.url), normaliseOutput(reference?.text ?? '', real?.url ?? '')];
  const code = command.code ?? 0;
  const missingTexts = command.shows.filter((shown) => !matches(result.text, shown));
  const problems = [
    ...(result.code === code ? [] : [`  exit code ${result.code}, expected ${code}`]),
    ...missingTexts.map((shown) => `  does not show ${shown}`),
    ...(command.lacks ?? []).filter((lacked) => result.text.includes(lacked)).map((lacked) => `  shows ${lacked}`),
  ];
  if (problems.length > 0)
    return [...problems, `  printed\n${indent(result.text)}`, ...(reference ? [`  real\n${indent(reference.text)}`] : [])];
  if (reference === undefined || command.knownDifference !== undefined || text === expected) return [];
  return ['  the output differs from that with the real server', ...findLineDifferences(expected, text)];
}

function matches(text: string, shown: string | RegExp): boolean {
  return typeof shown === 'string' ? text.includes(shown) : shown.test(text);
}

/** Returns the lines that are in only one of two texts. */
function findLineDifferences(real: string, ours: string): string[] {
  const [realLines, ourLines] = [real.split('\n'), ours.split('\n')];
  const linesMissingFrom = (other: readonly string[], lines: readonly string[]): string[] => lines.filter((line) => !other.includes(line));
  const differences = [
    ...linesMissingFrom(ourLines, realLines).map((line) => `  real ${line}`),
    ...linesMissingFrom(realLines, ourLines).map((line) => `  ours ${line}`),
  ];
  return differences.length > 0 ? differences.slice(0, 30) : ['  only the order of the lines differs'];
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ').slice(0, 3000);
}
