import { describe, expect, it } from 'vitest';
import { type ClusterZone, createClusterZone, type DnsConfig, explainAnswer, formatRecord, parseName } from '../../src/dns/index.ts';
import type { ObjectMeta } from '../../src/types/index.ts';
import { fc } from '../support/property.ts';
import {
  makeEndpoint,
  makeExternalNameService,
  makeHeadlessService,
  makeNamespace,
  makePod,
  makeService,
  makeSlice,
  shopObjects,
} from './cluster.ts';

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const names = oneOf('web', 'db', 'any');
/** The last address is a name with a label that is too long for a DNS packet. */
const addresses = oneOf('10.0.0.1', '10.0.0.2', 'fd00::1', 'web.shop.svc.cluster.local', '', `${'x'.repeat(64)}.example.com`);
const portNames = oneOf('http', 'p'.repeat(63));

/** A change of an object, applied both to a list of existing objects and to a zone. */
interface Change {
  readonly kind: 'services' | 'endpointSlices' | 'pods' | 'namespaces';
  readonly key: string;
  readonly object: object | undefined;
}

const services = fc.oneof(
  fc
    .record({ name: names, ip: addresses, port: portNames })
    .map(({ name, ip, port }) => makeService(name, { clusterIP: ip, clusterIPs: [ip], ports: [{ name: port, port: 80 }] })),
  names.map((name) => makeHeadlessService(name)),
  fc.record({ name: names, target: addresses }).map(({ name, target }) => makeExternalNameService(name, target)),
);
const slices = fc
  .record({
    name: oneOf('s1', 's2'),
    serviceName: names,
    endpointFields: fc.array(fc.record({ address: addresses, ready: fc.boolean(), hostname: oneOf('', 'h1', 'any') }), { maxLength: 4 }),
  })
  .map(({ name, serviceName, endpointFields }) =>
    makeSlice(
      serviceName,
      endpointFields.map(({ address, ready, hostname }) => makeEndpoint(address, { conditions: { ready }, hostname })),
      { metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': serviceName } } },
    ),
  );
const pods = fc
  .record({ name: names, ip: addresses, phase: oneOf('Running', 'Failed') })
  .map(({ name, ip, phase }) => makePod(name, ip, { phase }));

const createChange = <T extends { readonly metadata?: ObjectMeta | null | undefined }>(kind: Change['kind'], objects: fc.Arbitrary<T>) =>
  objects.map((object): Change => ({ kind, key: `shop/${object.metadata?.name}`, object }));
const change: fc.Arbitrary<Change> = fc.oneof(
  createChange('services', services),
  createChange('endpointSlices', slices),
  createChange('pods', pods),
  fc.record({ name: oneOf('shop', 'back'), exists: fc.boolean() }).map(({ name, exists }) => ({
    kind: 'namespaces' as const,
    key: name,
    object: exists ? makeNamespace(name) : undefined,
  })),
  fc
    .record({ kind: oneOf('services', 'endpointSlices', 'pods'), key: oneOf('shop/web', 'shop/db', 'shop/s1', 'shop/s2') })
    .map(({ kind, key }) => ({
      kind: kind as Change['kind'],
      key,
      object: undefined,
    })),
);

const config: fc.Arbitrary<DnsConfig> = fc.record({
  release: oneOf('1.8', '1.11', '1.12.0', '1.14'),
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
        const [zone, currentObjects] = [createClusterZone(options), new Map<string, Change>()];
        for (const each of changes) {
          apply(zone, each);
          answersOf(zone);
          currentObjects.delete(`${each.kind} ${each.key}`);
          if (each.object) currentObjects.set(`${each.kind} ${each.key}`, each);
        }
        const newZone = createClusterZone(options);
        for (const each of currentObjects.values()) apply(newZone, each);
        expect(answersOf(zone)).toEqual(answersOf(newZone));
        expect([...zone.transfer('cluster.local')]).toEqual([...newZone.transfer('cluster.local')]);
      }),
      { numRuns: 150 },
    );
  });

  it('an unchanged revision means unchanged answers', () => {
    fc.assert(
      fc.property(config, fc.array(change, { maxLength: 8 }), change, (options, changes, lastChange) => {
        const zone = createClusterZone(options);
        for (const each of changes) apply(zone, each);
        const [before, revision] = [answersOf(zone), zone.revision];
        apply(zone, lastChange);
        if (zone.revision === revision) expect(answersOf(zone)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });
});

describe('any question', () => {
  const label = fc.oneof(
    oneOf('web', 'db', 'shop', 'svc', 'pod', 'any', '*', '_http', '_tcp', '10-0-0-1', '', '_', '\\', '\\.', '\0'),
    fc.string({ unit: 'binary' }),
  );
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.array(label, { maxLength: 8 }), oneOf('', '.cluster.local', '.cluster.local.', '.in-addr.arpa.', '.ip6.arpa', '.'))
      .map(([labels, zone]) => labels.join('.') + zone),
    fc.integer({ min: 0, max: 300 }).map((length) => `${'a'.repeat(length)}.shop.svc.cluster.local`),
  );
  const type = fc.oneof(oneOf('A', 'AAAA', 'SRV', 'PTR', 'TXT', 'NS', 'SOA', 'CNAME', 'MX', 'ANY', 'AXFR'), fc.string());

  it('has an explanation, and a reply with printable records or no reply', () => {
    const zones = ['1.8', '1.14'].map((release) =>
      createClusterZone({ release, pods: 'insecure', zones: ['cluster.local', 'in-addr.arpa', 'ip6.arpa'] }, { objects: shopObjects }),
    );
    fc.assert(
      fc.property(name, type, (queryName, queryType) => {
        for (const zone of zones) {
          const { reply, reason } = zone.answer({ name: queryName, type: queryType });
          expect(explainAnswer(reason)).not.toBe('');
          for (const record of [...(reply?.answer ?? []), ...(reply?.additional ?? []), ...(reply?.authority ?? [])]) {
            expect(formatRecord(record)).toMatch(/^[\x21-\x7e ]+$/);
          }
        }
        const parsed = parseName(queryName);
        expect(parsed.request === undefined).toBe(parsed.reason !== undefined);
      }),
      { numRuns: 500 },
    );
  });
});
