import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/support/temporary.ts';
import { commands } from '../src/main.ts';
import { run } from './fake-io.ts';

async function complete(...words: readonly string[]) {
  const { code, stdout, stderr } = await run(['__complete', ...words]);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  return { words: lines.slice(0, -1).map((line) => line.split('\t')[0] as string), directive: lines.at(-1) };
}

describe('the completion of a word', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['ex'], ['explain']],
    [
      ['proxy', ''],
      ['render', 'view', 'diff'],
    ],
    [['proxy', 'v'], ['view']],
    [['explain', ''], []],
    [['explain', '--max'], ['--max-endpoints-per-slice']],
    [['explain', '--name'], ['--namespace']],
    [['proxy', 'view', '--nod'], ['--node']],
    [['-n', 'shop', 'up'], ['upgrade']],
    [
      ['-n', 'explain', 'comp'],
      ['compute', 'completion'],
    ],
    [['explain', '--namespace=shop', '--sel'], ['--selector']],
    [['explain', '-o', 'js'], ['json']],
    [['rollout', '-o', 'h'], ['html']],
    [['drain', '-o', 'h'], ['html']],
    [['explain', '--output', 'w'], ['wide']],
    [['explain', '--output=w'], ['--output=wide']],
    [['explain', '--output', '=', 'w'], ['wide']],
    [
      ['explain', '--output', '='],
      ['table', 'wide', 'yaml', 'json', 'mermaid', 'svg', 'html'],
    ],
    [['explain', '-n', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'kubectl'],
    ],
    [['nonsense', 'ex'], ['explain']],
  ])('after %j is %j', async (words, expected) => {
    expect(await complete(...words)).toEqual({ words: expected, directive: ':4' });
  });

  test.each([[['explain', '-f', '']], [['explain', '--filename=a']], [['run', '--kubeconfig', '']], [['webhook', '--rules', '']]])(
    'after %j is a file',
    async (words) => {
      expect(await complete(...words)).toEqual({ words: [], directive: ':0' });
    },
  );

  test('without a word is every command', async () => {
    expect((await complete('')).words).toEqual(commands.map(({ name }) => name));
  });

  test.each(commands.map(({ name }) => [name]))('after the flags of %s has every flag of its help', async (name) => {
    const { stdout } = await run([name, '--help'], { terminalColumns: 400 });
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag as string);
    expect(flags).toContain('--filename');
    const offered = (await complete(name, '--')).words;
    expect(flags.filter((flag) => !offered.includes(flag) && flag !== '--version')).toEqual([]);
  });
});

/** The commands that print what a shell offers after "kubectl-endpoints explain --max" and after "kubectl-endpoints proxy ". */
const shells: Readonly<Record<string, string>> = {
  bash: `
    offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kubectl_endpoints; printf '%s\\n' "\${COMPREPLY[@]}"; }
    offer kubectl-endpoints explain --max
    offer kubectl-endpoints proxy ''`,
  zsh: `
    _describe() { print -l -- "\${(@)\${(P@)2}%%:*}" }
    offer() { words=("$@"); CURRENT=$#; _kubectl_endpoints }
    offer kubectl-endpoints explain --max
    offer kubectl-endpoints proxy ''`,
  fish: `
    complete -C 'kubectl-endpoints explain --max' | string replace -r '\\t.*' ''
    complete -C 'kubectl-endpoints proxy ' | string replace -r '\\t.*' ''`,
};

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

describe('the completion script', () => {
  const folder = makeFolder();
  beforeAll(() => {
    const program = fileURLToPath(new URL('../src/bin.ts', import.meta.url));
    const path = join(folder, 'kubectl-endpoints');
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' -C kube-endpoints-source --no-warnings '${program}' "$@"\n`);
    chmodSync(path, 0o755);
  });
  const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder };

  test.each(
    Object.keys(shells)
      .filter(isInstalled)
      .map((shell) => [shell]),
  )('for %s offers flags and subcommands', async (shell) => {
    const file = join(folder, `script.${shell}`);
    const prelude = shell === 'zsh' ? 'autoload -U compinit && compinit -D\n' : '';
    writeFileSync(file, `${prelude}${(await run(['completion', shell])).stdout}\n${shells[shell]}\n`);
    const { stdout, stderr } = spawnSync(shell, [file], { encoding: 'utf8', env });
    expect(stderr).toBe('');
    const words = stdout.trim().split('\n');
    expect([words[0], words.slice(1).toSorted()]).toEqual(['--max-endpoints-per-slice', ['diff', 'render', 'view']]);
  });

  test('for kubectl prints the completions of the plugin', async () => {
    const file = join(folder, 'kubectl_complete-endpoints');
    writeFileSync(file, (await run(['completion', 'kubectl'])).stdout);
    chmodSync(file, 0o755);
    const { stdout } = spawnSync(file, ['proxy', 'v'], { encoding: 'utf8', env });
    expect(stdout).toMatch(/^view\t.*\n:4\n$/);
  });
});
