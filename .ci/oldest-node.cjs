// Loads every entry of the built packages by require() and by import, and runs the command, on the Node.js that runs this file.
const { execFileSync } = require('node:child_process');
const { deepStrictEqual, strictEqual } = require('node:assert');
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const folders = [root, ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))];
const entries = folders.flatMap((folder) => {
  const { name, exports } = require(join(folder, 'package.json'));
  return Object.keys(exports).flatMap((entry) => (entry === './package.json' ? [] : [name + entry.slice(1)]));
});

async function main() {
  for (const name of entries) deepStrictEqual(Object.keys(require(name)).sort(), Object.keys(await import(name)).sort(), name);
  const bin = join(root, 'packages/cli/dist/bin.js');
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
