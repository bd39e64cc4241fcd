/**
 * Runs the linter, the type checks and all tests side by side. The tests print as they run; the others print when they have ended.
 * Usage: node test/run.ts [arguments of vitest]
 */
import { spawn } from 'node:child_process';

const commands = [
  { name: 'lint', line: ['biome', 'ci'] },
  { name: 'phrases', line: ['node', 'test/package/phrases.ts'] },
  { name: 'types', line: ['tsc', '--noEmit'] },
  { name: 'types without Node.js', line: ['tsc', '-p', 'tsconfig.browser.json'] },
];

const checks = Promise.all(commands.map(run));
const testsExitCode = await runWithOutput(['vitest', 'run', ...process.argv.slice(2)]);
const failed = (await checks).flatMap((code, i) => (code === 0 ? [] : [commands[i]?.name]));
// Their output stands before that of the tests, and is easily missed.
if (failed.length > 0) process.stdout.write(`\nFailed, see above: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 && testsExitCode === 0 ? 0 : 1;

async function run({ name, line }: (typeof commands)[number]): Promise<number> {
  const { code, output } = await runAndCollect(line);
  process.stdout.write(`${name}: ${code === 0 ? 'no problems' : 'failed'}\n${code === 0 ? '' : output}`);
  return code;
}

/** npm adds node_modules/.bin to the PATH. */
function runWithOutput([command = '', ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    spawn(command, args, { stdio: 'inherit' })
      .on('error', reject)
      .on('close', (code) => resolve(code ?? 1));
  });
}

function runAndCollect([command = '', ...args]: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject).on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
