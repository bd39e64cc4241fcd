import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counts } from '../parts.ts';
import type { Target } from '../target/target.ts';
import type { Chapter, Command } from './command.ts';
import { normaliseOutput } from './plain.ts';
import { reading } from './reading.ts';
import { resources } from './resources.ts';
import { type Printed, runCommand } from './run-command.ts';
import { writing } from './writing.ts';

const chapters: readonly Chapter[] = [writing, reading, resources];

/** Why kubectl cannot run on this machine; undefined if it can. */
export function whyNoKubectl(): string | undefined {
  return spawnSync('kubectl', ['version', '--client']).status === 0 ? undefined : 'kubectl is not installed';
}

/** Runs every command against our server and checks the output; if there is a real server, its output must be equal. */
export async function runKubectl(ours: Target, real?: Target): Promise<Counts> {
  const homes = mkdtempSync(join(tmpdir(), 'kube-endpoints-kubectl-'));
  const counts = { passed: 0, failed: 0 };
  try {
    for (const { name, commands } of chapters) {
      const before = { ...counts };
      for (const command of commands) {
        const [printed, reference] = await Promise.all(
          [ours, real].map((target) => (target === undefined ? undefined : runCommand(target, join(homes, target.name), command))),
        );
        const problems = printed === undefined ? [] : problemsOf(command, printed, ours, reference, real);
        counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
        if (problems.length > 0) console.log(`FAILED ${name}: kubectl ${command.line}\n${problems.join('\n')}`);
      }
      console.log(`${name}: ${commands.length} commands, ${counts.failed - before.failed} failed`);
    }
  } finally {
    rmSync(homes, { recursive: true, force: true });
  }
  return counts;
}

function problemsOf(command: Command, printed: Printed, ours: Target, reference?: Printed, real?: Target): string[] {
  const [text, expected] = [normaliseOutput(printed.text, ours.url), normaliseOutput(reference?.text ?? '', real?.url ?? '')];
  const code = command.code ?? 0;
  const missing = command.shows.filter((shown) => !has(printed.text, shown));
  const problems = [
    ...(printed.code === code ? [] : [`  exit code ${printed.code}, expected ${code}`]),
    ...missing.map((shown) => `  does not show ${shown}`),
    ...(command.lacks ?? []).filter((lacked) => printed.text.includes(lacked)).map((lacked) => `  shows ${lacked}`),
  ];
  if (problems.length > 0)
    return [...problems, `  printed\n${indented(printed.text)}`, ...(reference ? [`  real\n${indented(reference.text)}`] : [])];
  if (reference === undefined || command.differs !== undefined || text === expected) return [];
  return ['  prints something else than with the real server', ...lineDifferences(expected, text)];
}

function has(text: string, shown: string | RegExp): boolean {
  return typeof shown === 'string' ? text.includes(shown) : shown.test(text);
}

/** The lines that are in only one of two texts. */
function lineDifferences(real: string, ours: string): string[] {
  const [realLines, ourLines] = [real.split('\n'), ours.split('\n')];
  const only = (lines: readonly string[], other: readonly string[]): string[] => lines.filter((line) => !other.includes(line));
  const found = [
    ...only(realLines, ourLines).map((line) => `  real ${line}`),
    ...only(ourLines, realLines).map((line) => `  ours ${line}`),
  ];
  return found.length > 0 ? found.slice(0, 30) : ['  in the order of its lines'];
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ').slice(0, 3000);
}
