import type { DnsQuestion } from 'kube-endpoints/dns';
import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import type { Random } from '../random.ts';
import type { DnsCase } from './case.ts';
import { namespaceNames, oddNames, oddNamespaces, reverseName, toDashed } from './generate-names.ts';

type Objects = DnsCase['objects'];

/** Creates names to ask for: existing names, and variations in which labels are replaced, duplicated or removed. */
export function makeOddNames(random: Random, zone: string, objects: Objects): string[] {
  const existing = [...endpointNames(objects, zone), ...portNames(objects, zone), ...podNames(objects, zone), ...reverseNames(objects)];
  const candidates = [...existing, ...random.shuffle(serviceNames(objects, zone)).slice(0, 8)];
  return [
    ...random.shuffle(existing).slice(0, 10),
    ...random
      .shuffle(candidates)
      .slice(0, 8)
      .map((name) => changeName(random, name, zone)),
    ...random.shuffle(strangeNames(zone)).slice(0, 5),
  ].filter(isAskable);
}

/** Creates questions of two random types for the zone itself and for each of some names at its top. */
export const apexQuestions = (random: Random, zone: string, types: readonly string[]): DnsQuestion[] =>
  [
    zone,
    `ns.dns.${zone}`,
    `svc.${zone}`,
    random.pick(['in-addr.arpa.', 'ip6.arpa.', 'apex.dns.cluster.local.', `dns-version.${zone}`]),
  ].flatMap((name) =>
    random
      .shuffle([...new Set(types), 'AXFR', 'IXFR', 'TYPE65280'])
      .slice(0, 2)
      .map((type) => ({ name, type })),
  );

/** Whether a client can send the name: labels must be neither too long nor empty. */
export const isAskable = (name: string): boolean =>
  name === '.' ||
  (name.length < 250 && /^(?:(?:[!-\-/-[\]-~]|\\\d{3}|\\[^\d])+\.)+$/.test(name) && name.split('.').every((label) => label.length < 64));

/**
 * Creates a check whether the answer to a question is random: the PTR record of a shared address, or the first of several aliases.
 * Wildcards of CoreDNS 1.8 and FQDN slices return several aliases.
 */
export function createRandomnessCheck({ services, endpointSlices }: Objects): (question: DnsQuestion) => boolean {
  const owners = services.flatMap(({ metadata, spec, status }) => {
    const ingress = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
    return [...new Set([...(spec?.clusterIPs ?? []), spec?.clusterIP ?? '', ...(spec?.externalIPs ?? []), ...ingress])].map((ip) => [
      ip,
      metadata?.name,
    ]);
  });
  const sharedAddresses = new Set(owners.map(([ip]) => ip).filter((ip, i, all) => ip !== undefined && all.indexOf(ip) !== i));
  const sharedReverseNames = new Set([...sharedAddresses].flatMap((ip) => (ip && canonicalIP(ip) === ip ? [reverseName(ip)] : [])));
  const aliasedServices = endpointSlices.flatMap(({ metadata, endpoints }) =>
    (endpoints ?? []).some(({ addresses }) => (addresses ?? []).some((address) => canonicalIP(address) !== address))
      ? [`${metadata?.labels?.['kubernetes.io/service-name']}.${metadata?.namespace}.svc.`.toLowerCase()]
      : [],
  );
  return ({ name, type }) => {
    const lower = name.toLowerCase();
    if (type === 'PTR') return sharedReverseNames.has(lower);
    return type === 'CNAME' && (/(^|\.)_?(\*|any)\./.test(lower) || aliasedServices.some((service) => lower.includes(service)));
  };
}

function endpointNames({ endpointSlices }: Objects, zone: string): string[] {
  return endpointSlices.flatMap(({ metadata, endpoints }) => {
    const service = `${metadata?.labels?.['kubernetes.io/service-name']}.${metadata?.namespace}.svc.${zone}`;
    return (endpoints ?? []).flatMap(({ hostname, targetRef, addresses }) =>
      [
        hostname,
        targetRef?.name,
        ...(addresses ?? []).map(toDashed),
        ...(addresses ?? []).map((address) => `${toDashed(address)}0`),
      ].flatMap((label) => (label ? [`${label}.${service}`] : [])),
    );
  });
}

const portNames = ({ services, endpointSlices }: Objects, zone: string): string[] => [
  ...services.flatMap(({ metadata, spec }) =>
    (spec?.ports ?? []).map(
      ({ name, protocol }) => `_${name ?? ''}._${protocol ?? ''}.${metadata?.name}.${metadata?.namespace}.svc.${zone}`,
    ),
  ),
  ...endpointSlices.flatMap(({ metadata, ports }) => {
    const service = metadata?.labels?.['kubernetes.io/service-name'];
    return (ports ?? []).map(({ name, protocol }) => `_${name ?? ''}._${protocol ?? ''}.${service}.${metadata?.namespace}.svc.${zone}`);
  }),
];

const podNames = ({ pods }: Objects, zone: string): string[] =>
  pods.flatMap(({ metadata, status }) => (status?.podIP ? [`${toDashed(status.podIP)}.${metadata?.namespace}.pod.${zone}`] : []));

const serviceNames = ({ services }: Objects, zone: string): string[] =>
  services.map(({ metadata }) => `${metadata?.name}.${metadata?.namespace}.svc.${zone}`);

function reverseNames({ services, endpointSlices }: Objects): string[] {
  const addresses = [
    ...services.flatMap(({ spec, status }) => [
      ...(spec?.clusterIPs ?? []),
      ...(spec?.externalIPs ?? []),
      ...(status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => [ip ?? '', hostname ?? '']),
    ]),
    ...endpointSlices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? [])),
  ];
  return addresses.flatMap((address) => {
    const ip = canonicalIP(address);
    return ip === undefined ? [] : [reverseName(ip)];
  });
}

type NameChange = (random: Random, labels: readonly string[]) => string[];

/** Changes a name before its zone, once or twice. */
function changeName(random: Random, name: string, zone: string): string {
  const origin = name.endsWith(`.${zone}`) ? zone : /[^.]+\.arpa\.$/.exec(name)?.[0];
  if (origin === undefined) return name;
  const labels = random.pick(nameChanges)(random, name.slice(0, -origin.length - 1).split('.'));
  return [...(random.chance(0.25) ? random.pick(nameChanges)(random, labels) : labels), origin].join('.');
}

const words: readonly string[] = [
  ...['*', 'any', '*', 'any', 'ANY', '_*', '_any', '_', '__tcp', '_-', 'svc', 'pod', 'Svc', 'POD', '0', 'f', '00', '1-2-3-4', '-', '--'],
  ...['_tcp', '_udp', '_sctp', '_TCP', '_http', '_80', '80', 'tcp', 'x', '\\000', '\\255', 'a\\.b', 'a\\ b', '\\*', ...oddNames],
  ...[...namespaceNames, ...oddNamespaces],
];

const indexIn = (random: Random, labels: readonly string[]): number => random.int(labels.length);

const nameChanges: readonly NameChange[] = [
  (random, labels) => labels.with(indexIn(random, labels), random.pick(words)),
  (random, labels) => labels.with(indexIn(random, labels), random.pick(['*', 'any', '_*', '_any', '_'])),
  (random, labels) => labels.map((label) => (random.chance(0.4) ? random.pick(['*', 'any']) : label)),
  (random, labels) => labels.toSpliced(indexIn(random, labels), 0, random.pick(words)),
  (random, labels) => labels.toSpliced(indexIn(random, labels), 0, random.pick(labels)),
  (random, labels) => (labels.length > 1 ? labels.toSpliced(indexIn(random, labels), 1) : [...labels]),
  (random, labels) => [...Array.from({ length: 1 + random.int(4) }, () => random.pick(words)), ...labels],
  (_, labels) => labels.with(0, `_${labels[0]}`),
  (random, labels) => labels.map((label) => (random.chance(0.5) ? label.toUpperCase() : label)),
  (_, labels) => labels.map((label) => label.replace(/^_/, '')),
  (_, labels) => labels.toReversed(),
];

const strangeNames = (zone: string): string[] => [
  ...['.', 'local.', 'arpa.', `x${zone}`, `${zone.split('.').slice(1).join('.') || '.'}`, 'cluster.', 'svc.', '10.0.0.5.', 'fd00::1.'],
  ...[`10.0.0.5.${zone}`, `fd00::1.default.pod.${zone}`, `10.0.0.5.default.pod.${zone}`, `::.default.pod.${zone}`, `any.any.pod.${zone}`],
  ...[`*.default.pod.${zone}`, `any.default.pod.${zone}`, `*.any.pod.${zone}`, `*.*.pod.${zone}`, `0-0-0-0.prod.pod.${zone}`],
  ...[`--.default.pod.${zone}`, `---.default.pod.${zone}`, `1--.default.pod.${zone}`, `FD00--AB.default.pod.${zone}`],
  ...[`dns-version.x.${zone}`, `DNS-Version.${zone}`, `_dns-version.${zone}`, `dns-version.svc.${zone}`, `dns-version.dns-version.${zone}`],
  ...[`x.ns.dns.${zone}`, `ns.dns.ns.dns.${zone}`, `apex.dns.${zone}`, `NS.DNS.${zone}`, `ns.dns.x.${zone}`, `hostmaster.${zone}`],
  ...[`ns.dns.in-addr.arpa.`, `svc.in-addr.arpa.`, `default.svc.ip6.arpa.`, `web.default.svc.in-addr.arpa.`, `dns-version.ip6.arpa.`],
  ...[
    `*.${zone}`,
    `any.${zone}`,
    `*.svc.${zone}`,
    `any.pod.${zone}`,
    `*.*.*.svc.${zone}`,
    `*.*.*.*.svc.${zone}`,
    `any.any.any.any.any.svc.${zone}`,
  ],
  ...[`_any._any.any.any.svc.${zone}`, `_._.web.default.svc.${zone}`, `_._tcp.any.any.svc.${zone}`, `_*._*.*.*.svc.${zone}`],
  ...[`5.${'0.'.repeat(31)}ip6.arpa.`, `5.${'0.'.repeat(30)}ip6.arpa.`, `5.${'0.'.repeat(32)}ip6.arpa.`, `5.${'0.'.repeat(34)}ip6.arpa.`],
  ...[`5.${'0.'.repeat(27)}0.0.d.f.x.ip6.arpa.`, `x.5.${'0.'.repeat(27)}0.0.d.f.ip6.arpa.`, `F.${'0.'.repeat(27)}0.0.D.F.IP6.ARPA.`],
  ...[
    '5.0.0.10.IN-ADDR.ARPA.',
    '05.0.0.10.in-addr.arpa.',
    '0.0.10.in-addr.arpa.',
    '.in-addr.arpa.',
    'fd00::5.in-addr.arpa.',
    '*.0.0.10.in-addr.arpa.',
  ],
  ...['9.0.0.::ffff:10.in-addr.arpa.', 'b.a.0.fd00::.ip6.arpa.', '5.0.0.fd00::.ip6.arpa.', 'any.ip6.arpa.', 'g.0.0.0.ip6.arpa.'],
];
