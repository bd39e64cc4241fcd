import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram, minorOf } from '../build.ts';
import { featureGatesFile } from '../feature-gates.ts';
import { adaptFile, copiedFiles, generateFiles } from './wire.ts';

/** The Kubernetes releases that are compared by default. */
export const proxyReleases: readonly string[] = [
  '1.24.17',
  '1.25.4',
  '1.26.15',
  '1.27.16',
  '1.28.15',
  '1.29.15',
  '1.30.14',
  '1.31.14',
  '1.32.2',
  '1.33.1',
  '1.34.4',
  '1.35.4',
  '1.36.3',
  '1.37.1',
];

/** Returns the path of the kube-proxy oracle for a release. Builds it unless the cache has one built from the same sources. */
export async function buildProxy(release: string): Promise<string> {
  const sources: Record<string, string> = { ...generateFiles(release), ...featureGatesFile(minorOf(release)) };
  for (const name of copiedFiles(release))
    sources[name] = adaptFile(await readFile(join(import.meta.dirname, 'go', name), 'utf8'), release);
  return buildProgram('proxy', release, sources);
}
