import { createDnsServer, type DnsServer } from '@kube-endpoints/dns-server';
import type { Checks } from './checks.ts';
import { dig } from './dig.ts';
import { serveDns } from './server.ts';

const upstreamNames: ReadonlySet<string> = new Set(['example.com.', 'a.example.com.', 'b.example.com.']);

/** Creates an upstream resolver that knows a few names. */
const createUpstream = (): DnsServer =>
  createDnsServer({
    answer: ({ name, type }) => ({
      reply: {
        rcode: 'NOERROR',
        authoritative: false,
        answer: upstreamNames.has(name) && type === 'A' ? [{ name, ttl: 30, type, address: '192.0.2.80' }] : [],
        authority: [],
        additional: [],
      },
      reason: { code: 'ZoneApex', values: {} },
    }),
  });

/** Checks names outside of the cluster: as the target of an ExternalName Service, and in direct questions. */
export async function checkOutside(file: string, checks: Checks): Promise<void> {
  await using upstream = createUpstream();
  const { port } = await upstream.listen();
  await using dns = await serveDns('-f', file, '--forward', `127.0.0.1:${port}`);
  for (const transport of ['+notcp', '+tcp']) {
    const alias = await dig(dns.port, `outside.shop.svc.cluster.local A ${transport}`);
    checks.checkEqual(`an ExternalName is resolved ${transport}`, alias.answer, [
      'outside.shop.svc.cluster.local. 5 IN CNAME example.com.',
      'example.com. 30 IN A 192.0.2.80',
    ]);
    const forwarded = await dig(dns.port, `example.com A ${transport}`);
    checks.checkEqual(
      `other names are forwarded ${transport}`,
      [forwarded.answer, forwarded.flags.includes('aa')],
      [['example.com. 30 IN A 192.0.2.80'], false],
    );
  }
  const several = await dig(dns.port, 'several.shop.svc.cluster.local A');
  checks.checkEqual('each of several external names is resolved', several.answer, [
    'several.shop.svc.cluster.local. 5 IN CNAME a.example.com.',
    'a.example.com. 30 IN A 192.0.2.80',
    'several.shop.svc.cluster.local. 5 IN CNAME b.example.com.',
    'b.example.com. 30 IN A 192.0.2.80',
  ]);
  await upstream.close();
  const unresolved = await dig(dns.port, 'outside.shop.svc.cluster.local A');
  checks.checkEqual(
    'an ExternalName is answered with only its CNAME if the upstream is unreachable',
    [unresolved.status, unresolved.answer.length],
    ['NOERROR', 1],
  );
  const failed = await dig(dns.port, 'example.com A');
  checks.checkEqual('a name outside of the cluster is SERVFAIL if the upstream is unreachable', failed.status, 'SERVFAIL');
}
