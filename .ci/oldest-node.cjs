// Loads the built package by require() and by import, and runs its command, on whatever Node.js runs this file.
const { execFileSync } = require('node:child_process');
const { deepStrictEqual, strictEqual } = require('node:assert');
const { join } = require('node:path');

const root = join(__dirname, '..');
const manifest = require('../package.json');
const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json');

async function main() {
  for (const entry of entries) {
    const name = join(manifest.name, entry).replaceAll('\\', '/');
    deepStrictEqual(Object.keys(require(name)).sort(), Object.keys(await import(name)).sort(), name);
  }
  const bin = join(root, manifest.bin['kube-endpoints']);
  const output = execFileSync(process.execPath, [bin, 'diff', '-A', '-f', 'examples/cluster', '--release', '1.36.3'], {
    cwd: root,
    encoding: 'utf8',
  });
  strictEqual(output.includes('62 equal, 5 unmanaged'), true, output);
  console.log(`${process.version}: ${entries.length} entries by require() and by import, and the command`);
  console.log(`${entries.length + 1} passed, 0 failed`);
}

main().catch((error) => {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
});
