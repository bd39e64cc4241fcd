import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram, minorOf } from '../build.ts';
import { featureGatesFile } from '../feature-gates.ts';

/** Returns the path of the oracle of the scheduler. Builds it unless the cache has one built from the same sources. */
export async function buildScheduler(release: string): Promise<string> {
  const folder = join(import.meta.dirname, 'go');
  const files: Record<string, string> = { ...featureGatesFile(minorOf(release)) };
  for (const name of await readdir(folder)) files[name] = await readFile(join(folder, name), 'utf8');
  return buildProgram('scheduler', release, files);
}
