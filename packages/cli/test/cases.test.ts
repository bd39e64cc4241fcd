import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Outcome, run } from './fake-io.ts';

/** A broken cluster, or a healthy one, and what the command says about it. */
interface Case {
  readonly name: string;
  readonly text: string;
  readonly command: string;
  /** The code of the first cause; "none" for a healthy Service. */
  readonly cause: string;
  /** Texts of the first three lines. */
  readonly says: readonly string[];
  /** Text of the fix. */
  readonly fix: string | undefined;
  readonly release: string | undefined;
  /** False if the file is the whole input. */
  readonly usesBase: boolean;
}

const folder = new URL('cases/', import.meta.url);
const base = readFileSync(new URL('base.yaml', folder), 'utf8');
const cases = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml') && file !== 'base.yaml')
  .sort()
  .map((file) => parseCase(file.replace('.yaml', ''), readFileSync(new URL(file, folder), 'utf8')));

/** Reads the comments at the start of a file: "# KEY: VALUE". */
function parseCase(name: string, text: string): Case {
  const header = text.split('\n').slice(
    0,
    text.split('\n').findIndex((line) => !line.startsWith('#')),
  );
  const valuesOf = (key: string): string[] =>
    header.flatMap((line) => (line.startsWith(`# ${key}: `) ? line.slice(`# ${key}: `.length) : []));
  const [command = '', ...otherCommands] = valuesOf('command');
  const [cause = '', ...otherCauses] = valuesOf('cause');
  if (command === '' || cause === '' || otherCommands.length + otherCauses.length > 0)
    throw new Error(`${name}: give one command and one cause`);
  const [fix] = valuesOf('fix');
  const [release] = valuesOf('release');
  return { name, text, command, cause, says: valuesOf('says'), fix, release, usesBase: !valuesOf('base').includes('none') };
}

function runCase({ text, command, release, usesBase }: Case): Promise<Outcome> {
  const files = { 'case.yaml': text, ...(usesBase && { 'base.yaml': base }) };
  const inputs = Object.keys(files).flatMap((path) => ['-f', path]);
  return run([...command.split(' '), ...inputs, ...(release === undefined ? [] : ['--release', release]), '--no-color'], {
    files,
    terminalColumns,
  });
}

const terminalColumns = 80;

const join = (lines: readonly string[]): string => lines.map((line) => line.trim()).join(' ');

const broken = cases.filter(({ cause }) => cause !== 'none');
const healthy = cases.filter(({ cause }) => cause === 'none');

describe('the first lines of a command name the cause', () => {
  test.each(broken)('of $name: $cause', async (each) => {
    const { code, stdout } = await runCase(each);
    const lines = stdout.split('\n');
    const start = join(lines.slice(0, 3));
    expect(start, stdout).toContain(`${each.cause}:`);
    for (const text of each.says) expect(start, stdout).toContain(text);
    if (each.fix !== undefined) expect(join(lines), stdout).toContain(each.fix);
    expect(code).toBe(1);
    for (const line of lines.filter((text) => !/^ +kubectl /.test(text))) expect(line.length, line).toBeLessThanOrEqual(terminalColumns);
  });
});

describe('no cause is reported', () => {
  test.each(healthy)('for $name', async (each) => {
    const { code, stdout } = await runCase(each);
    expect(stdout).not.toContain('Cause:');
    expect({ code, stdout }).toStrictEqual({ code: 0, stdout });
    expect(stdout).not.toBe('');
  });
});
