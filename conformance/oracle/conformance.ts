/**
 * Compares the library with the code of Kubernetes, CoreDNS and engines of network policies for random cases.
 * Run: npm run conformance -- [--seed N] [--feature-gates GATES] [--SUITE N ...] [RELEASE ...]
 * GATES are NAME=BOOLEAN,..., or "flipped": the opposite of the defaults of each release.
 * The table below lists the suites; by default all of them run. A RELEASE is one of Kubernetes, of CoreDNS (coredns-1.8.6), or of the engine
 * of policies (kube-network-policies-0.8.0).
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { firstProxyMinor } from 'kube-endpoints/internal';
import { goVersion, knownReleases, minorOf } from './build.ts';
import { celReleases, conformCosts } from './cel/conform.ts';
import type { ConformanceCheck } from './conform.ts';
import { conformEndpoints } from './conform-endpoints.ts';
import { conformDns, dnsReleases } from './dns/conform.ts';
import { setFeatureGates } from './feature-gates.ts';
import { kindReleases } from './kinds/build.ts';
import { conformConversions, conformDefaults, conformTables, conformValidation } from './kinds/conform.ts';
import { kubeletReleases } from './kubelet/build.ts';
import { conformKubelet } from './kubelet/conform.ts';
import { conformPolicy, policyReleases } from './policy/conform.ts';
import { conformProxy, proxyReleases } from './proxy/conform.ts';
import { conformRbac, rbacReleases } from './rbac/conform.ts';
import { conformReadiness, readinessReleases } from './readiness/conform.ts';
import { conformScheduler, schedulerReleases } from './scheduler/conform.ts';
import { conformSlb, slbReleases } from './slb/conform.ts';
import { createSliceConformanceCheck } from './slices/conform.ts';
import { createWorkloadCheck, workloadReleases } from './workloads/conform.ts';
import { workloadSuites } from './workloads/suites.ts';

interface Suite {
  /** Names its cases in the output. */
  readonly label: string;
  /** The default number of cases for a release. */
  readonly size: number;
  /** The default releases. */
  readonly releases: readonly string[];
  /** The release that an argument names for this suite; undefined if the argument is for other suites. */
  findRelease(argument: string): string | undefined;
  readonly conform: ConformanceCheck;
}

const coreDnsPrefix = 'coredns-';
const enginePrefix = 'kube-network-policies-';
const isKubernetesRelease = (argument: string): boolean => ![coreDnsPrefix, enginePrefix].some((prefix) => argument.startsWith(prefix));
const findKubernetesRelease = (argument: string): string | undefined => (isKubernetesRelease(argument) ? argument : undefined);
const kubernetes = { releases: knownReleases, findRelease: findKubernetesRelease };

const suites: Readonly<Record<string, Suite>> = {
  count: { ...kubernetes, label: 'of Endpoints', size: 10_000, conform: conformEndpoints },
  slices: { ...kubernetes, label: 'of EndpointSlices', size: 5000, conform: createSliceConformanceCheck('slices') },
  mirror: { ...kubernetes, label: 'of mirroring', size: 5000, conform: createSliceConformanceCheck('mirror') },
  readiness: { ...kubernetes, label: 'of readiness a mode', size: 20_000, releases: readinessReleases, conform: conformReadiness },
  kubelet: {
    label: 'of the kubelet a mode',
    size: 5000,
    releases: kubeletReleases,
    findRelease: (argument) => kubeletReleases.find((release) => argument === release),
    conform: conformKubelet,
  },
  slb: { ...kubernetes, label: 'of load balancers', size: 10_000, releases: slbReleases, conform: conformSlb },
  dns: {
    label: 'of DNS',
    size: 5000,
    releases: dnsReleases,
    findRelease: (argument) => dnsReleases.find((release) => argument === coreDnsPrefix + release),
    conform: conformDns,
  },
  proxy: {
    label: 'of nodes',
    size: 5000,
    releases: proxyReleases,
    findRelease: (argument) => (findKubernetesRelease(argument) && minorOf(argument) >= firstProxyMinor ? argument : undefined),
    conform: conformProxy,
  },
  policy: {
    label: 'of policies',
    size: 20_000,
    releases: policyReleases,
    findRelease: (argument) => policyReleases.find((release) => argument === enginePrefix + release),
    conform: conformPolicy,
  },
  rbac: { ...kubernetes, label: 'of authorization', size: 2000, releases: rbacReleases, conform: conformRbac },
  costs: { ...kubernetes, label: 'of costs', size: 200, releases: celReleases, conform: conformCosts },
  defaults: { ...kubernetes, label: 'of defaults', size: 20_000, releases: kindReleases, conform: conformDefaults },
  conversions: { ...kubernetes, label: 'of conversions', size: 5000, releases: kindReleases, conform: conformConversions },
  validation: { ...kubernetes, label: 'of validation', size: 20_000, releases: kindReleases, conform: conformValidation },
  tables: { ...kubernetes, label: 'of tables', size: 5000, releases: kindReleases, conform: conformTables },
  scheduler: { ...kubernetes, label: 'of scheduling', size: 2000, releases: schedulerReleases, conform: conformScheduler },
  ...Object.fromEntries(
    workloadSuites.map((suite) => [
      suite.name,
      { ...kubernetes, label: suite.label, size: 2000, releases: workloadReleases, conform: createWorkloadCheck(suite) },
    ]),
  ),
};

async function main(): Promise<number> {
  const { seed, sizes, releases: namedReleases, featureGates } = readArguments();
  const go = goVersion();
  if (go === undefined) {
    print('conformance skipped: Go is required to build the original controllers, and is not installed');
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  const selectedSuites = Object.entries(suites).filter(([name]) => (sizes.get(name) ?? 0) > 0);
  print(`seed ${seed}; cases per release: ${selectedSuites.map(([name, { label }]) => `${sizes.get(name)} ${label}`).join(', ')}; ${go}`);
  let [passed, failed] = [0, 0];
  for (const [name, { conform, releases, findRelease }] of selectedSuites) {
    for (const release of namedReleases.length > 0 ? namedReleases.flatMap((argument) => findRelease(argument) ?? []) : releases) {
      if (featureGates !== '') print(`${release} with the feature gates ${setFeatureGates(featureGates, release) || 'of the release'}`);
      const [cases, mismatches] = await conform(release, seed, sizes.get(name) as number, print);
      passed += cases - mismatches;
      failed += mismatches;
    }
  }
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

interface Arguments {
  readonly seed: number;
  /** Numbers of cases by suite. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The named releases, if any. */
  readonly releases: readonly string[];
  /** Feature gates, as for `setFeatureGates`. */
  readonly featureGates: string;
}

function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(['seed', 'feature-gates', ...Object.keys(suites)].map((name) => [name, { type: 'string' }])),
  });
  const parseCount = (option: string, text: string): number => {
    const value = Number(text);
    if (text !== '' && Number.isSafeInteger(value) && value >= 0) return value;
    throw new RangeError(`--${option} must be an integer, not ${text}`);
  };
  for (const argument of positionals)
    if (suites['dns']?.findRelease(argument) === undefined && suites['policy']?.findRelease(argument) === undefined) minorOf(argument);
  const { seed, 'feature-gates': featureGates = '', ...counts } = values as Record<string, string | undefined>;
  const explicitSizes = Object.entries(counts).map(([name, text]) => [name, parseCount(name, text ?? '')] as const);
  const defaults = Object.entries(suites).map(([name, { size }]) => [name, size] as const);
  return {
    seed: seed === undefined ? randomInt(2 ** 31) : parseCount('seed', seed),
    sizes: new Map(explicitSizes.length > 0 ? explicitSizes : defaults),
    releases: positionals,
    featureGates,
  };
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`conformance: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
