import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { renderPage, renderSvg } from 'kube-endpoints/trace';
import type { Trace } from '../../../src/trace/trace.ts';

/** A trace, its page and its picture. */
export interface RenderedTrace {
  readonly trace: Trace;
  readonly page: string;
  readonly picture: string;
}

const root = join(import.meta.dirname, '..', '..', '..');

export function render(trace: Trace): RenderedTrace {
  return { trace, page: renderPage(trace), picture: renderSvg(trace) };
}

/** Runs a command of `kubectl-endpoints` in the root of the repository. @throws Error if it ends with another exit code than 0 or 1 */
export function runCommand(...args: readonly string[]): string {
  const program = join('packages', 'cli', 'src', 'bin.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-C', 'kube-endpoints-source', program, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Runs the command `trace` for a target in a dump, once per output format: JSON, page and picture. */
export function traceByCommand(target: string, dump: string): RenderedTrace {
  const traceAs = (output: string): string => runCommand('trace', target, '-f', dump, '-o', output);
  return { trace: JSON.parse(traceAs('json')) as Trace, page: traceAs('html'), picture: traceAs('svg') };
}
