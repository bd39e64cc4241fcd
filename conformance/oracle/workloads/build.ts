import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildProgram, minorOf } from '../build.ts';
import { featureGatesFile } from '../feature-gates.ts';

/** Returns the path of the oracle of workload controllers. Builds it unless the cache has one built from the same sources. */
export async function buildWorkloads(release: string): Promise<string> {
  const folder = join(import.meta.dirname, 'go');
  const files: Record<string, string> = { ...featureGatesFile(minorOf(release)), ...(await orderMaps()) };
  for (const name of await readdir(folder)) files[name] = await readFile(join(folder, name), 'utf8');
  return buildProgram('workloads', release, files);
}

/** Files that make Go iterate over maps of up to eight entries in the order of their insertion, instead of a random one. */
async function orderMaps(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)('go', ['env', 'GOROOT']);
  const path = join(stdout.trim(), 'src/internal/runtime/maps/table.go');
  const source = await readFile(path, 'utf8');
  const ordered = source.replace('it.entryOffset = rand()', 'it.entryOffset = 0');
  if (ordered === source) throw new Error(`${path}: cannot find the random offset of iterators: adapt orderMaps`);
  return { 'maps.txt': ordered, 'overlay.json': JSON.stringify({ Replace: { [path]: 'maps.txt' } }) };
}
