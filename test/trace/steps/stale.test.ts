import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import type { TraceObjects } from '../../../src/trace/index.ts';
import { findStaleEndpoints, findStaleSlices } from '../../../src/trace/steps/endpoints.ts';
import { makeCluster, makePod, makeService, slicesOf, withEndpoints } from '../shop.ts';

const web = makeService('web');
const pods = [makePod('web-1', 1), makePod('web-2', 2)];
const notesOf = (objects: TraceObjects, service = web) =>
  findStaleSlices(service, createCluster(objects, {})).map(({ code, message }) => `${code}: ${message}`);

describe('findStaleSlices', () => {
  it('reports nothing if slices are up to date or computed', () => {
    expect(notesOf(makeCluster([web], pods))).toEqual([]);
    expect(notesOf({ ...makeCluster([web], pods), slices: undefined })).toEqual([]);
  });

  it('names missing, surplus and changed endpoints', () => {
    const oldSlices = slicesOf(web, [makePod('web-1', 1), makePod('web-3', 3)]);
    const slices = withEndpoints(oldSlices, (endpoint) => ({
      ...endpoint,
      conditions: { ready: false, serving: true, terminating: true },
    }));
    expect(notesOf(makeCluster([web], pods, { slices }))).toEqual([
      'SlicesMissEndpoints: The EndpointSlices are out of date: they lack web-2.',
      'SlicesHaveExtraEndpoints: The EndpointSlices are out of date: they still contain web-3.',
      'SlicesHaveOldState: The EndpointSlices are out of date: the state of web-1 has changed.',
    ]);
  });

  it('compares ports', () => {
    const slices = slicesOf(makeService('web', { ports: [{ name: 'http', port: 80, targetPort: 9090 }] }), pods);
    expect(notesOf(makeCluster([web], pods, { slices })).map((text) => text.split(':')[0])).toEqual([
      'SlicesMissEndpoints',
      'SlicesHaveExtraEndpoints',
    ]);
  });

  it('ignores slices of other controllers, and Services without a selector', () => {
    const otherSlices = slicesOf(web, [makePod('web-7', 7)]).map((slice) => ({
      ...slice,
      metadata: {
        ...slice.metadata,
        name: 'other',
        labels: { ...slice.metadata?.labels, 'endpointslice.kubernetes.io/managed-by': 'other' },
      },
    }));
    expect(notesOf(makeCluster([web], pods, { slices: [...slicesOf(web, pods), ...otherSlices] }))).toEqual([]);
    const withoutSelector = makeService('web', { selector: null });
    expect(notesOf(makeCluster([withoutSelector], pods, { slices: [] }), withoutSelector)).toEqual([]);
  });
});

describe('findStaleEndpoints', () => {
  const endpoints = (...ips: string[]) => [
    {
      metadata: { name: 'web', namespace: 'shop' },
      subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ name: 'http', port: 8080 }] }],
    },
  ];
  const codes = (objects: Partial<TraceObjects>) =>
    findStaleEndpoints(web, createCluster(makeCluster([web], pods, objects), {})).map(({ code }) => code);

  it('reports Endpoints that differ from the slices', () => {
    expect(codes({ endpoints: endpoints('10.1.0.1') })).toEqual(['EndpointsOutdated']);
  });

  it('reports nothing if Endpoints are absent or slices are not given', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ endpoints: endpoints('10.1.0.1'), slices: undefined })).toEqual([]);
  });
});
