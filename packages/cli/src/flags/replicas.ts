import { jitterFactor } from '@kube-endpoints/controllers/internal';
import { type Command, InvalidArgumentError } from 'commander';
import { createDurationOption, formatDuration, parseDuration } from './duration.ts';
import { parseDNSLabel, parseGroup, parseName } from './names.ts';

/** Leader election or sharding among replicas. Durations are in milliseconds. */
export interface ReplicaFlags {
  readonly leaderElect: boolean;
  readonly shards: string | undefined;
  readonly identity: string | undefined;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectResourceName: string;
  readonly leaderElectResourceNamespace: string;
}

export const addReplicaFlags = (command: Command): Command =>
  command
    .option('--leader-elect', 'run the controllers only while this replica is the leader')
    .option('--shards <GROUP>', 'distribute the Services among the replicas of this group', parseGroup)
    .option('--identity <NAME>', 'the identity of this replica (default: the host name and a random suffix)', parseIdentity)
    .addOption(
      createDurationOption(
        '--leader-elect-lease-duration <DURATION>',
        'how long other replicas wait for a renewal before they take over',
        parsePositiveDuration,
        15_000,
      ),
    )
    .addOption(
      createDurationOption(
        '--leader-elect-renew-deadline <DURATION>',
        'how long the leader tries to renew its Lease before it stops leading',
        parsePositiveDuration,
        10_000,
      ),
    )
    .addOption(
      createDurationOption('--leader-elect-retry-period <DURATION>', 'how long to wait between attempts', parsePositiveDuration, 2_000),
    )
    .option('--leader-elect-resource-name <NAME>', 'the name of the Lease', parseName, 'kube-endpoints')
    .option('--leader-elect-resource-namespace <NAMESPACE>', 'the namespace of the Leases', parseDNSLabel, 'kube-system');

/** Returns an error message if the flags for replicas do not fit together. @param flags all flags given */
export function validateReplicaFlags(flags: readonly string[], replicaFlags: ReplicaFlags): string | undefined {
  const [mode, conflictingFlag] = modeFlags.filter((flag) => flags.includes(flag));
  if (conflictingFlag !== undefined) return `${mode} and ${conflictingFlag} exclude each other: give one of them`;
  if (mode === undefined) {
    const idleFlag = flags.find((flag) => flag === '--identity' || flag.startsWith('--leader-elect-'));
    return idleFlag && `${idleFlag} needs --leader-elect or --shards`;
  }
  // With --once, the run would wait until the other replicas have stopped.
  if (flags.includes('--once')) return `--once and ${mode} exclude each other: a single run does not wait for other replicas`;
  if (mode === '--shards' && flags.includes(leaseNameFlag))
    return `${leaseNameFlag} is for --leader-elect: with --shards the group names the Leases`;
  return validateTimings(replicaFlags);
}

const modeFlags = ['--leader-elect', '--shards'];
const leaseNameFlag = '--leader-elect-resource-name';

/** Applies the rules of `readTimings`, with flag names in the messages. */
function validateTimings(replicaFlags: ReplicaFlags): string | undefined {
  const { leaderElectLeaseDuration: lease, leaderElectRenewDeadline: deadline, leaderElectRetryPeriod: period } = replicaFlags;
  if (lease <= deadline) {
    const minimum = `--leader-elect-renew-deadline (${formatDuration(deadline)})`;
    return `--leader-elect-lease-duration is ${formatDuration(lease)}: make it longer than ${minimum}, so that a holder has stopped before others take over`;
  }
  if (deadline > jitterFactor * period) return undefined;
  const minimum = `${jitterFactor} times --leader-elect-retry-period (${formatDuration(period)})`;
  return `--leader-elect-renew-deadline is ${formatDuration(deadline)}: make it longer than ${minimum}, so that there is time for a second try`;
}

/** @throws InvalidArgumentError */
function parseIdentity(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('give an identity that no other replica has');
}

/** @throws InvalidArgumentError */
function parsePositiveDuration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError('give a duration greater than 0');
}
