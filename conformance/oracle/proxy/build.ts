import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** The releases of Kubernetes that are compared where none is named: the one that the rules are of. */
export const proxyReleases: readonly string[] = ['1.36.3'];

const files: readonly string[] = ['main.go', 'view.go', 'rules.go', 'text.go', 'bench.go'];

/** The path of a release's oracle of kube-proxy, which is built first where the cache has none made of these sources. */
export async function buildProxy(release: string): Promise<string> {
  const sources: Record<string, string> = {};
  for (const name of files) sources[name] = await readFile(join(import.meta.dirname, 'go', name), 'utf8');
  return buildProgram('proxy', release, sources);
}
