import { describe, expect, it } from 'vitest';
import {
  type Bucket,
  createBucket,
  getEndpoints,
  getEndpointsByLabel,
  getPortItems,
  getServiceAnswer,
  getSubsets,
  hasAddresses,
} from '../../src/dns/bucket.ts';
import { createServiceEntry, createSliceEntry } from '../../src/dns/entries.ts';
import { parseConfig } from '../../src/dns/settings.ts';
import { makeEndpoint, makeHeadlessService, makeService, makeSlice } from './cluster.ts';

const settings = parseConfig();

function bucketWith(
  serviceObject: ReturnType<typeof makeService>,
  ...slices: ReturnType<typeof makeSlice>[]
): { bucket: Bucket; entry: ReturnType<typeof createServiceEntry> } {
  const bucket = createBucket('shop', 'db');
  const entry = createServiceEntry(serviceObject, settings);
  bucket.service = entry;
  for (const each of slices.map((object) => createSliceEntry(object, settings))) bucket.sources.set(each.key, each);
  return { bucket, entry };
}

describe('a bucket', () => {
  const metadata = (name: string) => ({ name, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'db' } });
  const twoPorts = {
    ports: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ],
  };

  it('returns the subsets of its slices sorted by the names of the slices', () => {
    const { bucket } = bucketWith(
      makeHeadlessService('db'),
      makeSlice('db', [], { ...twoPorts, metadata: metadata('z') }),
      makeSlice('db', [], { metadata: metadata('a') }),
    );
    expect(getSubsets(bucket).map(({ ports }) => ports.length)).toEqual([1, 2]);
    expect(hasAddresses(bucket)).toBe(false);
  });

  it('has an item for each port of each endpoint', () => {
    const { bucket, entry } = bucketWith(
      makeHeadlessService('db'),
      makeSlice('db', [makeEndpoint('10.0.0.1', { hostname: 'DB-0' }), makeEndpoint('10.0.0.2')], twoPorts),
    );
    expect(getEndpoints(bucket).map(({ label, owner, port }) => [label, owner, port])).toEqual([
      ['DB-0', 'DB-0.db.shop.svc', 1],
      ['DB-0', 'DB-0.db.shop.svc', 2],
      ['10-0-0-2', '10-0-0-2.db.shop.svc', 1],
      ['10-0-0-2', '10-0-0-2.db.shop.svc', 2],
    ]);
    expect([...getEndpointsByLabel(bucket).keys()]).toEqual(['db-0', '10-0-0-2']);
    expect(getServiceAnswer(bucket, entry).reason.values).toEqual({ service: 'shop/db', count: '2' });
  });

  it('caches the result for a port, but nothing for missing ports', () => {
    const { bucket, entry } = bucketWith(makeService('db', twoPorts));
    const portItems = (name: string) => getPortItems(bucket, entry, name, (port) => port.name === name);
    expect(portItems('a')?.items).toHaveLength(1);
    expect(portItems('a')).toBe(portItems('a'));
    expect(portItems('c')).toBeUndefined();
    expect([...(bucket.derived.ports?.keys() ?? [])]).toEqual(['a']);
  });
});
