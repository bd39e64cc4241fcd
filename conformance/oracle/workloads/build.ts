import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildProgram, minorOf } from '../build.ts';
import { featureGatesFile } from '../feature-gates.ts';

/** Returns the path of the oracle of workload controllers. Builds it unless the cache has one built from the same sources. */
export async function buildWorkloads(release: string): Promise<string> {
  const folder = join(import.meta.dirname, 'go');
  const files: Record<string, string> = { ...featureGatesFile(minorOf(release)), ...(await removeChance()) };
  for (const name of await readdir(folder)) files[name] = await readFile(join(folder, name), 'utf8');
  return buildProgram('workloads', release, files);
}

/** Changes of Go's own packages that leave nothing to chance. */
const changes = [
  { path: 'src/internal/runtime/maps/table.go', from: 'it.entryOffset = rand()', to: 'it.entryOffset = 0' },
  // The order of equal items of a longer list depends on that of the list, which informers choose at random.
  { path: 'src/sort/zsortinterface.go', from: 'const maxInsertion = 12', to: 'const maxInsertion = 64' },
  { path: 'src/sort/zsortfunc.go', from: 'const maxInsertion = 12', to: 'const maxInsertion = 64' },
];

/**
 * Files that make Go iterate over maps of up to eight entries in the order of their insertion, instead of a random one, and sort lists of up to 64
 * items by insertion, instead of up to 12.
 */
async function removeChance(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)('go', ['env', 'GOROOT']);
  const files: Record<string, string> = {};
  const replaced: Record<string, string> = {};
  for (const [i, { path, from, to }] of changes.entries()) {
    const fullPath = join(stdout.trim(), path);
    const source = await readFile(fullPath, 'utf8');
    if (!source.includes(from)) throw new Error(`${fullPath}: cannot find "${from}": adapt the changes of Go`);
    files[`go-${i}.txt`] = source.replace(from, to);
    replaced[fullPath] = `go-${i}.txt`;
  }
  return { ...files, 'overlay.json': JSON.stringify({ Replace: replaced }) };
}
