import { describe, expect, it } from 'vitest';
import { type ClusterZone, createClusterZone, type DnsConfig, explainAnswer, formatRecord, parseName } from '../../src/dns/index.ts';
import type { ObjectMeta } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import { endpoint, externalName, headless, namespace, pod, service, shop, slice } from './cluster.ts';

const few = (...texts: string[]) => fc.constantFrom(...texts);
const names = few('web', 'db', 'any');
/** The last one may be in a Service but fits in no packet: its label is too long. */
const addresses = few('10.0.0.1', '10.0.0.2', 'fd00::1', 'web.shop.svc.cluster.local', '', `${'x'.repeat(64)}.example.com`);
const portNames = few('http', 'p'.repeat(63));

/** A change of an object, applied both to a list of existing objects and to a zone. */
interface Change {
  readonly kind: 'services' | 'endpointSlices' | 'pods' | 'namespaces';
  readonly key: string;
  readonly object: object | undefined;
}

const services = fc.oneof(
  fc
    .record({ name: names, ip: addresses, port: portNames })
    .map(({ name, ip, port }) => service(name, { clusterIP: ip, clusterIPs: [ip], ports: [{ name: port, port: 80 }] })),
  names.map((name) => headless(name)),
  fc.record({ name: names, target: addresses }).map(({ name, target }) => externalName(name, target)),
);
const slices = fc
  .record({
    name: few('s1', 's2'),
    of: names,
    all: fc.array(fc.record({ address: addresses, ready: fc.boolean(), hostname: few('', 'h1', 'any') }), { maxLength: 4 }),
  })
  .map(({ name, of, all }) =>
    slice(
      of,
      all.map(({ address, ready, hostname }) => endpoint(address, { conditions: { ready }, hostname })),
      { metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': of } } },
    ),
  );
const pods = fc
  .record({ name: names, ip: addresses, phase: few('Running', 'Failed') })
  .map(({ name, ip, phase }) => pod(name, ip, { phase }));

const made = <T extends { readonly metadata?: ObjectMeta | null | undefined }>(kind: Change['kind'], objects: fc.Arbitrary<T>) =>
  objects.map((object): Change => ({ kind, key: `shop/${object.metadata?.name}`, object }));
const change: fc.Arbitrary<Change> = fc.oneof(
  made('services', services),
  made('endpointSlices', slices),
  made('pods', pods),
  fc.record({ name: few('shop', 'back'), there: fc.boolean() }).map(({ name, there }) => ({
    kind: 'namespaces' as const,
    key: name,
    object: there ? namespace(name) : undefined,
  })),
  fc
    .record({ kind: few('services', 'endpointSlices', 'pods'), key: few('shop/web', 'shop/db', 'shop/s1', 'shop/s2') })
    .map(({ kind, key }) => ({
      kind: kind as Change['kind'],
      key,
      object: undefined,
    })),
);

const config: fc.Arbitrary<DnsConfig> = fc.record({
  release: few('1.8', '1.11', '1.12.0', '1.14'),
  pods: fc.constantFrom('disabled', 'insecure', 'verified'),
  ignoreEmptyService: fc.boolean(),
  localIPs: fc.subarray(['10.0.0.1', '10.9.9.9']),
});

const serviceNames = ['web', 'db', 'any', '*'].flatMap((name) => [
  ...['', 'h1.', '10-0-0-1.', '_http._tcp.'].map((before) => `${before}${name}.shop.svc.cluster.local`),
  `${name}.*.svc.cluster.local`,
]);
const questions = [
  ...serviceNames,
  '10-0-0-1.shop.pod.cluster.local',
  '1.0.0.10.in-addr.arpa',
  'ns.dns.cluster.local',
  'cluster.local',
].flatMap((name) => ['A', 'AAAA', 'SRV', 'CNAME', 'PTR', 'TXT', 'NS'].map((type) => ({ name, type })));
const answersOf = (zone: ClusterZone) => questions.map((question) => zone.answer(question));

function apply(zone: ClusterZone, { kind, key, object }: Change): void {
  if (object) zone[kind].set(object as never);
  else zone[kind].delete(key);
}

describe('after any changes', () => {
  it('an updated zone equals a zone created from the current objects', () => {
    fc.assert(
      fc.property(config, fc.array(change, { maxLength: 12 }), (options, changes) => {
        const [zone, world] = [createClusterZone(options), new Map<string, Change>()];
        for (const each of changes) {
          apply(zone, each);
          answersOf(zone);
          world.delete(`${each.kind} ${each.key}`);
          if (each.object) world.set(`${each.kind} ${each.key}`, each);
        }
        const fresh = createClusterZone(options);
        for (const each of world.values()) apply(fresh, each);
        expect(answersOf(zone)).toEqual(answersOf(fresh));
        expect([...zone.transfer('cluster.local')]).toEqual([...fresh.transfer('cluster.local')]);
      }),
      { numRuns: 150 },
    );
  });

  it('an unchanged revision means unchanged answers', () => {
    fc.assert(
      fc.property(config, fc.array(change, { maxLength: 8 }), change, (options, changes, last) => {
        const zone = createClusterZone(options);
        for (const each of changes) apply(zone, each);
        const [before, revision] = [answersOf(zone), zone.revision];
        apply(zone, last);
        if (zone.revision === revision) expect(answersOf(zone)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });
});

describe('any question', () => {
  const label = fc.oneof(
    few('web', 'db', 'shop', 'svc', 'pod', 'any', '*', '_http', '_tcp', '10-0-0-1', '', '_', '\\', '\\.', '\0'),
    fc.string({ unit: 'binary' }),
  );
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.array(label, { maxLength: 8 }), few('', '.cluster.local', '.cluster.local.', '.in-addr.arpa.', '.ip6.arpa', '.'))
      .map(([labels, zone]) => labels.join('.') + zone),
    fc.integer({ min: 0, max: 300 }).map((length) => `${'a'.repeat(length)}.shop.svc.cluster.local`),
  );
  const type = fc.oneof(few('A', 'AAAA', 'SRV', 'PTR', 'TXT', 'NS', 'SOA', 'CNAME', 'MX', 'ANY', 'AXFR'), fc.string());

  it('is answered or left to others, with an explanation and printable records', () => {
    const zones = ['1.8', '1.14'].map((release) =>
      createClusterZone({ release, pods: 'insecure', zones: ['cluster.local', 'in-addr.arpa', 'ip6.arpa'] }, { objects: shop }),
    );
    fc.assert(
      fc.property(name, type, (asks, asksType) => {
        for (const zone of zones) {
          const { reply, reason } = zone.answer({ name: asks, type: asksType });
          expect(explainAnswer(reason)).not.toBe('');
          for (const record of [...(reply?.answer ?? []), ...(reply?.additional ?? []), ...(reply?.authority ?? [])]) {
            expect(formatRecord(record)).toMatch(/^[\x21-\x7e ]+$/);
          }
        }
        const parsed = parseName(asks);
        expect(parsed.request === undefined).toBe(parsed.reason !== undefined);
      }),
      { numRuns: 500 },
    );
  });
});
