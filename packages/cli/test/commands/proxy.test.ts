import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { type Outcome, runLine } from '../fake-io.ts';

const objects = readFileSync('examples/proxy/objects.yaml', 'utf8');
const runProxy = (line: string, files: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
  runLine(`proxy ${line}`, { files: { 'objects.yaml': objects, ...files } });

describe('proxy render', () => {
  it('prints a script for nft', async () => {
    const { code, stdout, stderr } = await runProxy('render --node n1 -f objects.yaml');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^(add|flush|delete|destroy) table ip kube-proxy/);
    expect(stdout).toContain('10.96.0.10 . tcp . 80');
    expect(stdout).toContain('192.168.0.1');
  });

  it('prints input for iptables-restore', async () => {
    const { code, stdout } = await runProxy('render --node n1 --mode iptables -f objects.yaml');
    expect(code).toBe(0);
    expect(stdout.match(/^(\*\w+|COMMIT)$/gm)).toEqual(['*filter', 'COMMIT', '*nat', 'COMMIT']);
    expect(stdout).toContain('-I PREROUTING ');
    expect((await runProxy('render --node n1 --mode iptables --no-jumps -f objects.yaml')).stdout).not.toContain('-I ');
  });

  it('prints input for ip, ipset, ipvsadm and iptables-restore', async () => {
    const { code, stdout } = await runProxy('render --node n1 --mode ipvs --ipvs-scheduler lc --no-jumps -f objects.yaml');
    expect(code).toBe(0);
    expect(stdout.match(/^# .*$/gm)).toEqual(['# ip -batch -', '# ipset restore', '# ipvsadm -R', '# iptables-restore --noflush']);
    expect(stdout.match(/^-A -t .*$/gm)).not.toHaveLength(0);
    expect(stdout.match(/^-A -t (?!.* -s lc).*$/gm)).toBeNull();
    expect(stdout).not.toContain('-I ');
    const refused = await runProxy('render --node n1 --mode ipvs --release 1.23 -f objects.yaml');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the mode ipvs are specified from 1.24 on') });
  });

  it('prints rules as data', async () => {
    for (const mode of ['nftables', 'iptables', 'ipvs']) {
      const { stdout } = await runProxy(`render --node n1 --mode ${mode} -f objects.yaml -o json`);
      expect(JSON.parse(stdout)).toMatchObject({ release: '1.36', node: 'n1', mode, family: 'IPv4', rules: { family: 'IPv4' } });
    }
  });

  it.each(['view', 'render', 'diff --after objects.yaml'])(
    '%s follows the kube-proxy of --release or of the environment',
    async (action) => {
      const line = `${action} --node n1 -f objects.yaml -o json`;
      const releaseOfOutput = ({ stdout }: Outcome): unknown => JSON.parse(stdout).release;
      expect(releaseOfOutput(await runProxy(line))).toBe('1.36');
      expect(releaseOfOutput(await runProxy(`${line} --release 1.29.3`))).toBe('1.29.3');
    },
  );

  it('prints the rules of a release', async () => {
    const rulesOf = async (release: string): Promise<string> =>
      (await runProxy(`render --node n1 -f objects.yaml --release ${release}`)).stdout;
    expect(await rulesOf('1.29')).toContain('fib daddr type local ip daddr != 127.0.0.0/8');
    expect(await rulesOf('1.30')).toContain('add element ip kube-proxy nodeport-ips { 192.168.0.1 }');
    expect(await rulesOf('1.30')).not.toBe(await rulesOf('1.37'));
  });

  it('names the accepted releases', async () => {
    const { code, stderr } = await runProxy('render --node n1 -f objects.yaml --release 1.16');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('give "1.17" to "1.37"') });
    const nftables = await runProxy('render --node n1 -f objects.yaml --release 1.28');
    expect(nftables.stderr).toContain('kube-proxy has the mode nftables since 1.29: use the mode iptables');
    expect((await runProxy('render --node n1 -f objects.yaml --release 1.28 --mode iptables')).code).toBe(0);
    const { stdout } = await runProxy('render --node n1 -f objects.yaml --release 1.19 --mode iptables');
    expect(stdout).toContain('-j KUBE-SVC-');
    expect(stdout).not.toContain('KUBE-EXT-');
  });

  it('reads Endpoints, not EndpointSlices, if kube-proxy of the release does', async () => {
    const line = 'render --node n1 -f objects.yaml --release 1.17 --mode iptables';
    const withoutEndpoints = await runProxy(line);
    expect(withoutEndpoints.stdout).not.toContain('-j KUBE-SVC-');
    expect(withoutEndpoints.stderr).toContain(
      'kube-proxy 1.17 reads Endpoints, not EndpointSlices, and the input lacks those of 2 Services',
    );
    const endpoints =
      'kind: Endpoints\nmetadata: { name: web, namespace: shop }\nsubsets: [{ addresses: [{ ip: 10.1.1.5 }], ports: [{ name: http, port: 8080 }] }]';
    expect((await runProxy(`${line} -f endpoints.yaml`, { 'endpoints.yaml': `apiVersion: v1\n${endpoints}` })).stdout).toContain(
      '--to-destination 10.1.1.5:8080',
    );
    expect((await runProxy(`${line} --feature-gates EndpointSlice=true`)).stdout).toContain('--to-destination 10.1.1.5:8080');
  });

  it('covers Services of all namespaces, regardless of -n', async () => {
    const allNamespaces = await runProxy('render --node n1 -f objects.yaml');
    expect((await runProxy('render --node n1 -n other -f objects.yaml')).stdout).toBe(allNamespaces.stdout);
  });

  it('reports node fields that cannot be used', async () => {
    const { code, stderr } = await runProxy('render --node n1 -f objects.yaml', {
      'objects.yaml': objects.replace('[10.1.1.0/24]', '[10.1.1.0]'),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('node.podCIDRs: "10.1.1.0" is not a CIDR');
    expect(stderr).not.toContain('bug');
  });

  it('lists the existing nodes if --node does not exist', async () => {
    expect(await runProxy('render --node n9 -f objects.yaml')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --node: no Node "n9" in the input: there are n1, n2\n',
    });
  });

  it('prints rules for the valid objects of a file, and reports the others', async () => {
    const broken = `${objects}---\napiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: [{port: 70000}]}\n`;
    const { code, stdout, stderr } = await runProxy('render --node n1 -f objects.yaml', { 'objects.yaml': broken });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Service default/x') });
    expect(stdout).toContain('10.96.0.10 . tcp . 80');
  });
});

describe('proxy diff', () => {
  const ready = { 'after.yaml': objects.replace('ready: false', 'ready: true') };

  it('prints the smallest change', async () => {
    const { code, stdout } = await runProxy('diff --node n1 -f objects.yaml --after after.yaml', ready);
    expect(code).toBe(1);
    expect(stdout.split('\n').filter((line) => line.includes('add rule'))).toHaveLength(1);
    const iptables = await runProxy('diff --node n1 --mode iptables -f objects.yaml --after after.yaml', ready);
    expect(iptables.code).toBe(1);
    expect(iptables.stdout.match(/^:\S+/gm)).toEqual([expect.stringMatching(/^:KUBE-SVC-/), expect.stringMatching(/^:KUBE-SEP-/)]);
    const { transaction } = JSON.parse(
      (await runProxy('diff --node n1 --mode iptables -f objects.yaml --after after.yaml -o json', ready)).stdout,
    );
    expect(transaction.tables.nat.write).toHaveLength(2);
  });

  it('uses the old node if the new objects hold none', async () => {
    const nodeless = objects.split(/^---$/m).filter((document) => !/^kind: Node$/m.test(document));
    for (const mode of ['nftables', 'iptables']) {
      const { code, stdout, stderr } = await runProxy(`diff --node n1 --mode ${mode} -f objects.yaml --after after.yaml`, {
        'after.yaml': nodeless.join('---'),
      });
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: '',
        stderr: 'hint: --after: The input has no Nodes: the node is assumed to be unchanged.\n',
      });
    }
  });

  it('gives a hint if the new objects hold no slices', async () => {
    const sliceless = objects.split(/^---$/m).filter((document) => !/^kind: EndpointSlice$/m.test(document));
    const { stderr } = await runProxy('diff --node n1 -f objects.yaml --after after.yaml', { 'after.yaml': sliceless.join('---') });
    expect(stderr).toBe(
      'hint: --after: No EndpointSlices in the input: these are what Kubernetes 1.36 writes for its Services and Pods.\n',
    );
  });

  it('prints nothing if nothing changes', async () => {
    const unchanged = { 'after.yaml': objects };
    for (const mode of ['nftables', 'iptables']) {
      expect(await runProxy(`diff --node n1 --mode ${mode} -f objects.yaml --after after.yaml`, unchanged)).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
    }
  });

  it('compares nothing if a file cannot be read', async () => {
    const { code, stdout, stderr } = await runProxy('diff --node n1 -f objects.yaml --after none.yaml');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('none.yaml');
  });
});

describe('proxy view', () => {
  it('exits with 1 if traffic has no endpoint', async () => {
    expect((await runProxy('view --node n1 -n shop -f objects.yaml')).code).toBe(1);
    expect((await runProxy('view --node n2 -n shop -f objects.yaml cache')).code).toBe(0);
  });

  it('reports a Service that does not exist', async () => {
    const { code, stderr } = await runProxy('view --node n1 -n shop -f objects.yaml nothing');
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'error: services "nothing" not found in namespace "shop"\n' });
    expect((await runProxy('view --node n1 -f objects.yaml')).stderr).toContain('The input has Services in shop');
  });
});

it('proxy render reads all namespaces of a cluster', async () => {
  const service = { clusterIP: '10.96.0.77', selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] };
  await using server = await createApiServer({
    objects: [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status: { addresses: [{ type: 'InternalIP', address: '192.168.0.1' }] } },
      { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name: 'web' }, spec: service },
    ],
  });
  const kubeconfig = join(makeFolder(), 'kubeconfig');
  await (await server.listen()).writeKubeconfig(kubeconfig);
  const { code, stdout, stderr } = await runLine(`proxy render --node n1 --mode iptables --release 1.36 --kubeconfig ${kubeconfig}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('"shop/web:http has no endpoints" -m tcp -p tcp -d 10.96.0.77 --dport 80 -j REJECT');
});
