import { parseArgs } from 'node:util';
import { computeEndpointSlices, computeEndpoints, createReconciler } from 'kube-endpoints';
import { generateCluster } from '../../examples/generate.ts';
import { keyOf, type Manifest } from '../../examples/manifest.ts';
import { createRandom } from '../../examples/random.ts';
import { type Api, inParallel, pathOf } from './api.ts';
import { applyRandomChanges } from './changes.ts';
import { type Cluster, DEFAULT_RELEASE, reasonForNoCluster, withCluster } from './cluster.ts';
import { type ClusterSnapshot, groupBy, podsInNamespace, readClusterSnapshot } from './cluster-snapshot.ts';
import { type Check, check, compareWrites, isRewrittenAtEverySync } from './compare.ts';
import { findEarlySyncs, removeHints, syncAgain } from './early-syncs.ts';
import { load } from './load.ts';
import { randomObjects } from './random-objects.ts';
import { compareAll, waitUntilSettled } from './settled.ts';

/**
 * Usage: live.ts [--release 1.36.3] [--seed N] [--rounds 2]. Compares with a real kube-controller-manager, again after each round of
 * changes.
 */
const { values } = parseArgs({
  options: {
    release: { type: 'string', default: DEFAULT_RELEASE },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '2' },
  },
});
/** The numbers of random objects, and of random changes per round. */
const OBJECT_COUNTS = { services: 240, pods: 700 };
const CHANGE_COUNTS = { pods: 120, services: 30 };
/** In this namespace our controllers write first, and kube-controller-manager must find nothing to do. */
const OUR_NAMESPACE = 'random-b';
const MAX_SHOWN_FAILURES = 20;

process.exitCode = await main(values.release, Number(values.seed), Number(values.rounds));

async function main(release: string, seed: number, rounds: number): Promise<number> {
  const skipReason = reasonForNoCluster(release);
  if (skipReason !== undefined) {
    console.log(`end-to-end check skipped: ${skipReason}`);
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  console.log(`Kubernetes ${release}, seed ${seed}`);
  const checks = await withCluster(release, (cluster) => checkCluster(cluster, release, seed, rounds));
  const failed = checks.filter(({ passed }) => !passed);
  for (const { key, what, computed, found } of failed.slice(0, MAX_SHOWN_FAILURES)) {
    console.log(`FAILED ${key} ${what}\n  computed ${excerpt(computed, found)}\n  found    ${excerpt(found, computed)}`);
  }
  console.log(`${checks.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 && checks.length > 0 ? 0 : 1;
}

async function checkCluster({ api, dir, startControllers }: Cluster, release: string, seed: number, rounds: number): Promise<Check[]> {
  const random = createRandom(seed);
  await load(api, [...generateCluster({ at: new Date() }), ...randomObjects(random, OBJECT_COUNTS.services, OBJECT_COUNTS.pods)]);
  const reconciler = createReconciler({ version: release });
  await writeOurEndpoints(api, await readClusterSnapshot(api), release);
  let before = await readClusterSnapshot(api);
  await startControllers();
  await syncAgain(api, dir);
  let snapshot = await waitUntilSettled(api, 'loaded', release);
  const checks = [
    ...logChecks('loaded', snapshot, [...compareAll(snapshot, release), ...compareWrites(before, snapshot, reconciler, new Map())]),
    ...logChecks(`unchanged in ${OUR_NAMESPACE}`, snapshot, checkUntouched(before, snapshot, findEarlySyncs(dir))),
  ];
  for (let round = 1; round <= rounds; round += 1) {
    before = snapshot;
    const changeCounts = await applyRandomChanges(api, before, random, CHANGE_COUNTS);
    snapshot = await waitUntilSettled(api, `changed-${round}`, release);
    const roundChecks = [...compareAll(snapshot, release), ...compareWrites(before, snapshot, reconciler, changeCounts)];
    checks.push(...logChecks(`round ${round}, ${CHANGE_COUNTS.pods + CHANGE_COUNTS.services} changes`, snapshot, roundChecks));
  }
  return checks;
}

async function writeOurEndpoints(api: Api, snapshot: ClusterSnapshot, version: string): Promise<void> {
  const ourServices = snapshot.services.filter(({ metadata }) => metadata.namespace === OUR_NAMESPACE);
  await inParallel(ourServices, async (service) => {
    const endpoints = computeEndpoints(service, podsInNamespace(service, snapshot), { version });
    if (endpoints !== undefined) await api.post(pathOf('Endpoints', OUR_NAMESPACE), endpoints);
    const slices = computeEndpointSlices(service, podsInNamespace(service, snapshot), { version, nodes: snapshot.nodes });
    for (const slice of slices) await api.post(pathOf('EndpointSlice', OUR_NAMESPACE), slice);
  });
}

/** Checks that kube-controller-manager left our Endpoints and slices unchanged, except for hints of Services that it synced too early. */
function checkUntouched(before: ClusterSnapshot, after: ClusterSnapshot, earlyKeys: ReadonlySet<string>): Check[] {
  const ourServices = before.services.filter(({ metadata }) => metadata.namespace === OUR_NAMESPACE);
  return ourServices.flatMap((service) => {
    const key = keyOf(service);
    const [written, now] = [before, after].map(({ endpoints }) => endpoints.get(key));
    const contentOf = (snapshot: ClusterSnapshot): unknown[] => {
      const slices = snapshot.slices.get(key) ?? [];
      return earlyKeys.has(key) ? removeHints(slices) : slices.map(formatRevision).sort();
    };
    return [
      check(key, 'unchanged slices', contentOf(before), contentOf(after)),
      ...(written === undefined || isRewrittenAtEverySync(service, written)
        ? []
        : [check(key, 'resourceVersion', written.metadata.resourceVersion, now?.metadata.resourceVersion)]),
    ];
  });
}

function formatRevision({ metadata }: Manifest): string {
  return `${metadata.name}@${metadata.resourceVersion}`;
}

function logChecks(name: string, { services, pods }: ClusterSnapshot, checks: Check[]): Check[] {
  const counts = `${services.length} Services, ${[...pods.values()].flat().length} pods`;
  const failed = checks.filter(({ passed }) => !passed).length;
  const kinds = [...groupBy(checks, ({ what }) => what)].map(([what, group]) => `${group.length} ${what}`).join(', ');
  console.log(`${name}: ${counts}, ${checks.length} comparisons (${kinds}), ${failed} failed`);
  return checks;
}

/** Returns an excerpt of the JSON of `value` that starts shortly before its first difference from the JSON of `other`. */
function excerpt(value: unknown, other: unknown): string {
  const [text, otherText] = [JSON.stringify(value) ?? 'undefined', JSON.stringify(other) ?? 'undefined'];
  let start = 0;
  while (start < text.length && text[start] === otherText[start]) start += 1;
  const from = start < 80 ? 0 : start - 60;
  const end = from + 240;
  return `${from > 0 ? '...' : ''}${text.slice(from, end)}${end < text.length ? '...' : ''}`;
}
