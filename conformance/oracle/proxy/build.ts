import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildProgram, minorOf } from '../build.ts';
import { featureGatesFile } from '../feature-gates.ts';
import { adaptFile, copiedFiles, generateFiles } from './wire.ts';

/** The Kubernetes releases that are compared by default. */
export const proxyReleases: readonly string[] = [
  '1.17.17',
  '1.18.20',
  '1.19.16',
  '1.20.15',
  '1.21.14',
  '1.22.17',
  '1.23.17',
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
  if (minorOf(release) < firstWithSloppyParser) Object.assign(sources, await createSloppyParser());
  for (const name of copiedFiles(release))
    sources[name] = adaptFile(await readFile(join(import.meta.dirname, 'go', name), 'utf8'), release);
  return buildProgram('proxy', release, sources);
}

/** Before 1.23, kube-proxy reads addresses with the parser of its Go, 1.16 or older, which accepts octets with leading zeros. */
export const firstWithSloppyParser = 23;

/** Files that make the program's own Go accept such octets as well. */
async function createSloppyParser(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)('go', ['env', 'GOROOT']);
  const path = join(stdout.trim(), 'src/net/netip/netip.go');
  const source = await readFile(path, 'utf8');
  const sloppy = source.replace('if digLen == 1 && val == 0 {', 'if false {');
  if (sloppy === source) throw new Error(`${path}: cannot find the check for leading zeros: adapt createSloppyParser`);
  return { 'netip.txt': sloppy, 'overlay.json': JSON.stringify({ Replace: { [path]: 'netip.txt' } }) };
}
