import { describe, expect, it } from 'vitest';
import { computeEndpoints, computeEndpointsFor, computeSubsets, newEndpoints } from '../../src/spec/endpoints.ts';
import { settingsFor } from '../../src/spec/settings.ts';
import { profileFor } from '../../src/versions/index.ts';
import { httpPort, makeAddress, makePod, makeService, makeSubset } from './objects.ts';

const managedByLabels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };

describe('computeEndpoints', () => {
  it('returns the complete object', () => {
    const service = makeService({}, { labels: { b: '2', a: '1' }, creationTimestamp: '2026-01-31T12:00:00Z', annotations: { own: 'x' } });
    const pods = [makePod('b', { ip: '10.0.0.2', ready: false }), makePod('a'), makePod('x', { metadata: { namespace: 'other' } })];
    const expected = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name: 'web',
        namespace: 'shop',
        labels: { a: '1', b: '2', ...managedByLabels },
        annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-31T12:00:00Z' },
      },
      subsets: [{ addresses: [makeAddress('a')], notReadyAddresses: [makeAddress('b', '10.0.0.2')], ports: [httpPort] }],
    };
    expect(JSON.stringify(computeEndpoints(service, pods))).toBe(JSON.stringify(expected));
    expect(computeEndpointsFor(service, pods, settingsFor({}))).toEqual(expected);
  });

  it('omits empty fields', () => {
    expect(JSON.stringify(computeEndpoints(makeService(), [], { version: '1.30' }))).toBe(
      '{"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"web","namespace":"shop"}}',
    );
    expect(computeEndpoints({ spec: { selector: {} } }, [])?.metadata).toEqual({
      name: '',
      namespace: '',
      labels: { ...managedByLabels, 'service.kubernetes.io/headless': '' },
    });
  });

  it('has no subsets if every pod is left out', () => {
    for (const ip of ['10.0.0.1', 'fd00::1']) {
      expect(computeEndpoints(makeService({ ipFamilies: [] }), [makePod('a', { ip, metadata: { labels: {} } })])).not.toHaveProperty(
        'subsets',
      );
    }
    const pods = [makePod('a'), makePod('b', { metadata: { labels: {} } }), makePod('c', { status: { phase: 'Failed' } })];
    expect(computeEndpoints(makeService(), pods)?.subsets).toEqual([{ addresses: [makeAddress('a')], ports: [httpPort] }]);
  });

  it('returns undefined if the controller writes nothing', () => {
    expect(computeEndpoints(makeService({ selector: null }), [makePod()])).toBeUndefined();
    expect(computeEndpoints(makeService({ type: 'ExternalName' }), [makePod()])).toBeUndefined();
    expect(computeEndpoints(makeService({ type: 'ExternalName' }), [makePod()], { version: '1.26' })).toBeDefined();
  });

  it('writes the trigger time in the zone of the controller before 1.22', () => {
    const service = makeService({}, { creationTimestamp: '2026-07-01T01:00:00Z' });
    const time = (version: string) =>
      computeEndpoints(service, [], { version, timeZone: 'America/St_Johns' })?.metadata.annotations?.[
        'endpoints.kubernetes.io/last-change-trigger-time'
      ];
    expect([time('1.21'), time('1.22')]).toEqual(['2026-06-30T22:30:00-02:30', '2026-07-01T01:00:00Z']);
  });

  it('sets no trigger time for Go’s zero time', () => {
    expect(computeEndpoints(makeService({}, { creationTimestamp: '0001-01-01T00:00:00Z' }), [])?.metadata.annotations).toBeUndefined();
  });

  it('refuses an unknown version and an invalid time', () => {
    expect(() => computeEndpoints(makeService(), [], { version: '1.99' })).toThrow(RangeError);
    expect(() => computeEndpoints(makeService({}, { creationTimestamp: 'x' }), [])).toThrow(
      /^Service shop\/web metadata\.creationTimestamp: x is not a valid time/,
    );
    expect(() => computeEndpoints({ metadata: { creationTimestamp: 'x' }, spec: { selector: {} } }, [])).toThrow(/^Service \/ metadata/);
  });
});

describe('computeSubsets', () => {
  it('creates a subset for each set of resolved ports', () => {
    const service = makeService({
      ports: [
        { name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' },
        { name: 'admin', port: 81, protocol: 'TCP', targetPort: 9000 },
      ],
    });
    const podWithHttpPort = (name: string, ip: string, containerPort: number) =>
      makePod(name, { ip, spec: { containers: [{ ports: [{ name: 'http', containerPort, protocol: 'TCP' }] }] } });
    const subsets = computeSubsets(
      service,
      [podWithHttpPort('a', '10.0.0.1', 8080), podWithHttpPort('b', '10.0.0.2', 9090), makePod('c', { ip: '10.0.0.3' })],
      settingsFor({}),
    );
    const summary = subsets.map(
      ({ addresses, ports }) =>
        `${ports
          ?.map(({ port }) => port)
          .sort()
          .join('+')}: ${addresses?.map(({ ip }) => ip).join()}`,
    );
    expect(summary.sort()).toEqual(['8080: 10.0.0.1', '9000: 10.0.0.1,10.0.0.2,10.0.0.3', '9090: 10.0.0.2']);
  });

  it('does not truncate to capacity', () => {
    const pods = Array.from({ length: 1001 }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));
    expect(computeSubsets(makeService(), pods, settingsFor({}))[0]?.addresses?.length).toBe(1001);
  });
});

describe('newEndpoints', () => {
  it.each([
    ['1.20', undefined, 1200],
    ['1.21', 'warning', 1200],
    ['1.22', 'truncated', 1000],
  ])('in %s over capacity, annotates %s and keeps %i addresses', (version, annotation, count) => {
    const object = newEndpoints(makeService(), [makeSubset(1200)], 'T', profileFor(version));
    expect(object.metadata.annotations?.['endpoints.kubernetes.io/over-capacity']).toBe(annotation);
    expect(object.subsets?.[0]?.addresses?.length).toBe(count);
  });
});
