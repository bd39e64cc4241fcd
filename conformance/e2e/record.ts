import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCluster } from '../../examples/generate.ts';
import { keyOf, type Manifest } from '../../examples/manifest.ts';
import { NAMESPACES } from '../../examples/workloads/index.ts';
import { pathOf } from './api.ts';
import { DEFAULT_RELEASE, reasonForNoCluster, withCluster } from './cluster.ts';
import { load } from './load.ts';
import { formatJsonList, formatYaml, removeNoise } from './manifests.ts';
import { settle } from './settle.ts';

/** Usage: record.ts [RELEASE]. Regenerates examples/cluster from the objects of a real cluster of that release. */
const TARGET_FOLDER = join(import.meta.dirname, '..', '..', 'examples', 'cluster');
/** The namespace that is written as JSON; all others are written as YAML, as kubectl prints it. */
const JSON_NAMESPACE = 'edge';
/** Simulated age of the objects. The API server sets their creation times to now, so all other times are that much later. */
const AGE_MS = 2 * 3600 * 1000;

process.exitCode = await main(process.argv[2] ?? DEFAULT_RELEASE);

async function main(release: string): Promise<number> {
  const problem = reasonForNoCluster(release);
  if (problem !== undefined) {
    console.error(`nothing recorded: ${problem}`);
    return 1;
  }
  const recordedObjects = await withCluster(release, async ({ api, startControllers }) => {
    await load(api, generateCluster({ at: new Date(Date.now() + AGE_MS) }));
    await startControllers();
    await settle(api, 'recorded');
    const lists = await Promise.all(['Service', 'Pod', 'Endpoints'].map((kind) => api.list(pathOf(kind))));
    return lists.flat();
  });
  store(recordedObjects);
  const sizes = readdirSync(TARGET_FOLDER).map((name) => `${name} ${Math.round(statSync(join(TARGET_FOLDER, name)).size / 1024)} kB`);
  console.log(`recorded from Kubernetes ${release}: ${sizes.join(', ')}`);
  return 0;
}

function store(recordedObjects: readonly Manifest[]): void {
  rmSync(TARGET_FOLDER, { recursive: true, force: true });
  mkdirSync(TARGET_FOLDER, { recursive: true });
  const endpoints: Manifest[] = [];
  for (const { namespace } of NAMESPACES) {
    const members = recordedObjects.filter(({ metadata }) => metadata.namespace === namespace);
    const objects = normalize(members.filter(({ kind }) => kind !== 'Endpoints'));
    endpoints.push(...members.filter(({ kind }) => kind === 'Endpoints'));
    if (namespace === JSON_NAMESPACE) write(`${namespace}.json`, formatJsonList(objects));
    else write(`${namespace}.yaml`, formatYaml(objects));
  }
  write('endpoints.yaml', formatYaml(normalize(endpoints)));
}

/** Removes fields that the API server adds; sorts Services before pods, each by namespace and name. */
function normalize(objects: readonly Manifest[]): Manifest[] {
  const createSortKey = (object: Manifest): string => `${object.kind === 'Pod' ? 1 : 0} ${keyOf(object)}`;
  return objects.map(removeNoise).sort((a, b) => (createSortKey(a) < createSortKey(b) ? -1 : 1));
}

function write(name: string, text: string): void {
  writeFileSync(join(TARGET_FOLDER, name), text);
}
