import type { DnsQuestion } from 'kube-endpoints/dns';
import type { Random } from '../random.ts';
import type { DnsCase } from './case.ts';
import { namespaceNames, reverseName, type ServiceSketch, toDashed } from './generate-names.ts';
import { apexQuestions, createRandomnessCheck, isAskable, makeOddNames } from './generate-odd-queries.ts';

/** Creates questions that have answers, similar ones that do not, and names composed of words of the grammar. */
export function makeQueries(random: Random, zone: string, sketches: readonly ServiceSketch[], objects: DnsCase['objects']): DnsQuestion[] {
  const names = [
    ...sketches.flatMap((sketch) => makeNames(random, zone, sketch)),
    ...random.shuffle(fixedNames(zone)).slice(0, 6),
    ...Array.from({ length: 8 }, () => composeName(random, zone, sketches)),
    ...makeOddNames(random, zone, objects),
  ].filter(isAskable);
  const isRandom = createRandomnessCheck(objects);
  return [...names.map((name) => ({ name, type: typeFor(random, name) })), ...apexQuestions(random, zone, types)].map((question) => {
    const type = isRandom(question) ? random.pick(['A', 'AAAA', 'SRV']) : question.type;
    return { name: random.chance(0.06) ? mixCase(random, question.name) : question.name, type };
  });
}

const mixCase = (random: Random, name: string): string =>
  [...name].map((letter) => (random.chance(0.4) ? letter.toUpperCase() : letter)).join('');

function typeFor(random: Random, name: string): string {
  if (/arpa\.$/i.test(name) && random.chance(0.8)) return 'PTR';
  if (name.startsWith('dns-version.') && random.chance(0.7)) return 'TXT';
  return name.startsWith('_') && random.chance(0.7) ? 'SRV' : random.pick(types);
}

const types: readonly string[] = [
  ...['A', 'A', 'A', 'A', 'A', 'AAAA', 'AAAA', 'AAAA', 'SRV', 'SRV', 'SRV'],
  ...['CNAME', 'TXT', 'MX', 'NS', 'SOA', 'PTR', 'ANY', 'CAA', 'HTTPS', 'NAPTR', 'DS'],
];

function makeNames(random: Random, zone: string, { name, namespace, service, ports, members, families }: ServiceSketch): string[] {
  const base = `${name}.${namespace}.svc.${zone}`;
  const pickSome = <T>(all: readonly T[], max: number): T[] => random.shuffle(all).slice(0, max);
  const labels = members.flatMap((member) => [
    ...families.map((family) => toDashed(member.addresses[family])),
    ...(member.name.length < 64 ? [member.name] : []),
    ...(member.hostname ? [member.hostname] : []),
  ]);
  const addresses = [
    ...members.flatMap((member) => families.map((family) => member.addresses[family])),
    ...(service.spec?.clusterIPs ?? []).filter((address) => address !== 'None'),
    ...(service.spec?.externalIPs ?? []),
    ...(service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : [])),
  ];
  const portNames = ports.map((port) => `_${port.name ?? random.pick(['http', 'any', ''])}._${port.protocol.toLowerCase()}`);
  return [
    ...Array.from({ length: 3 }, () => base),
    ...pickSome(portNames, 2).flatMap((port) => [
      `${port}.${base}`,
      ...(random.chance(0.15) && !port.startsWith('_.') ? [`${port.replaceAll('_', '')}.${base}`] : []),
    ]),
    ...pickSome(labels, 3).map((label) => `${label}.${base}`),
    ...pickSome(labels, 1).map((label) => `${random.pick([...portNames, '_http._tcp'])}.${label}.${base}`),
    ...pickSome(addresses, 2).flatMap((address) => [reverseName(address), `${toDashed(address)}.${namespace}.pod.${zone}`]),
    ...pickSome(wildcardNames(name, namespace, base, zone), 2),
  ];
}

const wildcardNames = (name: string, namespace: string, base: string, zone: string): string[] => [
  `*.${namespace}.svc.${zone}`,
  `any.${namespace}.svc.${zone}`,
  `${name}.*.svc.${zone}`,
  `*.${base}`,
  `_*._tcp.${base}`,
  `_any._any.${base}`,
  `*.*.svc.${zone}`,
  `*._tcp.${base}`,
  `_nosuch._tcp.${base}`,
  `nosuch.${base}`,
  `a.b.${base}`,
  `a.b.c.${base}`,
  `${namespace}.svc.${zone}`,
  `${namespace}.pod.${zone}`,
];

const fixedNames = (zone: string): string[] => [
  ...[zone, zone, `ns.dns.${zone}`, `dns.${zone}`, `dns-version.${zone}`, `x.dns-version.${zone}`, `svc.${zone}`, `pod.${zone}`],
  ...[`nosuch.${zone}`, `default.svc.${zone}`, `nosuch.svc.${zone}`, `nosuch.default.svc.${zone}`, `web.gone.svc.${zone}`],
  ...[`web.default.${zone}`, `web.default.foo.${zone}`, `_tcp.web.default.svc.${zone}`, `_http.web.default.svc.${zone}`],
  ...['1-2-3-4', '1-2-3-999', 'fd00--1', 'fd00-0-0-0-0-0-0-1', 'not-an-ip', '*', '1-2-3-4-5', '01-2-3-4', '--1', '--ffff-1-2-3-4', '-'].map(
    (label) => `${label}.default.pod.${zone}`,
  ),
  ...[`1-2-3-4.gone.pod.${zone}`, `1-2-3-4.a.default.pod.${zone}`, `1-2-3-4.*.pod.${zone}`],
  ...['example.com.', 'db.example.com.', 'nosuch.example.com.', 'in-addr.arpa.', 'ip6.arpa.', '1.10.in-addr.arpa.', 'other.example.'],
  ...['x.1.0.0.10.in-addr.arpa.', '256.0.0.10.in-addr.arpa.', '5.4.3.2.1.in-addr.arpa.', 'a.0.0.10.in-addr.arpa.', '1.0.d.f.ip6.arpa.'],
  ...[`web.default.svc.other.example.`, `svc.other.example.`],
];

/** Joins a few labels of the grammar in any order. */
function composeName(random: Random, zone: string, sketches: readonly ServiceSketch[]): string {
  const words = [
    ...sketches.flatMap(({ name, members }) => [name, ...members.slice(0, 1).map((member) => member.name)]),
    ...namespaceNames,
    ...[
      'svc',
      'svc',
      'svc',
      'pod',
      'pod',
      '_http',
      '_tcp',
      '_udp',
      'http',
      'tcp',
      '10-0-0-1',
      'fd00--1',
      '*',
      'any',
      'dns',
      'ns',
      '_',
      '_any',
    ],
  ].filter((word) => word.length < 64);
  const labels = Array.from({ length: 1 + random.int(6) }, () => random.pick(words));
  if (random.chance(0.6)) labels.splice(-2, 2, random.pick(namespaceNames), random.pick(['svc', 'svc', 'pod']));
  return `${labels.join('.')}.${zone}`;
}
