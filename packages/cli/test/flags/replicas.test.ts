import { Command } from 'commander';
import { expect, test } from 'vitest';
import { findGivenFlags } from '../../src/flags/common.ts';
import { addReplicaFlags, type ReplicaFlags, validateReplicaFlags } from '../../src/flags/replicas.ts';

function problemOf(text: string): string | undefined {
  const command = addReplicaFlags(new Command().exitOverride().configureOutput({ writeErr: () => undefined })).option('--once');
  command.parse(text.split(' ').filter(Boolean), { from: 'user' });
  return validateReplicaFlags(findGivenFlags(command), command.opts<ReplicaFlags>());
}

test.each(['', '--leader-elect --identity a --leader-elect-resource-name b', '--shards a --leader-elect-lease-duration 1m', '--once'])(
  'validateReplicaFlags accepts "%s"',
  (text) => {
    expect(problemOf(text)).toBeUndefined();
  },
);

test.each([
  ['--leader-elect --shards a', '--leader-elect and --shards exclude each other: give one of them'],
  ['--identity a', '--identity needs --leader-elect or --shards'],
  ['--once --shards a', '--once and --shards exclude each other: a single run does not wait for other replicas'],
  [
    '--shards a --leader-elect-resource-name b',
    '--leader-elect-resource-name is for --leader-elect: with --shards the group names the Leases',
  ],
  [
    '--leader-elect --leader-elect-lease-duration 5s',
    '--leader-elect-lease-duration is 5s: make it longer than --leader-elect-renew-deadline (10s), so that a holder has stopped before others take over',
  ],
  [
    '--leader-elect --leader-elect-renew-deadline 2s',
    '--leader-elect-renew-deadline is 2s: make it longer than 1.2 times --leader-elect-retry-period (2s), so that there is time for a second try',
  ],
])('validateReplicaFlags refuses "%s" with a message that names the flags', (text, message) => {
  expect(problemOf(text)).toBe(message);
});

test.each(['--shards Not_A', '--shards=', '--identity=', '--leader-elect-retry-period 0', '--leader-elect-resource-namespace a.b'])(
  'the parser of the flag refuses the value of %s',
  (text) => {
    expect(() => problemOf(`--leader-elect ${text}`)).toThrow();
  },
);
