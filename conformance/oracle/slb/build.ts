import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram, minorOf } from '../build.ts';
import { featureGatesFile } from '../feature-gates.ts';
import { copiedFiles, generateFiles } from './wire.ts';

/** Returns the path of a release's load-balancer oracle. Builds it unless the cache has a build of the same sources. */
export async function buildSlb(version: string): Promise<string> {
  const files: Record<string, string> = { ...generateFiles(version), ...featureGatesFile(minorOf(version)) };
  for (const name of copiedFiles) files[name] = await readFile(join(import.meta.dirname, 'go', name), 'utf8');
  return buildProgram('slb', version, files);
}
