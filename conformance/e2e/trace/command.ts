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

/** Runs the command `trace` for a target in a dump, once per output format: JSON, page and picture. */
export function traceByCommand(target: string, dump: string): RenderedTrace {
  const runCommand = (output: string): string => {
    const args = [join('packages', 'cli', 'src', 'bin.ts'), 'trace', target, '-f', dump, '-o', output];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0 && status !== 1) throw new Error(`trace ${target} -o ${output} ended with ${status}: ${stderr}`);
    return stdout;
  };
  return { trace: JSON.parse(runCommand('json')) as Trace, page: runCommand('html'), picture: runCommand('svg') };
}
