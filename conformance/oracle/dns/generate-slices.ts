import type { EndpointInput, EndpointSliceInput, Pod } from 'kube-endpoints/types';
import type { Random } from '../random.ts';
import type { Family, Member, ServiceSketch } from './generate-names.ts';

/** Creates the slices of a Service, mostly as the controller would write them, sometimes as another writer might. */
export function makeSlices(random: Random, sketch: ServiceSketch): EndpointSliceInput[] {
  const { name, namespace } = sketch;
  if (sketch.members.length > 0 && random.chance(0.04)) return [makeFqdnSlice(random, sketch)];
  return sketch.families.flatMap((family) =>
    splitMembers(random, sketch.members).map((part, i) => ({
      metadata: {
        name: `${name}-${family.toLowerCase()}-${i}`,
        namespace,
        labels: random.chance(0.97) ? { 'kubernetes.io/service-name': name } : {},
      },
      addressType: family,
      ports: makePorts(random, sketch),
      endpoints: part.map((member) => makeEndpoint(random, sketch, member, family)),
    })),
  );
}

/**
 * Creates a slice of FQDN endpoints. A Service gets only one, because the alias of the first slice wins and the order of slices is random.
 */
const makeFqdnSlice = (random: Random, sketch: ServiceSketch): EndpointSliceInput => ({
  metadata: { name: `${sketch.name}-names`, namespace: sketch.namespace, labels: { 'kubernetes.io/service-name': sketch.name } },
  addressType: 'FQDN',
  ports: makePorts(random, sketch),
  endpoints: random
    .shuffle(['db.example.com', 'alias.example.com', 'missing.example.com', 'six.example.com'])
    .slice(0, 1 + random.int(2))
    .map((address, i) => ({ addresses: [address], conditions: { ready: true }, ...random.maybe(0.5, () => ({ hostname: `n${i}` })) })),
});

/** Distributes the members to one slice, to two, or to two with an overlap of one member. */
function splitMembers<T>(random: Random, members: readonly T[]): (readonly T[])[] {
  const middle = Math.floor(members.length / 2);
  if (members.length < 3 || random.chance(0.7)) return [members];
  return [members.slice(0, middle + (random.chance(0.3) ? 1 : 0)), members.slice(middle)];
}

function makePorts(random: Random, { ports }: ServiceSketch): NonNullable<EndpointSliceInput['ports']> {
  if (random.chance(0.06)) return [];
  const servicePorts = ports.map(({ name = '', protocol }) => ({ name, protocol, port: 8080 + random.int(3) }));
  const extra = random.chance(0.05) ? [{ name: 'extra', protocol: 'TCP', port: 9090 }] : [];
  return [...servicePorts.filter(() => random.chance(0.97)), ...extra];
}

function makeEndpoint(random: Random, { headless, service, namespace }: ServiceSketch, member: Member, family: Family): EndpointInput {
  const terminating = random.chance(0.1);
  const ready = service.spec?.publishNotReadyAddresses === true || (random.chance(0.75) && !terminating);
  const conditions = random.chance(0.08)
    ? random.chance(0.5)
      ? {}
      : { serving: false }
    : { ready, serving: ready || terminating, terminating };
  return {
    addresses: [member.addresses[family]],
    ...(random.chance(0.97) && { conditions }),
    ...(member.hostname !== undefined && (headless || random.chance(0.3)) && { hostname: member.hostname }),
    ...(random.chance(0.9) && { targetRef: { kind: 'Pod', name: member.name, namespace } }),
    nodeName: `n${random.int(3)}`,
  };
}

export const makePods = (random: Random, { namespace, members, families }: ServiceSketch): Pod[] =>
  members.map(({ name, addresses }) => {
    const ips = [addresses[families[0] ?? 'IPv4'], addresses[families[0] === 'IPv6' ? 'IPv4' : 'IPv6']];
    return {
      metadata: {
        name,
        namespace,
        ...random.maybe(0.1, () => ({ deletionTimestamp: '2026-01-01T00:00:00Z' })),
      },
      status: {
        phase: random.chance(0.9) ? 'Running' : random.pick(['Pending', 'Succeeded', 'Failed', 'Unknown']),
        podIP: ips[0] as string,
        podIPs: ips.slice(0, 1 + random.int(2)).map((ip) => ({ ip })),
      },
    };
  });
