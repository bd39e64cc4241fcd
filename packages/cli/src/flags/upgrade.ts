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
  const accepted: [string, boolean][] = [];
  const rejectedGates: string[] = [];
  for (const gate of Object.entries(featureGates ?? {})) {
    try {
      checkFeatureGates(Object.fromEntries([gate]), parseRelease(to));
      accepted.push(gate);
    } catch (error) {
      rejectedGates.push(messageOf(error).replace('featureGates.', 'The components do not start with the feature gate '));
    }
  }
  const older = releaseOf({ release: from, featureGates }, { env: {} });
  return { flags: { from: older, to: { version: to, featureGates: Object.fromEntries(accepted) } }, rejectedGates };
}
