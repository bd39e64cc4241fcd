import { lastMinor, parseRelease } from 'kube-endpoints/internal';
import type { Check } from './check.ts';
import type { Environment } from './environment.ts';
import { findLeast } from './search.ts';

export interface ReleaseFix {
  /** The first release of kube-proxy with which no request fails, for example "1.26". */
  readonly version: string;
  readonly check: Check;
}

/**
 * Searches the first later release of kube-proxy that is safe. Undefined if the environment gives no release, or the newest one is not safe.
 * A later release is assumed to be as safe as an earlier one.
 * @param check checks the change in an environment
 */
export function findReleaseFix(environment: Environment, check: (environment: Environment) => Check): ReleaseFix | undefined {
  const { network } = environment;
  const version = network?.kubeProxy?.version;
  if (version === undefined) return undefined;
  const first = parseRelease(version).minor + 1;
  const checkMinor = (minor: number): Check =>
    check({ ...environment, network: { ...network, kubeProxy: { ...network?.kubeProxy, version: `1.${minor}` } } });
  const isSafe = (minor: number): boolean => checkMinor(minor).verdict === 'safe';
  if (first > lastMinor || !isSafe(lastMinor)) return undefined;
  const minor = findLeast(first, lastMinor, isSafe);
  return { version: `1.${minor}`, check: checkMinor(minor) };
}
