import { describe, expect, test } from 'vitest';
import { runLine } from '../fake-io.ts';

const shop = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { clusterIP: '10.96.0.7', selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'db', namespace: 'shop' },
      spec: { clusterIP: 'None', selector: { app: 'db' }, ports: [{ port: 5432 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'mail', namespace: 'shop' },
      spec: { type: 'ExternalName', externalName: 'mail.example.com' },
    },
    pod('db-0', { app: 'db' }, '10.0.0.1', { hostname: 'db-0', subdomain: 'db' }),
    pod('edge', {}, '10.0.0.9', { dnsPolicy: 'ClusterFirst', hostNetwork: true }),
    pod('own', {}, '10.0.0.8', {
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['1.1.1.1'], searches: ['svc.cluster.local'], options: [{ name: 'ndots', value: '2' }] },
    }),
  ],
});

function pod(name: string, labels: object, podIP: string, spec: object): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels, uid: name },
    spec: { containers: [{ name: 'c' }], nodeName: 'n1', restartPolicy: 'Always', ...spec },
    status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

const resolve = (line: string) => runLine(`resolve -f shop.json ${line}`, { files: { 'shop.json': shop } });
const dataOf = async (line: string) => JSON.parse((await resolve(`${line} -o json`)).stdout);
/** Such as "web.shop.svc.cluster.local. A NXDOMAIN", for each name that was tried. */
const listTriedNames = async (line: string): Promise<string[]> =>
  (await dataOf(line)).tried.map(({ name, type, rcode }: Record<string, string>) => `${name} ${type} ${rcode}`);

describe('a name that resolves', () => {
  test('is shown with its records, the reason and the names tried', async () => {
    const { code, stdout, stderr } = await resolve('-n shop web A');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('hint: No EndpointSlices in the input') });
    expect(stdout).toBe(
      [
        'NAME                          TTL   TYPE   VALUE',
        'web.shop.svc.cluster.local.   5     A      10.96.0.7',
        '',
        'Service shop/web has the cluster IP 10.96.0.7.',
        '',
        'TRIED                         TYPE   ANSWER   WHY',
        'web.shop.svc.cluster.local.   A      found    Service shop/web has the cluster IP 10.96.0.7.',
        '',
        'Search path of namespace shop: shop.svc.cluster.local svc.cluster.local cluster.local; ndots 5.',
        '',
      ].join('\n'),
    );
  });

  test.each<[string, string[]]>([
    ['web.shop', ['10.96.0.7']],
    ['-n shop db-0.db', ['10.0.0.1']],
    ['-n shop db a', ['10.0.0.1']],
    ['10.96.0.7', ['web.shop.svc.cluster.local.']],
    ['mail.shop CNAME', ['mail.example.com.']],
    ['10-0-0-1.shop.pod.cluster.local. --pods verified', ['10.0.0.1']],
    ['web.shop.svc.acme.test. --zone acme.test', ['10.96.0.7']],
  ])('has the expected records: %s', async (line, expected) => {
    const { code } = await resolve(line);
    const { found, records } = await dataOf(line);
    expect([code, found, records.map(({ address, target }: Record<string, string>) => address ?? target)]).toEqual([0, true, expected]);
  });

  test('has the TTL of --ttl', async () => {
    expect((await dataOf('web.shop A --ttl 30')).records).toMatchObject([{ ttl: 30 }]);
  });

  test('causes a hint if it is an alias of an outside name', async () => {
    const { code, stderr } = await resolve('mail.shop');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('hint: mail.example.com. is outside of the cluster, and is not looked up here.'),
    ]);
  });

  test('is shown with its additional records only with -o wide', async () => {
    const line = '_http._tcp.web.shop.svc.cluster.local. SRV';
    expect((await resolve(line)).stdout).not.toContain('10.96.0.7');
    expect((await resolve(`${line} -o wide`)).stdout).toContain('10.96.0.7');
  });

  test('may be a wildcard in CoreDNS 1.8', async () => {
    expect((await resolve('*.shop.svc.cluster.local. A --coredns 1.8')).code).toBe(0);
    expect((await resolve('*.shop.svc.cluster.local. A')).code).toBe(1);
  });
});

describe('a name that does not resolve', () => {
  test.each([
    ['-n shop nothing', 'Not found (NXDOMAIN): There is no Service nothing in namespace shop.'],
    ['-n shop web.shpo', 'Not found (NXDOMAIN): There is no namespace shpo.'],
    ['web.shop MX', 'No such record (NODATA): web.shop.svc.cluster.local. has no record of type MX; it has A and SRV.'],
    ['-n shop db-7.db', 'Not found (NXDOMAIN): Service shop/db has no ready endpoint named db-7; its ready endpoints are db-0.'],
    ['example.com.', 'Outside of the cluster: example.com. is in none of the zones'],
  ])('is reported with its reason: %s', async (line, verdict) => {
    const { code, stdout } = await resolve(line);
    expect(code).toBe(1);
    expect(stdout.split('\n')[0]).toContain(verdict);
  });

  test('may exist outside the cluster, with a hint', async () => {
    const { stderr } = await resolve('example.com');
    expect(stderr).toContain('hint: example.com. itself is outside of the cluster, and is not looked up here.');
  });

  test('is reported once for types with the same answer', async () => {
    const { stdout } = await resolve('nothing.shop.svc.cluster.local.');
    expect(stdout).toMatch(/^nothing\.shop\.svc\.cluster\.local\. +A,AAAA +NXDOMAIN/m);
  });
});

describe('the names tried', () => {
  test('follow the search path and end with the name itself, up to the first match', async () => {
    expect(await listTriedNames('web.shop A')).toEqual([
      'web.shop.default.svc.cluster.local. A NXDOMAIN',
      'web.shop.svc.cluster.local. A NOERROR',
    ]);
    expect(await listTriedNames('-n shop x A')).toEqual([
      'x.shop.svc.cluster.local. A NXDOMAIN',
      'x.svc.cluster.local. A NXDOMAIN',
      'x.cluster.local. A NXDOMAIN',
      'x. A REFUSED',
    ]);
  });

  test('follow the DNS settings of the pod', async () => {
    expect(await listTriedNames('web.shop A --from shop/pod/own')).toEqual(['web.shop.svc.cluster.local. A NOERROR']);
    const { stderr } = await resolve('web.shop A -n shop --from pod/own');
    expect(stderr).toContain('hint: With dnsPolicy None, pod shop/own asks its own servers (1.1.1.1): this is what the cluster');
  });

  test('follow the resolver of the node for a hostNetwork pod, as a hint explains', async () => {
    const { code, stderr } = await resolve('web.shop A -n shop --from edge');
    expect([code, stderr]).toEqual([1, expect.stringContaining('asks the resolver of its node')]);
  });
});

describe('an invalid question or input', () => {
  test.each([
    ['--from pod/nobody web', 'error: --from: there is no pod "nobody" in namespace "default"\n'],
    ['--from a/b/c/d web', 'error: --from "a/b/c/d": give pod/NAME or NAMESPACE/pod/NAME\n'],
    [`${'a'.repeat(254)}`, /^error: "a{60}" is not a DNS name: give one of 1 to 253 characters\n$/],
    ['http://web.shop', 'error: "http://web.shop" is not a DNS name: remove scheme and port, as in cart.shop\n'],
    ['web.shop:80', 'error: "web.shop:80" is not a DNS name: remove scheme and port, as in cart.shop\n'],
    ['web --coredns 1.5', /^error: option '--coredns <RELEASE>' argument '1\.5' is invalid\. .*"1\.6" to /],
    ['web Q', /error: .*'Q' is invalid.*give a record type, such as A, AAAA, SRV/],
    ['web --ttl 3601', /give a whole number of seconds from 0 to 3600/],
    ['web --zone a..b', /give a domain such as cluster\.local/],
    ['web --pods some', /Allowed choices are disabled, insecure, verified/],
  ])('is refused: %s', async (line, message) => {
    const { code, stdout, stderr } = await resolve(line);
    expect([code, stdout]).toEqual([2, '']);
    const errors = stderr.replace(/^hint: .*\n/gm, '');
    if (typeof message === 'string') expect(errors).toBe(message);
    else expect(errors).toMatch(message);
  });

  test('does not stop the lookup in the valid objects, but sets exit code 2', async () => {
    const files = { 'a.json': '{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"externalIPs":["x"]}}' };
    const { code, stderr } = await runLine('resolve -f a.json web', { files });
    expect([code, stderr]).toEqual([2, expect.stringContaining('spec.externalIPs[0] is "x": give an IPv4 or IPv6 address')]);
  });
});
