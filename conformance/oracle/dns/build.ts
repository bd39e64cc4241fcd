import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** The supported releases of CoreDNS, each with the Kubernetes release of its client libraries. */
const libraries: Readonly<Record<string, string>> = { '1.8.6': '1.22.2', '1.14.3': '1.35.3' };

/** The releases of CoreDNS that are compared by default. */
export const dnsReleases: readonly string[] = Object.keys(libraries);

const files: readonly string[] = ['main.go', 'plugin.go', 'answers.go', 'bench.go'];

/** Returns the path of the oracle for a CoreDNS release. Builds it unless the cache has one built from the same sources. */
export async function buildDns(release: string): Promise<string> {
  const kubernetes = libraries[release];
  if (kubernetes === undefined)
    throw new RangeError(`there is no oracle for CoreDNS ${release}; supported releases are ${dnsReleases.join(', ')}`);
  const sources: Record<string, string> = { 'go.mod': goMod(release) };
  for (const name of files) sources[name] = await readFile(join(import.meta.dirname, 'go', name), 'utf8');
  return buildProgram(`coredns-${release}`, kubernetes, sources);
}

const goMod = (release: string): string => `module kube-endpoints-oracle\n\ngo 1.26\n\nrequire github.com/coredns/coredns v${release}\n`;
