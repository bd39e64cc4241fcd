import { describe, expect, it } from 'vitest';
import { createSliceMaker } from '../../src/trace/slice-maker.ts';
import { makePod, makeService } from './shop.ts';

const web = makeService('web');
const db = makeService('db', { selector: null });
const pods = [
  makePod('web-1', 1),
  makePod('web-2', 2),
  makePod('other', 3, { metadata: { name: 'other', namespace: 'shop', labels: { app: 'other' } } }),
];

const endpointsOf = (name: string, labels?: Readonly<Record<string, string>>) => ({
  metadata: { name, namespace: 'shop', ...(labels && { labels }) },
  subsets: [{ addresses: [{ ip: '10.9.0.1' }], ports: [{ name: 'http', port: 5432 }] }],
});

const addressesIn = (slices: ReturnType<ReturnType<typeof createSliceMaker>['slicesOf']>) =>
  slices.flatMap(({ endpoints }) => endpoints ?? []).flatMap(({ addresses }) => addresses ?? []);

describe('createSliceMaker', () => {
  it.each(['1.20', '1.21', '1.37'])('computes the slices of the selected pods, in release %s', (version) => {
    const maker = createSliceMaker({ services: [web], pods }, { version });
    expect(maker.podsOf(web).map(({ metadata }) => metadata?.name)).toEqual(['web-1', 'web-2']);
    expect(addressesIn(maker.slicesOf(web))).toEqual(['10.1.0.1', '10.1.0.2']);
    expect(maker.slicesOf(web)[0]?.metadata).toMatchObject({ name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } });
  });

  it.each(['1.20', '1.21', '1.37'])('mirrors Endpoints of a Service without a selector, in release %s', (version) => {
    const maker = createSliceMaker({ services: [web, db], pods, endpoints: [endpointsOf('db'), endpointsOf('web')] }, { version });
    expect(maker.podsOf(db)).toEqual([]);
    expect(addressesIn(maker.slicesOf(db))).toEqual(['10.9.0.1']);
    expect(addressesIn(maker.slicesOf(web))).toEqual(['10.1.0.1', '10.1.0.2']);
  });

  it('returns no slices for a Service without a selector if its Endpoints have the label skip-mirror or are absent', () => {
    const unmirroredEndpoints = endpointsOf('db', { 'endpointslice.kubernetes.io/skip-mirror': 'true' });
    expect(createSliceMaker({ services: [db], pods, endpoints: [unmirroredEndpoints] }).slicesOf(db)).toEqual([]);
    expect(createSliceMaker({ services: [db], pods }).slicesOf(db)).toEqual([]);
  });

  it('reads each pod once, regardless of the number of Services', () => {
    let accesses = 0;
    const countingPod = {
      ...makePod('p', 4),
      get metadata() {
        accesses++;
        return { name: 'p', namespace: 'shop', labels: { app: 'web' } };
      },
    };
    const services = Array.from({ length: 500 }, (_, i) => makeService(`s${i}`, { selector: { app: `app-${i}` } }));
    createSliceMaker({ services, pods: [countingPod] });
    expect(accesses).toBeLessThan(20);
  });

  it('refuses an unknown release', () => {
    expect(() => createSliceMaker({ services: [], pods: [] }, { version: '1.8' })).toThrow(RangeError);
  });
});
