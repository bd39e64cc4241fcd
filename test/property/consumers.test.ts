import { expect, it } from 'vitest';
import { computeEndpoints } from '../../src/index.ts';
import { checkAgreement } from '../../src/spec/consumers/agreement.ts';
import { endpointsFromSlices } from '../../src/spec/consumers/convert.ts';
import { slicesFromEndpoints } from '../../src/spec/consumers/convert-endpoints.ts';
import { mergeSlices } from '../../src/spec/consumers/merge.ts';
import { mirrorEndpoints } from '../../src/spec/mirroring/mirror.ts';
import { computeEndpointSlices } from '../../src/spec/slices/slices.ts';
import type { Endpoint, EndpointInput, EndpointSliceInput, Endpoints, EndpointsInput, Pod, Service } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { fc } from '../support/property.ts';
import { subsetLists } from './arbitraries.ts';
import { checkInEveryRelease, freezeDeeply, scramble } from './check.ts';

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** A Service that the API server accepts: ports with unique names, families that match the cluster IP. */
const services: fc.Arbitrary<Service> = fc.record({
  metadata: fc.record({ name: oneOf('web'), namespace: oneOf('shop'), uid: oneOf('s1') }),
  spec: fc
    .record({
      families: oneOf(['IPv4'], ['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']),
      headless: oneOf(false, false, true),
      targets: fc.array(oneOf<number | string>('http', 'admin', 8080, 9090), { maxLength: 3 }),
      appProtocol: oneOf('h2', undefined),
      publishNotReadyAddresses: oneOf(false, false, true),
    })
    .map(({ families, headless, targets, appProtocol, publishNotReadyAddresses }) => ({
      selector: { app: 'a' },
      ipFamilies: families,
      clusterIP: headless ? 'None' : families[0] === 'IPv4' ? '10.96.0.1' : 'fd00::a',
      publishNotReadyAddresses,
      ports: (headless || targets.length > 0 ? targets : [8080]).map((targetPort, i) => ({
        name: `port-${i}`,
        port: 80 + i,
        protocol: 'TCP',
        targetPort,
        ...(i === 0 && appProtocol && { appProtocol }),
      })),
    })),
});

/** Dual-stack pods. Their last octets range from 1 to `highest`, so pods share addresses, unless `highest` is `uniqueAddresses`. */
const podLists = (highest: number): fc.Arbitrary<Pod[]> =>
  fc
    .array(
      fc.record({
        host: fc.integer({ min: 1, max: highest }),
        ready: fc.boolean(),
        isTerminating: oneOf(false, false, true),
        phase: oneOf('Running', 'Running', 'Running', 'Succeeded', 'Failed', 'Pending'),
        restartPolicy: oneOf('Always', 'Always', 'Never', 'OnFailure'),
        portName: oneOf('http', 'http', 'admin', 'none'),
        nodeName: oneOf('n1', 'n2', ''),
        subdomain: oneOf('web', ''),
      }),
      { maxLength: 8 },
    )
    .map((list) =>
      list.map(
        ({ host, ready, isTerminating, phase, restartPolicy, portName, nodeName, subdomain }, i): Pod => ({
          metadata: {
            name: `p${i}`,
            namespace: 'shop',
            uid: `u${i}`,
            labels: { app: 'a' },
            ...(isTerminating && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
          },
          spec: {
            restartPolicy,
            nodeName,
            hostname: `h${i}`,
            subdomain,
            containers: [{ name: 'c', ports: [{ name: portName, containerPort: 1000 + (i % 2), protocol: 'TCP' }] }],
          },
          status: {
            phase,
            podIP: `10.0.0.${highest === uniqueAddresses ? i + 1 : host}`,
            podIPs: [
              { ip: `10.0.0.${highest === uniqueAddresses ? i + 1 : host}` },
              { ip: `fd00::${highest === uniqueAddresses ? i + 1 : host}` },
            ],
            conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
          },
        }),
      ),
    );
const uniqueAddresses = 255;

const objects = fc.record({ service: services, pods: podLists(uniqueAddresses) });
const objectsWithSharedAddresses = fc.record({ service: services, pods: podLists(3) });

interface ClusterObjects {
  readonly service: Service;
  readonly pods: readonly Pod[];
}

/**
 * Checks a property in the releases that have slices. Before 1.25 and its backports, the two controllers of one release
 * disagree about finished pods that are ready or published: Endpoints have them, slices do not. For these releases, removes finished pods.
 */
const checkInSliceReleases = (arbitrary: fc.Arbitrary<ClusterObjects>, check: (objects: ClusterObjects, version: string) => void): void =>
  checkInEveryRelease(
    arbitrary,
    ({ service, pods }, version) => {
      if (Number(version.split('.')[1]) < 21) return;
      const { terminalPodsExcluded } = profileFor(version);
      const unfinishedPods = pods.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
      check({ service, pods: terminalPodsExcluded ? pods : unfinishedPods }, version);
    },
    40,
  );

const toLines = (endpoints: EndpointsInput | undefined): string[] => {
  const texts = new Set<string>();
  for (const { addresses, notReadyAddresses, ports } of endpoints?.subsets ?? []) {
    for (const { name, port, protocol } of ports ?? []) {
      for (const { ip } of addresses ?? []) texts.add(`${name ?? ''} ${protocol} ${ip}:${port} ready`);
      for (const { ip } of notReadyAddresses ?? []) texts.add(`${name ?? ''} ${protocol} ${ip}:${port} not ready`);
    }
  }
  return [...texts].sort();
};

const familyOf = (service: Service): 'IPv4' | 'IPv6' => (service.spec?.ipFamilies?.[0] === 'IPv6' ? 'IPv6' : 'IPv4');

it('mergeSlices returns the same addresses as computeEndpoints', () => {
  checkInSliceReleases(objects, ({ service, pods }, version) => {
    const { services: merged, problems } = mergeSlices(computeEndpointSlices(service, pods, { version, maxEndpointsPerSlice: 2 }));
    expect(problems).toEqual([]);
    const addresses = merged
      .flatMap(({ ports }) => ports)
      .filter(({ addressType }) => addressType === familyOf(service))
      .flatMap(({ name, protocol, endpoints }) =>
        endpoints
          .filter(({ ready, terminating }) => ready || !terminating)
          .map(({ address, port, ready }) => `${name} ${protocol} ${address}:${port} ${ready ? 'ready' : 'not ready'}`),
      );
    expect(addresses.sort()).toEqual(toLines(computeEndpoints(service, pods, { version })));
  });
});

it('endpointsFromSlices returns the Endpoints that the endpoints controller computes', () => {
  checkInSliceReleases(objects, ({ service, pods }, version) => {
    const slices = computeEndpointSlices(service, pods, { version, maxEndpointsPerSlice: 3 });
    const [converted] = endpointsFromSlices(slices, { version, services: [service] });
    expect(toLines(converted)).toEqual(toLines(computeEndpoints(service, pods, { version })));
  });
});

it('checkAgreement finds no differences between the Endpoints and slices of a release', () => {
  checkInSliceReleases(objects, expectAgreement);
});

it('checkAgreement finds no differences for pods that share addresses if the release distinguishes their endpoints', () => {
  checkInSliceReleases(objectsWithSharedAddresses, (objects, version) => {
    if (profileFor(version).endpointKeyedByTarget) expectAgreement(objects, version);
  });
});

function expectAgreement({ service, pods }: ClusterObjects, version: string): void {
  const endpoints = computeEndpoints(service, pods, { version }) as Endpoints;
  const slices = computeEndpointSlices(service, pods, { version, maxEndpointsPerSlice: 2 });
  expect(checkAgreement(endpoints, slices, { service }), version).toMatchObject({ differences: [], problems: [] });
}

it('converted and mirrored objects agree with their source', () => {
  const inputs = fc.record({ subsets: subsetLists });
  checkInEveryRelease(
    inputs,
    ({ subsets }, version) => {
      const endpoints: EndpointsInput = { metadata: { name: 'web', namespace: 'shop' }, subsets: subsets.map(withIPsOf(4)) };
      const slices = slicesFromEndpoints(endpoints, { version, maxEndpointsPerSlice: 2 });
      expect(checkAgreement(endpoints, slices)).toMatchObject({ differences: [], problems: [] });
      for (const converted of endpointsFromSlices(slices, { version })) {
        expect(checkAgreement(converted, slices)).toMatchObject({ differences: [] });
        if (Number(version.split('.')[1]) >= 21 && profileFor(version).mirroredReadinessKept) {
          expect(checkAgreement(converted, mirrorEndpoints(converted, { version }))).toMatchObject({ differences: [], problems: [] });
        }
        expect(toLines(converted)).toEqual(
          toLines({ subsets: endpointsFromSlices(slicesFromEndpoints(converted), { version })[0]?.subsets ?? [] }),
        );
      }
    },
    30,
  );
});

/** Replaces every address by one of `count` plain IPs; equal texts stay equal. */
const withIPsOf =
  (count: number) =>
  (subset: NonNullable<EndpointsInput['subsets']>[number]): NonNullable<EndpointsInput['subsets']>[number] => {
    const replaceIP = (text: string | null | undefined) => `10.0.0.${(text ?? '').length % count}`;
    return {
      ...subset,
      addresses: subset.addresses?.map((address) => ({ ...address, ip: replaceIP(address.ip) })) ?? null,
      notReadyAddresses: subset.notReadyAddresses?.map((address) => ({ ...address, ip: replaceIP(address.ip) })) ?? null,
    };
  };

const endpoints: fc.Arbitrary<EndpointInput> = fc.record({
  addresses: fc.array(oneOf('10.0.0.1', '10.0.0.2', '010.0.0.1', 'fd00::1', 'fd00:0::1', 'db.example', 'x', ''), { maxLength: 3 }),
  conditions: fc.oneof(
    oneOf(null, undefined),
    fc.record({ ready: oneOf(true, false, null), serving: oneOf(true, false, undefined), terminating: oneOf(true, false, undefined) }),
  ),
  targetRef: oneOf({ kind: 'Pod', uid: 'u1' }, { kind: 'Pod', uid: 'u2' }, null),
  nodeName: oneOf('n1', '', null, undefined),
  deprecatedTopology: oneOf({ 'kubernetes.io/hostname': 'n2', 'topology.kubernetes.io/zone': 'z' }, { __proto__: 'x' }, null),
  hints: oneOf(null, { forZones: [{ name: 'a' }] }, { forZones: [], forNodes: [{ name: 'n1' }] }),
});

const anySlices: fc.Arbitrary<EndpointSliceInput[]> = fc.array(
  fc.record({
    metadata: fc.record({
      name: oneOf('s1', 's2', '', undefined),
      namespace: oneOf('shop', 'shop', 'other', undefined),
      deletionTimestamp: oneOf('2026-01-01T00:00:00Z', undefined),
      labels: oneOf<Record<string, string> | null>(
        { 'kubernetes.io/service-name': 'web' },
        { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'me' },
        { 'kubernetes.io/service-name': 'db', 'service.kubernetes.io/headless': '' },
        { 'kubernetes.io/service-name': '' },
        null,
      ),
    }),
    addressType: oneOf('IPv4', 'IPv4', 'IPv6', 'FQDN', 'IP', '', null),
    endpoints: fc.oneof(fc.array(endpoints, { maxLength: 4 }), oneOf(null, undefined)),
    ports: oneOf(
      [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'h2' }],
      [{ name: 'http', port: 81, protocol: 'TCP', appProtocol: 'h3' }, { port: 90 }],
      [{ name: null, port: null, protocol: null }],
      [{ port: 0 }, { port: 70000 }, {}],
      [],
      null,
    ),
  }),
  { maxLength: 5 },
);

const computeAll = (slices: readonly EndpointSliceInput[]): unknown => ({
  merged: mergeSlices(slices),
  converted: endpointsFromSlices(slices),
  checked: checkAgreement({ metadata: { namespace: 'shop', name: 'web' } }, slices),
});

it('mergeSlices, endpointsFromSlices and checkAgreement do not depend on the order of slices or on duplicates', () => {
  fc.assert(
    fc.property(anySlices, fc.nat({ max: 4 }), (slices, from) => {
      const reordered = [...slices.slice(from), ...slices.slice(0, from)].reverse();
      expect(JSON.stringify(computeAll(reordered))).toBe(JSON.stringify(computeAll(slices)));
      expect(JSON.stringify(computeAll([...slices, ...reordered]))).toBe(JSON.stringify(computeAll(slices)));
    }),
    { numRuns: 300 },
  );
});

it('mergeSlices returns every endpoint, or reports a problem of its slice', () => {
  fc.assert(
    fc.property(anySlices, (slices) => {
      const { services: merged, problems } = mergeSlices(slices);
      const addresses = merged.flatMap(({ ports, portless }) => [...ports, ...portless].flatMap((port) => port.endpoints));
      for (const { metadata, endpoints: listed } of slices) {
        const name = metadata?.name ?? '';
        if (problems.some(({ slice }) => slice === name)) continue;
        for (const { addresses: [address] = [] } of (listed ?? []) as Endpoint[]) {
          expect(addresses.some((endpoint) => endpoint.slices.includes(name) && sameIP(endpoint.address, address))).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});

const sameIP = (one: string, other: string | undefined): boolean =>
  one === other || one === { '010.0.0.1': '10.0.0.1', 'fd00:0::1': 'fd00::1' }[other ?? ''];

it('conversions between slices and Endpoints neither modify their inputs nor return references to them', () => {
  fc.assert(
    fc.property(anySlices, subsetLists, (slices, subsets) => {
      const input = structuredClone({ slices, subsets });
      const frozen = freezeDeeply(structuredClone(input));
      const metadata = { name: 'web', namespace: 'shop' };
      const computeResults = () => [computeAll(frozen.slices), slicesFromEndpoints({ metadata, subsets: frozen.subsets })];
      const before = JSON.stringify(computeResults());
      scramble(computeResults());
      expect(JSON.stringify(computeResults())).toBe(before);
    }),
    { numRuns: 200 },
  );
});
