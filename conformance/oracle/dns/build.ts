import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

interface DnsRelease {
  /** The Kubernetes release of its client libraries. */
  readonly kubernetes: string;
  /** The files with the parts that differ between releases. */
  readonly files: readonly string[];
  /** Whether a current Go needs newer versions of two dependencies to build the release. */
  readonly isOld?: boolean;
}

const endpointsOnly = { isOld: true, files: ['release-1.7.go', 'transfer-1.6.go'] };
const slicesOrEndpoints = { files: ['release-1.8.go', 'transfer-1.8.go'] };
const slicesOnly = { files: ['release-1.11.go', 'transfer-1.8.go'] };

/** The supported releases of CoreDNS. */
const releases: Readonly<Record<string, DnsRelease>> = {
  '1.6.9': { kubernetes: '1.17.4', isOld: true, files: ['release-1.6.go', 'transfer-1.6.go'] },
  '1.7.0': { kubernetes: '1.18.3', ...endpointsOnly },
  '1.7.1': { kubernetes: '1.19.1', ...endpointsOnly },
  '1.8.0': { kubernetes: '1.19.2', isOld: true, files: ['release-1.7.go', 'transfer-1.8.go'] },
  '1.8.6': { kubernetes: '1.22.2', ...slicesOrEndpoints },
  '1.14.3': { kubernetes: '1.35.3', ...slicesOnly },
  '1.15.0': { kubernetes: '1.37.1', ...slicesOnly },
};

/** The releases of CoreDNS that are compared by default. */
export const dnsReleases: readonly string[] = Object.keys(releases);

/** Returns the path of the oracle for a CoreDNS release. Builds it unless the cache has one built from the same sources. */
export async function buildDns(name: string): Promise<string> {
  const release = releases[name];
  if (release === undefined)
    throw new RangeError(`there is no oracle for CoreDNS ${name}; supported releases are ${dnsReleases.join(', ')}`);
  const sources: Record<string, string> = { 'go.mod': createGoMod(name, release) };
  for (const file of ['main.go', 'plugin.go', 'answers.go', 'bench.go', ...release.files]) {
    const text = await readFile(join(import.meta.dirname, 'go', file), 'utf8');
    sources[file] = release.files.includes('transfer-1.6.go')
      ? text.replace('github.com/coredns/caddy', 'github.com/caddyserver/caddy')
      : text;
  }
  return buildProgram(`coredns-${name}`, release.kubernetes, sources);
}

const createGoMod = (name: string, { isOld }: DnsRelease): string =>
  [
    'module kube-endpoints-oracle',
    'go 1.26',
    `require github.com/coredns/coredns v${name}`,
    ...(isOld ? ['require golang.org/x/sys v0.49.0', 'replace github.com/modern-go/reflect2 => github.com/modern-go/reflect2 v1.0.2'] : []),
    '',
  ].join('\n\n');
