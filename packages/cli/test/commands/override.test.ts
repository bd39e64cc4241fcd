import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { type Outcome, runLine } from '../fake-io.ts';

const files = {
  'rules.yaml': readFileSync('examples/overrides/rules.yaml', 'utf8'),
  'objects.yaml': readFileSync('examples/overrides/objects.yaml', 'utf8'),
};

const endpoints = (ip: string, otherMetadata = ''): string => `apiVersion: v1
kind: Endpoints
metadata: {namespace: shop, name: web${otherMetadata}}
subsets:
  - addresses:
      - {ip: ${ip}, nodeName: rack-a-1}
      - {ip: 10.0.2.2, nodeName: rack-b-1}
    ports: [{port: 80, protocol: TCP}]
`;

const runTest = (line: string, otherFiles: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
  runLine(`override test --rules rules.yaml ${line}`, { files: { ...files, ...otherFiles } });

const parseJson = ({ stdout }: Outcome): { readonly items: readonly Readonly<Record<string, unknown>>[] } => JSON.parse(stdout) as never;

describe('override test on an input with Endpoints', () => {
  it('shows how the rules change Endpoints', async () => {
    const { code, stdout, stderr } = await runTest('-f in.yaml', { 'in.yaml': endpoints('10.0.1.1') });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('ENDPOINTS shop/web  CREATE   changed\n');
    expect(stdout).toMatch(/ {2}rack-b-out: KeptOut: .*10\.0\.2\.2/);
    expect(stdout).toContain('  -   ready 10.0.2.2 on rack-b-1\n');
    expect(stdout).toContain('  +   not ready 10.0.2.2 on rack-b-1\n');
    expect(stdout).toContain('\n1 object, 3 rules: 1 changed.\n');
  });

  it('omits Endpoints that no rule changes', async () => {
    const unaffected = endpoints('10.0.1.1').replaceAll('rack-b', 'rack-c');
    expect(await runTest('-f in.yaml', { 'in.yaml': unaffected })).toEqual({
      code: 0,
      stdout: '1 object, 3 rules: 1 unchanged.\n',
      stderr: '',
    });
    const wide = await runTest('-f in.yaml -o wide', { 'in.yaml': unaffected });
    expect(wide.stdout).toContain('ENDPOINTS shop/web  CREATE   unchanged');
  });

  it('shows Endpoints that a rule refuses', async () => {
    const { code, stdout } = await runTest('-f in.yaml', { 'in.yaml': endpoints('127.0.0.1') });
    expect(code).toBe(1);
    expect(stdout).toMatch(/ENDPOINTS shop\/web {2}CREATE {3}refused\n {2}no-loopback: Refused: /);
  });

  it('treats Endpoints as updates of the objects in --old', async () => {
    const rules = 'rules: [{name: still, action: {freeze: {}}}]';
    const line = '-f in.yaml --old old.yaml -o json';
    const inputs = { 'rules.yaml': rules, 'in.yaml': endpoints('10.0.1.1'), 'old.yaml': endpoints('10.0.1.9') };
    const outcome = await runTest(line, inputs);
    expect(outcome.code).toBe(1);
    expect(parseJson(outcome).items).toMatchObject([
      { kind: 'Endpoints', operation: 'UPDATE', state: 'changed', decisions: [{ rule: 'still', code: 'Frozen' }] },
    ]);
    expect(JSON.stringify(parseJson(outcome).items[0]?.['object'])).toContain('10.0.1.9');
    expect((await runTest('-f in.yaml', inputs)).code).toBe(0);
  });

  it('evaluates the rules at the time of --at', async () => {
    const rules = 'rules: [{name: nights, match: {window: {start: "22:00", end: "23:00"}}, action: {keepOut: {}}}]';
    const exitCodeAt = async (time: string): Promise<number> =>
      (await runTest(`-f in.yaml --at ${time}`, { 'rules.yaml': rules, 'in.yaml': endpoints('10.0.1.1') })).code;
    expect(await exitCodeAt('2026-07-01T22:15:00Z')).toBe(1);
    expect(await exitCodeAt('2026-07-01T12:00:00Z')).toBe(0);
  });

  it('shows the decisions of audit rules, which change nothing', async () => {
    const audit = files['rules.yaml'].replace('- name: rack-b-out', '- name: rack-b-out\n    mode: audit');
    const { code, stdout } = await runTest('-f in.yaml', { 'rules.yaml': audit, 'in.yaml': endpoints('10.0.1.1') });
    expect(code).toBe(0);
    expect(stdout).toMatch(/rack-b-out: KeptOut \(audit\): /);
  });

  it('accepts EndpointSlices instead of Endpoints', async () => {
    const slice = `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: shop, name: web-x, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints:
  - {addresses: [10.0.1.1], nodeName: rack-a-1, conditions: {ready: true, serving: true, terminating: false}}
  - {addresses: [10.0.2.1], nodeName: rack-b-1, conditions: {ready: true, serving: true, terminating: false}}
ports: [{name: http, port: 80, protocol: TCP}]
`;
    const { code, stdout } = await runTest('-f in.yaml', { 'in.yaml': slice });
    expect(code).toBe(1);
    expect(stdout).toContain('ENDPOINTSLICE shop/web-x  CREATE   changed');
    expect(stdout).toMatch(/ {2}- endpoint 10\.0\.2\.1 on rack-b-1/);
  });
});

describe('override test on an input without Endpoints', () => {
  it('applies the rules to the objects that the controllers would write', async () => {
    const { code, stdout, stderr } = await runTest('-f objects.yaml -n shop --release 1.36 -o json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^hint: No Endpoints in the input: .*1\.36/) });
    const { items } = JSON.parse(stdout) as { items: { kind: string; name: string; state: string }[] };
    expect(items.map(({ kind, name, state }) => `${kind} ${name} ${state}`)).toEqual([
      'Endpoints search changed',
      'Endpoints web changed',
      'EndpointSlice  changed',
      'EndpointSlice  changed',
    ]);
  });

  it('keeps the ready share that the rules require', async () => {
    const { stdout } = await runTest('-f objects.yaml -n shop -o json');
    const { items } = JSON.parse(stdout) as {
      items: { kind: string; object: { subsets: { addresses: object[]; notReadyAddresses: object[] }[] } }[];
    };
    const counts = items
      .filter(({ kind }) => kind === 'Endpoints')
      .map(({ object: { subsets } }) => subsets.map(({ addresses, notReadyAddresses }) => [addresses.length, notReadyAddresses.length]));
    expect(counts).toEqual([[[2, 1]], [[3, 1]]]);
  });

  it('applies the rules to computed objects with --computed, even if the input has Endpoints', async () => {
    const stored = endpoints('10.0.1.1');
    const outcome = await runLine('override test --rules rules.yaml -f objects.yaml -f in.yaml --computed -o json', {
      files: { ...files, 'in.yaml': stored },
    });
    expect(parseJson(outcome).items).toContainEqual(expect.objectContaining({ kind: 'Endpoints', name: 'web', operation: 'UPDATE' }));
    expect(parseJson(outcome).items).toContainEqual(expect.objectContaining({ kind: 'Endpoints', name: 'search', operation: 'CREATE' }));
  });
});

describe('override test with rules that need objects missing in the input', () => {
  test('prints a hint', async () => {
    const rules = 'rules: [{name: gold, match: {serviceLabels: tier=gold}, action: {keepOut: {}}}]';
    const { code, stderr } = await runTest('-f in.yaml', { 'rules.yaml': rules, 'in.yaml': endpoints('10.0.1.1') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('hint: Rules that need the Service do not match') });
  });
});

describe('an invalid rule or input file', () => {
  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['-f in.yaml', { 'rules.yaml': files['rules.yaml'].replace('keepOut', 'keepAway') }, /^error: rules\.yaml:16:\d+: rules\[1\]/],
    ['-f in.yaml', { 'rules.yaml': files['rules.yaml'].replace('50%', '150%') }, /^error: rules\.yaml:23:\d+: .*150%/],
    ['-f in.yaml --rules none.yaml', {}, /^error: none\.yaml: there is no such file/],
    ['-f none.yaml', {}, /^error: none\.yaml: there is no such file/],
    ['-f in.yaml', { 'in.yaml': 'kind: Endpoints' }, /^error: in\.yaml, document 1, line 1: .*apiVersion/],
    ['-f in.yaml', { 'in.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n' }, /^error: nothing to apply rules to/],
  ])('%s %#: is reported with exit code 2', async (line, otherFiles, message) => {
    const { code, stdout, stderr } = await runTest(line, { 'in.yaml': endpoints('10.0.1.1'), ...otherFiles });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
