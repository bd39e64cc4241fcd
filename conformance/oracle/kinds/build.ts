import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** The releases for which the oracle of the built-in kinds is known to build. */
export const kindReleases: readonly string[] = ['1.36.3'];

/** Returns the path of the oracle of the built-in kinds; builds it unless the cache has one made from the same sources. */
export async function buildKinds(version: string): Promise<string> {
  const names = ['main.go', 'strategies.go'];
  const texts = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, 'go', name), 'utf8')));
  return buildProgram('kinds', version, Object.fromEntries(names.map((name, i) => [name, texts[i] as string])));
}
