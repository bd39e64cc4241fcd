import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** The Kubernetes releases that are compared by default. The library implements the rules of this release only. */
export const proxyReleases: readonly string[] = ['1.36.3'];

const files: readonly string[] = ['main.go', 'view.go', 'rules.go', 'text.go', 'bench.go'];

/** Returns the path of the kube-proxy oracle for a release. Builds it unless the cache has one built from the same sources. */
export async function buildProxy(release: string): Promise<string> {
  const sources: Record<string, string> = {};
  for (const name of files) sources[name] = await readFile(join(import.meta.dirname, 'go', name), 'utf8');
  return buildProgram('proxy', release, sources);
}
