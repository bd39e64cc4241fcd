import type { DnsQuestion } from 'kube-endpoints/dns';
import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import type { EndpointAddressInput, EndpointSubsetInput, EndpointsInput } from 'kube-endpoints/types';
import { keepFirstPerName } from '../objects.ts';
import type { Random } from '../random.ts';
import type { DnsCase } from './case.ts';
import { namespaceNames, oddAddress, oddHostnames, oddNames, reverseName, type ServiceSketch, toDashed } from './generate-names.ts';
import { applyChanges, type Change, makePortsOdd } from './generate-odd.ts';
import { createRandomnessCheck, isAskable } from './generate-odd-queries.ts';

/** Creates the Endpoints of Services, mostly as the controller would write them, and changes some into forms that other writers may use. */
export function makeEndpoints(random: Random, sketches: readonly ServiceSketch[]): EndpointsInput[] {
  const endpoints = sketches.flatMap((sketch) => (sketch.families.length === 0 || random.chance(0.05) ? [] : [makeObject(random, sketch)]));
  if (random.chance(0.5)) return random.shuffle(endpoints);
  const probability = random.pick([0.1, 0.2, 0.4]);
  const changed = applyChanges(random, probability, objectChanges, endpoints).map((object) => ({
    ...object,
    ...(object.subsets && { subsets: applyChanges(random, probability, subsetChanges, object.subsets).map(changeAddresses) }),
  }));
  return random.shuffle(keepFirstPerName(changed));

  function changeAddresses(subset: EndpointSubsetInput): EndpointSubsetInput {
    return { ...subset, ...(subset.addresses && { addresses: applyChanges(random, probability, addressChanges, subset.addresses) }) };
  }
}

/** Creates one subset, or two that have different port numbers; members can be in both. */
function makeObject(random: Random, { name, namespace, families, ports, members, headless }: ServiceSketch): EndpointsInput {
  const addresses = members.map(
    (member): EndpointAddressInput => ({
      ip: member.addresses[families[0] ?? 'IPv4'],
      nodeName: `n${random.int(3)}`,
      ...(random.chance(0.9) && { targetRef: { kind: 'Pod', namespace, name: member.name } }),
      ...(member.hostname !== undefined && (headless || random.chance(0.3)) && { hostname: member.hostname }),
    }),
  );
  const count = random.chance(0.3) ? 2 : 1;
  const subsets = Array.from({ length: count }, (_, at): EndpointSubsetInput => {
    const own = addresses.filter((_, i) => count === 1 || i % 2 === at || random.chance(0.2));
    const ready = own.map(() => random.chance(0.75));
    return {
      ...(ready.includes(true) && { addresses: own.filter((_, i) => ready[i]) }),
      ...(ready.includes(false) && { notReadyAddresses: own.filter((_, i) => !ready[i]) }),
      ...(ports.length > 0 && { ports: ports.map(({ name: port = '', protocol }) => ({ name: port, port: 8080 + at, protocol })) }),
    };
  });
  return { metadata: { name, namespace }, ...(members.length > 0 && { subsets }) };
}

const objectChanges: readonly Change<EndpointsInput>[] = [
  (random, object) => ({ ...object, metadata: { ...object.metadata, namespace: random.pick(namespaceNames) } }),
  (random, object) => ({ ...object, metadata: { ...object.metadata, name: random.pick(['web', 'db', 's1', 'nosuch', ...oddNames]) } }),
  (random, object) => ({ ...object, subsets: random.pick([null, [], [{}]]) }),
  (random, object) => ({ ...object, subsets: [...(object.subsets ?? []), ...random.shuffle(object.subsets ?? [])] }),
  (random, object) => ({ ...object, subsets: [...(object.subsets ?? []), { addresses: [{ ip: oddAddress(random) }] }] }),
  (_, object) => ({ ...object, subsets: (object.subsets ?? []).toReversed() }),
];

const subsetChanges: readonly Change<EndpointSubsetInput>[] = [
  (random, subset) => ({ ...subset, ports: random.pick([null, []]) }),
  (random, subset) => ({ ...subset, ports: makeOddPorts(random, subset) }),
  (random, subset) => ({ ...subset, ports: makeOddPorts(random, subset) }),
  (random, subset) => ({ ...subset, addresses: random.pick([null, []]) }),
  (_, subset) => ({ ...subset, addresses: subset.notReadyAddresses ?? null, notReadyAddresses: subset.addresses ?? null }),
  (random, subset) => ({ ...subset, addresses: [...(subset.addresses ?? []), ...random.shuffle(subset.addresses ?? []).slice(0, 2)] }),
];

const makeOddPorts = (random: Random, { ports }: EndpointSubsetInput): EndpointSubsetInput['ports'] =>
  makePortsOdd(
    random,
    (ports ?? []).map(({ name, port, protocol }) => ({ name: name ?? '', port: port ?? 80, protocol: protocol ?? 'TCP' })),
  );

const addressChanges: readonly Change<EndpointAddressInput>[] = [
  (random, address) => ({ ...address, ip: oddAddress(random) }),
  (random, address) => ({ ...address, hostname: random.pick(oddHostnames) }),
  (random, address) => ({ ...address, hostname: random.pick(['', null]) }),
  (random, address) => ({ ...address, targetRef: random.pick([null, {}, { kind: 'Pod', name: '' }, { kind: 'Node', name: 'n1' }]) }),
  (random, address) => ({ ...address, targetRef: { kind: 'Pod', name: random.pick([...oddHostnames, 'x'.repeat(63), 'x'.repeat(64)]) } }),
];

/** Creates questions about Endpoints and about all IPs of pods. */
export function makeEndpointsQueries(random: Random, zone: string, objects: DnsCase['objects']): DnsQuestion[] {
  const names = [...endpointsNames(objects, zone), ...podNames(objects, zone)].filter(isAskable);
  const isRandom = createRandomnessCheck(objects);
  return random
    .shuffle(names)
    .slice(0, 8)
    .map((name) => {
      const type = /arpa\.$/.test(name) ? 'PTR' : random.pick(['A', 'A', 'AAAA', 'SRV', 'SRV', 'CNAME', 'TXT']);
      return { name, type: isRandom({ name, type }) ? random.pick(['A', 'AAAA', 'SRV']) : type };
    });
}

function endpointsNames({ endpoints }: DnsCase['objects'], zone: string): string[] {
  return endpoints.flatMap(({ metadata, subsets }) => {
    const service = `${metadata?.name}.${metadata?.namespace}.svc.${zone}`;
    const ports = (subsets ?? []).flatMap((subset) => subset.ports ?? []);
    const addresses = (subsets ?? []).flatMap((subset) => [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])]);
    return [
      service,
      ...ports.map(({ name, protocol }) => `_${name || 'x'}._${protocol || 'x'}.${service}`),
      ...addresses.flatMap(({ ip, hostname, targetRef }) => {
        const address = canonicalIP(ip ?? '');
        const labels = [hostname, targetRef?.name, toDashed(ip ?? '')].filter((label) => label);
        return [...labels.map((label) => `${label}.${service}`), ...(address === undefined ? [] : [reverseName(address)])];
      }),
    ];
  });
}

const podNames = ({ pods }: DnsCase['objects'], zone: string): string[] =>
  pods.flatMap(({ metadata, status }) =>
    (status?.podIPs ?? []).map((each) => `${toDashed(each?.ip ?? '')}.${metadata?.namespace}.pod.${zone}`),
  );
