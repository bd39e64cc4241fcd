import { checkFeatureGates, parseRelease } from 'kube-endpoints/internal';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import type { FeatureGates } from 'kube-endpoints/versions';
import { type Release, releaseOf } from './common.ts';

/** The flags of `upgrade` about releases. */
export interface UpgradeOptions {
  readonly from: string;
  readonly to: string;
  readonly node?: string;
  readonly featureGates?: FeatureGates;
}

/** The releases to compare, each with its feature gates. */
export interface Releases {
  readonly from: Release;
  readonly to: Release;
}

/**
 * Returns both releases with the feature gates of the cluster. The new release has only those that it accepts; the messages say why it rejects
 * the others.
 * @throws UsageError if the current release has no such gate
 */
export function releasesOf({ from, to, featureGates }: UpgradeOptions): {
  readonly flags: Releases;
  readonly rejectedGates: readonly string[];
} {
  const accepted = new Map(Object.entries(featureGates ?? {}));
  const rejectedGates: string[] = [];
  for (let problem = findProblem(accepted, to); problem; problem = findProblem(accepted, to)) {
    rejectedGates.push(`The components do not start with the feature gate ${problem.message}`);
    // A gate that the cluster does not set can only be missing for one that it sets.
    if (!accepted.delete(problem.name)) accepted.clear();
  }
  const older = releaseOf({ release: from, featureGates }, { env: {} });
  return { flags: { from: older, to: { version: to, featureGates: Object.fromEntries(accepted) } }, rejectedGates };
}

/** Returns the first gate that a release rejects, and why; undefined if it accepts all. */
function findProblem(gates: ReadonlyMap<string, boolean>, version: string): { name: string; message: string } | undefined {
  try {
    checkFeatureGates(Object.fromEntries(gates), parseRelease(version));
    return undefined;
  } catch (error) {
    const message = messageOf(error).replace('featureGates.', '');
    return { name: message.split(':')[0] ?? '', message };
  }
}
