import type { LifecycleHandler } from './pod.ts';

/**
 * The seconds for which a hook sleeps: by its action `sleep`, or by a command that does nothing else, such as `sleep 15` or `sh -c "sleep 15"`.
 * Undefined if it does something else.
 */
export function sleepSecondsOf({ exec, sleep }: LifecycleHandler): number | undefined {
  if (!exec) return sleep ? (sleep.seconds ?? 0) : undefined;
  const command = exec.command ?? [];
  const [shell = '', option, script = ''] = command;
  const isScript = command.length === 3 && /^(\/(usr\/)?bin\/)?(ba|da|a)?sh$/.test(shell) && option === '-c';
  const [, seconds] =
    /^(?:\/(?:usr\/)?bin\/)?sleep (\d+(?:\.\d+)?)s?$/.exec(isScript ? script.trim().replace(/ +/g, ' ') : command.join(' ')) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
