import { CommanderError, InvalidArgumentError } from 'commander';
import { newest } from 'kube-endpoints/versions';
import { describe, expect, test } from 'vitest';
import { parseMaxEndpoints, parseReleaseFlag } from '../src/flags/common.ts';
import { parseSelector } from '../src/flags/services.ts';
import { parse, parseLine } from './parse.ts';

describe('a command line', () => {
  const flags = { output: 'table', color: true };
  test.each<[string, object]>([
    ['compute', { command: 'compute', names: [], flags, release: undefined }],
    ['compute --slices', { command: 'compute', slices: true, maxEndpointsPerSlice: undefined }],
    ['compute --slices --max-endpoints-per-slice 2', { slices: true, maxEndpointsPerSlice: 2 }],
    ['compute web', { command: 'compute', slices: false }],
    ['diff --max-endpoints-per-slice 1000', { command: 'diff', maxEndpointsPerSlice: 1000 }],
    ['explain web --max-endpoints-per-slice=50', { command: 'explain', maxEndpointsPerSlice: 50, pod: undefined }],
    ['diff web db', { command: 'diff', names: ['web', 'db'], flags }],
    ['explain --release v1.29', { command: 'explain', names: [], flags, release: '1.29', pod: undefined }],
    ['compute --release=1.29.6', { release: '1.29.6' }],
    ['explain web --pod po/web-a', { names: ['web'], pod: 'web-a' }],
    ['upgrade --from v1.20.3 --to 1.30', { command: 'upgrade', from: '1.20.3', to: '1.30', names: [] }],
    ['upgrade web --from 1.20', { from: '1.20', to: newest, names: ['web'] }],
    ['compute -f a -f b --filename c -f -', { flags: { ...flags, filename: ['a', 'b', 'c', '-'] } }],
    [
      'compute -fa -nshop -A -R -owide',
      { flags: { ...flags, filename: ['a'], namespace: 'shop', allNamespaces: true, recursive: true, output: 'wide' } },
    ],
    ['-n shop --no-color compute web -o yaml', { names: ['web'], flags: { namespace: 'shop', color: false, output: 'yaml' } }],
    ['compute -- -web', { names: ['-web'] }],
    ['explain web --context prod', { names: ['web'], context: 'prod', release: undefined }],
    ['diff --kubeconfig k -A', { kubeconfig: 'k', flags: { allNamespaces: true } }],
    ['upgrade --from 1.20 --kubeconfig=k', { from: '1.20', kubeconfig: 'k' }],
    [
      'run',
      {
        command: 'run',
        names: [],
        workers: 5,
        batchPeriod: 0,
        dryRun: false,
        once: false,
        leaderElect: false,
        leaderElectLeaseDuration: 15_000,
        leaderElectRenewDeadline: 10_000,
        leaderElectRetryPeriod: 2000,
        leaderElectResourceName: 'kube-endpoints',
        leaderElectResourceNamespace: 'kube-system',
        metricsPort: 0,
        metricsHost: '127.0.0.1',
        port: 6443,
      },
    ],
    [
      'run --controllers endpointslices,endpoints --workers 20 --batch-period 500ms --max-endpoints-per-slice 50 --release v1.30',
      { controllers: ['endpointslices', 'endpoints'], workers: 20, batchPeriod: 500, maxEndpointsPerSlice: 50, release: '1.30' },
    ],
    [
      'run --leader-elect --leader-elect-lease-duration 1m --leader-elect-resource-name ours --kubeconfig k --context c -n shop',
      { leaderElect: true, leaderElectLeaseDuration: 60_000, leaderElectResourceName: 'ours', kubeconfig: 'k', context: 'c' },
    ],
    [
      'run --shards group --identity me --log-level debug --log-format text',
      { shards: 'group', identity: 'me', logLevel: 'debug', logFormat: 'text' },
    ],
  ])('is parsed: %s', async (text, expected) => {
    const { invocation, stdout, stderr } = await parseLine(text);
    expect(invocation).toMatchObject(expected);
    expect(stdout + stderr).toBe('');
  });

  test.each([
    ['svc/web', 'web'],
    ['service/web', 'web'],
    ['services/web', 'web'],
    ['ep/web', 'web'],
    ['endpoints/web', 'web'],
    ['endpointslices/web', 'web'],
    ['web', 'web'],
  ])('has the Service argument %s, read as %s', async (text, name) => {
    expect((await parse(['compute', text])).invocation).toMatchObject({ names: [name] });
  });

  test.each<[string, object]>([
    ['compute services web db', { names: ['web', 'db'] }],
    ['compute svc', { names: ['svc'] }],
    ['compute shop/web shop/db', { names: ['web', 'db'], flags: { namespace: 'shop' } }],
    ['diff -n shop shop/web', { names: ['web'], flags: { namespace: 'shop' } }],
    ['proxy view --node n shop/web', { names: ['web'], flags: { namespace: 'shop' } }],
    ['explain -l app=web,tier!=back', { names: [], selector: { text: 'app=web,tier!=back' } }],
    ['upgrade --selector app -A', { selector: { text: 'app' }, flags: { allNamespaces: true } }],
  ])('selects Services as kubectl does: %s', async (text, expected) => {
    expect((await parseLine(text)).invocation).toMatchObject(expected);
  });

  test.each([
    ['app=web', { app: 'web' }, { app: 'db' }],
    ['app==web,tier', { app: 'web', tier: 'x' }, { app: 'web' }],
    ['app!=web', {}, { app: 'web' }],
    ['app in (web, db)', { app: 'db' }, { app: 'api' }],
    ['app notin (web)', { app: 'db' }, { app: 'web' }],
    ['!canary', { app: 'web' }, { canary: '' }],
  ])('has the selector %s, which matches %j and not %j', (text, matching, other) => {
    const { matches } = parseSelector(text);
    expect([matches(matching), matches(other as Record<string, string>)]).toEqual([true, false]);
  });

  test.each([
    ['po/a', 'a'],
    ['pod/a', 'a'],
    ['pods/a', 'a'],
    ['a', 'a'],
    ['svc/a', 'svc/a'],
  ])('has --pod %s, read as %s', async (text, name) => {
    expect((await parse(['explain', '--pod', text])).invocation).toMatchObject({ pod: name });
  });

  test.each([
    ['accepts an empty namespace, which counts as absent, as in kubectl', ['compute', '-n', ''], { namespace: '' }],
    ['accepts -o json for run --once', ['run', '--once', '-o', 'json'], { output: 'json' }],
    ['accepts -R for --after', ['proxy', 'diff', '--node', 'n', '--after', 'a', '-R'], { recursive: true }],
  ])('%s', async (_, argv, flags) => {
    expect((await parse(argv)).invocation).toMatchObject({ flags });
  });

  test('is parsed independently of an earlier one', async () => {
    await parseLine('compute -f a web');
    expect((await parseLine('compute -f b')).invocation).toMatchObject({ names: [], flags: { filename: ['b'] } });
  });
});

describe('an invalid command line', () => {
  test.each([
    ['explian', "error: unknown command 'explian' (Did you mean explain?)"],
    ['frobnicate', "error: unknown command 'frobnicate'"],
    ['explain --realease 1.29', "error: unknown option '--realease' (Did you mean --release?)"],
    ['compute --pod x', "error: unknown option '--pod'"],
    ['upgrade --from 1.20 --slices', "error: unknown option '--slices'"],
    ['compute --max-endpoints-per-slice 5', 'error: --max-endpoints-per-slice needs --slices'],
    [
      'diff --max-endpoints-per-slice 0',
      "error: option '--max-endpoints-per-slice <N>' argument '0' is invalid. give a whole number from 1 to 1000",
    ],
    ['upgrade --from 1.20 --release 1.30', "error: unknown option '--release'"],
    ['compute --\u001b[31m', "error: unknown option '--\\u001b[31m'"],
    ['upgrade --to 1.30 -f a.yaml', "error: required option '--from <RELEASE>' not specified"],
    ['compute pod/web', 'error: "pod/web" is not a Service: give NAME, svc/NAME or NAMESPACE/NAME; explain has --pod NAME'],
    ['compute deploy/web', 'error: "deploy/web" is not a Service: give NAME, svc/NAME or NAMESPACE/NAME'],
    ['compute svc/web/x', 'error: "svc/web/x" names no Service: give NAME, svc/NAME or NAMESPACE/NAME'],
    ['compute svc/', 'error: "svc/" names no Service: give NAME, svc/NAME or NAMESPACE/NAME'],
    ['compute shop/web back/db', 'error: the arguments are of several namespaces: give those of one namespace, or names and -A'],
    ['compute shop/web db', 'error: the arguments are of several namespaces: give those of one namespace, or names and -A'],
    ['compute -A shop/web', 'error: -A selects all namespaces, but shop/web names one: leave out one of the two'],
    ['compute -n back shop/web', 'error: -n is back, but shop/web is of shop: leave out -n, or correct it'],
    ['compute -l app=web web', 'error: names and -l select Services in different ways: leave out the names or -l'],
    [
      'compute -l app=(',
      "error: option '-l, --selector <SELECTOR>' argument 'app=(' is invalid. found '(', expected: identifier: give a selector such as app=web or \"app in (web, db)\"",
    ],
    ['run web', "error: too many arguments for 'run'. Expected 0 arguments but got 1: web."],
    [
      'run --log-level loud',
      "error: option '--log-level <LEVEL>' argument 'loud' is invalid. Allowed choices are trace, debug, info, warn, error.",
    ],
    [
      'run --leader-elect-retry-period 2',
      `error: option '--leader-elect-retry-period <DURATION>' argument '2' is invalid. give a duration, such as "15s", "1m30s" or "500ms", of at most 24 days`,
    ],
    [
      'compute -n NotAName',
      "error: option '-n, --namespace <NAMESPACE>' argument 'NotAName' is invalid. give an object name: at most 63 lower case letters, digits and \"-\", beginning and ending with a letter or digit",
    ],
    ['run -o json', 'error: -o has no effect: run prints no objects without --once'],
    ['apiserver -o table', 'error: -o has no effect: apiserver prints no objects'],
    ['dns -f a -o svg', 'error: -o svg is only for trace: give table, wide, yaml or json'],
    ['webhook manifest --service w --ca a -f b', 'error: -f has no effect: webhook manifest reads no objects'],
    ['run -R', 'error: -R has no effect without a directory: give -f DIRECTORY'],
    ['compute -n', "error: option '-n, --namespace <NAMESPACE>' argument missing"],
    [
      'compute -o JSON',
      "error: option '-o, --output <FORMAT>' argument 'JSON' is invalid. Allowed choices are table, wide, yaml, json, mermaid, svg, html.",
    ],
    [
      'upgrade --from 1.99',
      `error: option '--from <RELEASE>' argument '1.99' is invalid. Kubernetes version "1.99" is not known: give "1.9" to "${newest}", or a patch release of one, such as "1.37.0"`,
    ],
  ])('is reported in one line: %s', async (text, message) => {
    const { error, stdout, stderr } = await parseLine(text);
    expect(error).toBeInstanceOf(CommanderError);
    expect((error as CommanderError).exitCode).toBeGreaterThan(0);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: `${message}\n` });
  });
});

describe('help and version', () => {
  test.each(['--version', 'compute --version'])('%s prints the version without an error', async (text) => {
    const { error, stdout } = await parseLine(text);
    expect(error).toMatchObject({ exitCode: 0 });
    expect(stdout).toBe('9.8.7\n');
  });

  test.each(['compute --help', 'compute -h', 'help compute'])('%s prints help without an error', async (text) => {
    const { error, stdout } = await parseLine(text);
    expect(error).toMatchObject({ exitCode: 0 });
    expect(stdout).toMatch(/^Usage: kubectl-endpoints compute \[options\] \[SERVICE\.\.\.\]\n/);
    for (const flag of ['--release <RELEASE>', '-f, --filename <FILE>', '-A, --all-namespaces']) expect(stdout).toContain(flag);
  });

  test('help is wrapped to the width of the terminal', async () => {
    const measureLongestLine = async (columns: number) =>
      Math.max(...(await parse(['upgrade', '--help'], columns)).stdout.split('\n').map(({ length }) => length));
    expect(await measureLongestLine(90)).toBeLessThanOrEqual(90);
    expect(await measureLongestLine(200)).toBeGreaterThan(90);
  });
});

describe('parseReleaseFlag', () => {
  test.each([
    ['1.29', '1.29'],
    ['v1.29', '1.29'],
    ['v1.29.6', '1.29.6'],
    ['1.17', '1.17'],
    [newest, newest],
  ])('reads %s as %s', (text, release) => {
    expect(parseReleaseFlag(text)).toBe(release);
  });

  test.each(['', 'v', 'vv1.29', 'V1.29', '1', '1.8', '2.0', '1.29.', '1.029', '1.29-rc.1', ' 1.29', 'latest'])('refuses %j', (text) => {
    expect(() => parseReleaseFlag(text)).toThrow(InvalidArgumentError);
    expect(() => parseReleaseFlag(text)).toThrow(`is not known: give "1.9" to "${newest}"`);
  });
});

describe('parseMaxEndpoints', () => {
  test.each(['1', '100', '1000'])('accepts %s', (text) => {
    expect(parseMaxEndpoints(text)).toBe(Number(text));
  });

  test.each(['', '0', '-1', '1001', '1.5', '1e2', ' 1', 'all'])('refuses %j', (text) => {
    expect(() => parseMaxEndpoints(text)).toThrow(InvalidArgumentError);
  });
});
