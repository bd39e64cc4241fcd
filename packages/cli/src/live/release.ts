import { parseRelease } from 'kube-endpoints/internal';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import { newest } from 'kube-endpoints/versions';
import { type PrintMessage, UsageError } from '../base/io.ts';
import { type Release, type ReleaseFlags, releaseOf, releaseVariable } from '../flags/common.ts';
import type { Cluster } from './cluster.ts';

/** The release to follow for a cluster, and why if it is not exactly the cluster's release. */
export interface ClusterRelease {
  readonly version: string;
  /** Ends a sentence that names the release of the cluster. */
  readonly difference?: string;
}

/**
 * Returns the release to follow for a server's version such as "v1.29.3+k3s1": this patch release, the last one of the same minor if there is
 * no such patch release, or the oldest or newest minor.
 */
export function releaseOfServer(gitVersion: string | undefined): ClusterRelease {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(gitVersion ?? '') ?? [];
  if (major !== '1') return { version: newest, difference: 'which is not known' };
  const exact = [`1.${minor}.${patch}`, `1.${minor}`].find(isKnown);
  if (exact === undefined)
    return Number(minor) < oldestMinor
      ? { version: `1.${oldestMinor}`, difference: 'which is older than all known releases' }
      : { version: newest, difference: 'which is newer than all known releases' };
  return exact === `1.${minor}` && patch !== undefined
    ? { version: exact, difference: `of which only the last known patch release of ${exact} is known` }
    : { version: exact };
}

const oldestMinor = 9;

function isKnown(version: string): boolean {
  try {
    parseRelease(version);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the release of the flags or the environment. Without both, asks the cluster for its version, and says which release is followed.
 * @throws UsageError if the cluster cannot be reached, or if the release is not known or has no such feature gate
 */
export async function releaseFor(
  flags: ReleaseFlags,
  { serverVersion, description }: Pick<Cluster, 'serverVersion' | 'description'>,
  { env }: Parameters<typeof releaseOf>[1],
  printMessage: PrintMessage,
): Promise<Release> {
  if (flags.release !== undefined || env[releaseVariable]) return releaseOf(flags, { env });
  let gitVersion: string | undefined;
  try {
    gitVersion = await serverVersion();
  } catch (error) {
    if (!(error instanceof ApiError)) throw new UsageError(`${description} cannot be read: ${messageOf(error)}`, { cause: error });
    printMessage(
      'hint',
      `The release of the cluster is unknown (${messageOf(error)}): follows Kubernetes ${newest}; --release selects another.`,
    );
    return releaseOf(flags, { env });
  }
  const { version, difference } = releaseOfServer(gitVersion);
  const reason = difference === undefined ? '' : `, ${difference}`;
  printMessage('hint', `${description} runs Kubernetes ${gitVersion ?? '?'}${reason}: follows ${version}; --release selects another.`);
  return releaseOf({ ...flags, release: version }, { env });
}
