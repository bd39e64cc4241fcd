// Checks that the command refuses the Node.js that runs this file, which is too old, in one sentence.
const { spawnSync } = require('node:child_process');
const { deepStrictEqual } = require('node:assert');
const { join } = require('node:path');

const bin = join(__dirname, '..', 'packages/cli/dist/bin.js');
const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--version'], { encoding: 'utf8' });
try {
  deepStrictEqual(
    { status, stdout, stderr },
    {
      status: 2,
      stdout: '',
      stderr: `error: kubectl-endpoints needs Node.js 22.12 or newer, and this is ${process.versions.node}\n`,
    },
  );
  console.log('1 passed, 0 failed');
} catch (error) {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
