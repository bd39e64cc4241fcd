import { Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { addClusterFlags } from '../../src/flags/cluster.ts';
import { parseLine } from '../parse.ts';

const parse = (text: string): ReturnType<typeof parseLine> => parseLine(text === '' ? 'run' : `run ${text}`);

test.each<[string, object]>([
  ['', { command: 'run', workers: 5, once: false, leaderElect: false, host: '127.0.0.1' }],
  ['--controllers endpoints', { controllers: ['endpoints'] }],
  ['--once --dry-run', { once: true, dryRun: true, leaderElect: false }],
  ['--dry-run --leader-elect', { once: false, dryRun: true, leaderElect: true }],
  ['--leader-elect --identity me --leader-elect-resource-name a.b', { identity: 'me', leaderElectResourceName: 'a.b' }],
  ['--shards a --leader-elect-lease-duration 1m --leader-elect-renew-deadline 50s', { shards: 'a', leaderElectLeaseDuration: 60_000 }],
  ['--metrics-port 0 --metrics-host ::', { metricsPort: 0, metricsHost: '::' }],
  ['--port 7 --host ::1', { port: 7, host: '::1', embeddedFlag: '--port' }],
  ['--workers 999 --batch-period 1s', { workers: 999, batchPeriod: 1000 }],
  ['--controllers endpointslicemirroring', { controllers: ['endpointslicemirroring'], mirroringMaxEndpointsPerSubset: 1000 }],
  [
    '--mirroring-concurrent-service-endpoint-syncs 7 --mirroring-endpointslice-updates-batch-period 2s',
    { mirroringConcurrentServiceEndpointSyncs: 7, mirroringEndpointsliceUpdatesBatchPeriod: 2000 },
  ],
  ['--kube-api-qps 0.5 --kube-api-burst 1', { kubeApiQps: 0.5, kubeApiBurst: 1 }],
  ['--controllers service-lb --cloud tcp', { controllers: ['service-lb'], cloud: 'tcp' }],
])('the parser accepts "run %s"', async (text, expected) => {
  expect((await parse(text)).invocation).toMatchObject(expected);
});

test.each([
  '--controllers endpoints,',
  '--controllers pods',
  '--workers 0',
  '--workers 1000',
  '--workers x',
  '--mirroring-max-endpoints-per-subset 1001',
  '--controllers service-lb',
  '--cloud tcp',
  '--kube-api-qps 0',
  '--kube-api-qps -1',
  '--kube-api-qps 1e3',
  '--kube-api-burst 0',
  '--kube-api-burst 1.5',
])('the parser refuses "run %s"', async (text) => {
  const { error, invocation } = await parse(text);
  expect(error).toBeInstanceOf(CommanderError);
  expect(invocation).toBeUndefined();
});

const needsMode = 'needs --leader-elect or --shards';
const onceExcluded = 'exclude each other: a single run does not wait for other replicas';

describe('run', () => {
  test.each([
    ['--leader-elect --shards a', '--leader-elect and --shards exclude each other: give one of them'],
    ['--once --leader-elect', `--once and --leader-elect ${onceExcluded}`],
    ['--once --shards a --dry-run', `--once and --shards ${onceExcluded}`],
    ['--identity me', `--identity ${needsMode}`],
    ['--once --leader-elect-resource-name a', `--leader-elect-resource-name ${needsMode}`],
    ['--leader-elect-retry-period 2s', `--leader-elect-retry-period ${needsMode}`],
    [
      '--shards a --leader-elect-resource-name b',
      '--leader-elect-resource-name is for --leader-elect: with --shards the group names the Leases',
    ],
    ['--metrics-host ::', '--metrics-host needs --metrics-port'],
    ['--controllers endpoints --max-endpoints-per-slice 9', '--max-endpoints-per-slice is for the controller endpointslices'],
    [
      '--controllers endpoints --mirroring-max-endpoints-per-subset 9',
      '--mirroring-max-endpoints-per-subset is for the controller endpointslicemirroring: leave it out, or add that to --controllers',
    ],
    ['--kubeconfig k --host ::1', '--host is for the embedded API server, --kubeconfig for a cluster: leave one of them out'],
    ['--context c --token t', '--token is for the embedded API server, --context for a cluster: leave one of them out'],
    ['--once --port 0', '--port is for clients of the embedded API server, and --once serves none: leave one of them out'],
    ['--once --kubeconfig-out f', '--kubeconfig-out is for clients of'],
  ])('refuses the incompatible flags %s by name', async (text, message) => {
    expect((await parse(text)).stderr).toContain(message);
  });
});

describe('run with an invalid replica flag', () => {
  test.each([
    ['--shards=', "'--shards <GROUP>' argument '' is invalid. give an object name"],
    [`--shards ${'a'.repeat(64)}`, "'--shards <GROUP>'"],
    ['--leader-elect --identity=', "'--identity <NAME>' argument '' is invalid. give an identity that no other replica has"],
    [
      '--leader-elect-resource-name Not_A_Name',
      "'--leader-elect-resource-name <NAME>' argument 'Not_A_Name' is invalid. give an object name",
    ],
    [
      '--leader-elect-resource-namespace a.b',
      "'--leader-elect-resource-namespace <NAMESPACE>' argument 'a.b' is invalid. give an object name",
    ],
    ['--leader-elect-retry-period 0', "'--leader-elect-retry-period <DURATION>' argument '0' is invalid. give a duration greater than 0"],
    [
      '--leader-elect --leader-elect-lease-duration 10s',
      '--leader-elect-lease-duration is 10s: make it longer than --leader-elect-renew-deadline (10s)',
    ],
    [
      '--shards a --leader-elect-renew-deadline 2400ms',
      '--leader-elect-renew-deadline is 2400ms: make it longer than 1.2 times --leader-elect-retry-period (2s)',
    ],
  ])('refuses %s by name', async (text, message) => {
    expect((await parse(text)).stderr).toContain(message);
  });
});

test('addClusterFlags adds --kubeconfig and --context', () => {
  const command = addClusterFlags(new Command());
  command.parse(['--kubeconfig', 'k', '--context', 'c'], { from: 'user' });
  expect(command.opts()).toEqual({ kubeconfig: 'k', context: 'c' });
});
