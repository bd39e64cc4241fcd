/**
 * Compares the built package with Kubernetes' own controller and with plain JavaScript, in one run.
 * Run: npm run bench [-- --small]
 */
import { execFileSync } from 'node:child_process';
import type * as Core from 'kube-endpoints';
import type { Pod, Service } from 'kube-endpoints/types';
import { buildEndpointsOracle, goVersion } from '../oracle/build.ts';
import { type BenchCase, benchCases } from './cases.ts';
import { benchFeed } from './feed.ts';
import { bestOf, microseconds, table } from './measure.ts';
import { createPod, createService } from './selectors.ts';
import { chooseBySize, isSmall, skipNote } from './size.ts';
import { benchSlices } from './slices.ts';

const release = '1.36.3';
const sliceRelease = '1.37.1';
const { computeEndpoints, createReconciler, createSelectorCache } = (await import('kube-endpoints')) as typeof Core;

async function benchEndpoints(): Promise<string> {
  const cases = benchCases(chooseBySize([1000, 5000], [100]));
  const goProgram = installedGo === undefined ? undefined : await buildEndpointsOracle(release);
  const rows = cases.map((benchCase) => {
    const subsetCount = computeEndpoints(benchCase.service, benchCase.pods, { version: release })?.subsets?.length;
    if (subsetCount !== benchCase.subsets) throw new Error(`${benchCase.id}: ${subsetCount} subsets instead of ${benchCase.subsets}`);
    // Alternates, so that changes of the machine's speed affect all three.
    const timings = Array.from({ length: 3 }, () => timeOnce(benchCase, goProgram));
    const [kubernetes, ours, baseline] = (['kubernetes', 'ours', 'baseline'] as const).map((key) =>
      Math.min(...timings.map((timing) => timing[key])),
    );
    const ratio = goProgram ? `${((kubernetes as number) / (ours as number)).toFixed(1)} x` : '-';
    const cost = `${((ours as number) / (baseline as number)).toFixed(2)} x`;
    return [
      benchCase.id,
      goProgram ? microseconds(kubernetes as number) : '-',
      microseconds(ours as number),
      ratio,
      microseconds(baseline as number),
      cost,
    ];
  });
  const note = goProgram || isSmall ? '' : '\nColumns of Kubernetes skipped: Go is not installed.';
  const headings = ['computeEndpoints', `Kubernetes ${release}`, 'kube-endpoints', 'faster', 'filter and sort', 'cost of it'];
  return table(headings, rows) + note;
}

const timeOnce = (benchCase: BenchCase, goProgram: string | undefined): { kubernetes: number; ours: number; baseline: number } => ({
  kubernetes: goProgram ? timeGoProgram(goProgram, benchCase) : Number.NaN,
  ours: bestOf(() => computeEndpoints(benchCase.service, benchCase.pods, { version: release })),
  baseline: bestOf(() => filterAndSort(benchCase)),
});

/** Returns the best of five timings of one sync of Kubernetes' own controller, which creates the same Endpoints. */
function timeGoProgram(binary: string, { id, service, pods }: BenchCase): number {
  const input = `${JSON.stringify({ id, service, pods })}\n`;
  const output = execFileSync(binary, ['bench'], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  return (JSON.parse(output) as { us: number }).us;
}

/** The minimum work of any implementation: find the pods and sort them by address. */
function filterAndSort({ service, pods }: BenchCase): Pod[] {
  const namespace = service.metadata?.namespace;
  const app = service.spec?.selector?.['app'];
  return pods
    .filter((pod) => pod.metadata?.namespace === namespace && pod.metadata?.labels?.['app'] === app && pod.status?.podIP)
    .sort((a, b) => ((a.status?.podIP as string) < (b.status?.podIP as string) ? -1 : 1));
}

function benchSelectorCache(): string {
  const rows = chooseBySize([100, 1000, 10_000, 100_000], [100, 1000]).map((size) => {
    const services = Array.from({ length: size }, (_, i) => createService(i));
    const cache = createSelectorCache();
    for (const [i, service] of services.entries()) cache.set(`shop/service-${i}`, service);
    const pods = Array.from({ length: 512 }, (_, i) => createPod((i * 7919) % (size >> 1)));
    let next = 0;
    const pod = (): Pod => pods[next++ & 511] as Pod;
    const matches = cache.servicesFor(pod()).length;
    if (matches !== 2) throw new Error(`the cache finds ${matches} Services instead of 2`);
    const indexed = bestOf(() => cache.servicesFor(pod()));
    const scanned = bestOf(() => scanSelectors(services, pod()), 5);
    return [
      `${size.toLocaleString('en-US')} Services`,
      microseconds(indexed),
      microseconds(scanned),
      `${(scanned / indexed).toFixed(0)} x`,
    ];
  });
  return table(['selector cache', 'a pod’s Services', 'scan of all selectors', 'faster'], rows);
}

/** The work of a controller without an index: check every Service of the namespace. */
function scanSelectors(services: readonly Service[], pod: Pod): string[] {
  const labels = pod.metadata?.labels ?? {};
  const matches: string[] = [];
  for (const { metadata, spec } of services) {
    if (metadata?.namespace !== pod.metadata?.namespace || !spec?.selector) continue;
    if (Object.entries(spec.selector).every(([key, value]) => labels[key] === value))
      matches.push(`${metadata?.namespace}/${metadata?.name}`);
  }
  return matches;
}

const installedGo = isSmall ? undefined : goVersion();
process.stdout.write(
  `Node ${process.version}${installedGo ? `, ${installedGo}` : ''}; the best of three rounds each\n${skipNote('Kubernetes')}\n`,
);
process.stdout.write(`${benchSlices(createReconciler, sliceRelease, installedGo && (await buildEndpointsOracle(sliceRelease)))}\n\n`);
process.stdout.write(`${benchFeed(createReconciler, release)}\n\n`);
process.stdout.write(`${await benchEndpoints()}\n\n${benchSelectorCache()}\n`);
