import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '../../oracle/build.ts';
import { policyModules } from '../../oracle/policy/build.ts';

const files = ['main.go', 'namespaces.go', 'filter.go', 'probe.go', 'sctp.go'];
/** Files of the oracle: the objects with their defaults, and the engine. */
const oracleFiles = ['world.go', 'controller.go'];

/** Returns the path of the program that filters and sends packets. Builds it unless the cache has one built from the same sources. */
export async function buildFilter(release: string): Promise<string> {
  const { modules, kubernetes } = policyModules(release);
  const sources: Record<string, string> = { ...modules };
  for (const file of files) sources[file] = await readFile(join(import.meta.dirname, 'go', file), 'utf8');
  for (const file of oracleFiles) sources[file] = await readFile(join(import.meta.dirname, '../../oracle/policy/go', file), 'utf8');
  return buildProgram(`policy-packets-${release}`, kubernetes, sources);
}
