import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../build.ts';

/** Versions of kube-network-policies, each with the cyclonus and the client libraries of Kubernetes that it is built with. */
const releases: Readonly<Record<string, { readonly cyclonus: string; readonly kubernetes: string }>> = {
  '0.8.0': { cyclonus: '0.5.6', kubernetes: '1.32.3' },
};

/** The versions of kube-network-policies that are compared by default. */
export const policyReleases: readonly string[] = Object.keys(releases);

/** Returns the path of the program with the engines. Builds it unless the cache has one built from the same sources. */
export async function buildPolicy(name: string): Promise<string> {
  const { modules, kubernetes } = policyModules(name);
  const sources: Record<string, string> = { ...modules };
  for (const file of ['main.go', 'world.go', 'controller.go', 'matcher.go'])
    sources[file] = await readFile(join(import.meta.dirname, 'go', file), 'utf8');
  return buildProgram(`policy-${name}`, kubernetes, sources);
}

/** The module of a program with the engines, and the Kubernetes release to build it with. @throws RangeError for an unknown version */
export function policyModules(name: string): { readonly modules: Readonly<Record<string, string>>; readonly kubernetes: string } {
  const release = releases[name];
  if (release === undefined)
    throw new RangeError(`there is no oracle for kube-network-policies ${name}; supported versions are ${policyReleases.join(', ')}`);
  const goMod = [
    'module kube-endpoints-oracle',
    'go 1.26',
    `require sigs.k8s.io/kube-network-policies v${name}`,
    `require github.com/mattfenwick/cyclonus v${release.cyclonus}`,
    '',
  ].join('\n\n');
  // Go accepts functions without a body only if the package has an assembly file.
  return { modules: { 'go.mod': goMod, 'link.s': '' }, kubernetes: release.kubernetes };
}
