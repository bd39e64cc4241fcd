/**
 * Compares the library with the code of Kubernetes and CoreDNS for random cases.
 * Run: npm run conformance -- [--seed N] [--SUITE N ...] [RELEASE ...]
 * The table below lists the suites; by default all of them run.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { goVersion, knownReleases, minorOf } from './build.ts';
import type { ConformanceCheck } from './conform.ts';
import { conformEndpoints } from './conform-endpoints.ts';
import { conformDns, dnsReleases } from './dns/conform.ts';
import { conformProxy, proxyReleases } from './proxy/conform.ts';
import { conformReadiness, readinessReleases } from './readiness/conform.ts';
import { conformSlb, slbReleases } from './slb/conform.ts';
import { createSliceConformanceCheck } from './slices/conform.ts';

interface Suite {
  /** Names its cases in the output. */
  readonly label: string;
  /** The default number of cases for a release. */
  readonly size: number;
  /** The default releases. */
  readonly releases: readonly string[];
  /**
   * Whether releases named as arguments apply. They do not apply to CoreDNS, which has its own releases, or to proxy rules, which
   * are known for newer releases only.
   */
  readonly isKubernetes: boolean;
  readonly conform: ConformanceCheck;
}

const kubernetes = { releases: knownReleases, isKubernetes: true };

const suites: Readonly<Record<string, Suite>> = {
  count: { ...kubernetes, label: 'of Endpoints', size: 10_000, conform: conformEndpoints },
  slices: { ...kubernetes, label: 'of EndpointSlices', size: 5000, conform: createSliceConformanceCheck('slices') },
  mirror: { ...kubernetes, label: 'of mirroring', size: 5000, conform: createSliceConformanceCheck('mirror') },
  readiness: { ...kubernetes, label: 'of readiness a mode', size: 20_000, releases: readinessReleases, conform: conformReadiness },
  slb: { ...kubernetes, label: 'of load balancers', size: 10_000, releases: slbReleases, conform: conformSlb },
  dns: { label: 'of DNS', size: 5000, releases: dnsReleases, isKubernetes: false, conform: conformDns },
  proxy: { label: 'of nodes', size: 5000, releases: proxyReleases, isKubernetes: false, conform: conformProxy },
};

async function main(): Promise<number> {
  const { seed, sizes, releases: namedReleases } = readArguments();
  const go = goVersion();
  if (go === undefined) {
    print('conformance skipped: Go is required to build the original controllers, and is not installed');
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  const selectedSuites = Object.entries(suites).filter(([name]) => (sizes.get(name) ?? 0) > 0);
  print(`seed ${seed}; cases per release: ${selectedSuites.map(([name, { label }]) => `${sizes.get(name)} ${label}`).join(', ')}; ${go}`);
  let [passed, failed] = [0, 0];
  for (const [name, { conform, releases, isKubernetes }] of selectedSuites) {
    for (const release of isKubernetes && namedReleases.length > 0 ? namedReleases : releases) {
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
}

function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(['seed', ...Object.keys(suites)].map((name) => [name, { type: 'string' }])),
  });
  const parseCount = (option: string, text: string): number => {
    const value = Number(text);
    if (text !== '' && Number.isSafeInteger(value) && value >= 0) return value;
    throw new RangeError(`--${option} must be an integer, not ${text}`);
  };
  positionals.forEach(minorOf);
  const { seed, ...counts } = values as Record<string, string | undefined>;
  const explicitSizes = Object.entries(counts).map(([name, text]) => [name, parseCount(name, text ?? '')] as const);
  const defaults = Object.entries(suites)
    .filter(([, { isKubernetes }]) => isKubernetes || positionals.length === 0)
    .map(([name, { size }]) => [name, size] as const);
  return {
    seed: seed === undefined ? randomInt(2 ** 31) : parseCount('seed', seed),
    sizes: new Map(explicitSizes.length > 0 ? explicitSizes : defaults),
    releases: positionals,
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
