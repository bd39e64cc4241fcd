import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { root } from './repository.ts';

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
}

/** Runs a Node.js program with the Node.js that runs the tests, without colours. */
export const runNode = (args: readonly string[], options: RunOptions = {}): Run => spawn(process.execPath, args, options);

/** Runs a line of shell under the same Node.js. */
export const runShell = (line: string, options: RunOptions = {}): Run => spawn('sh', ['-c', line], options);

/** Runs npm without network access: the npm that runs the tests, or else the installed npm. */
export function runNpm(args: readonly string[], options: RunOptions = {}): Run {
  const offlineArgs = [...args, '--offline', '--no-update-notifier'];
  const npm = process.env['npm_execpath'];
  return npm ? runNode([npm, ...offlineArgs], options) : spawn('npm', offlineArgs, options);
}

function spawn(command: string, args: readonly string[], { cwd = root, input = '' }: RunOptions): Run {
  const { FORCE_COLOR: _, ...inheritedEnv } = process.env;
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const env = { ...inheritedEnv, PATH, NO_COLOR: '1', LC_ALL: 'C.UTF-8' };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, input, env, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  if (error) throw error;
  return { status, stdout, stderr };
}
