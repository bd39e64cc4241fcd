import { describe, expect, it } from 'vitest';
import { findDifferences } from './differences.ts';
import { createNormaliser } from './normalise.ts';

const UID = '5e8a3f60-8b0c-4c53-9d55-0f2c1d9a7b11';
const OTHER_UID = 'b0a8f8a0-1111-4c53-9d55-0f2c1d9a7b22';
const createObject = (resourceVersion: string, rest: object = {}) => ({
  metadata: { name: 'n', namespace: 'ns', uid: UID, resourceVersion, ...rest },
});

describe('createNormaliser', () => {
  it('numbers the resourceVersions of each object, so that an extra write is visible', () => {
    const { clean } = createNormaliser('');
    expect([createObject('7'), createObject('9'), createObject('7')].map(clean)).toEqual(
      ['<rv 1>', '<rv 2>', '<rv 1>'].map((resourceVersion) => ({
        metadata: { name: 'n', namespace: 'ns', uid: '<uid of ns/n>', resourceVersion },
      })),
    );
  });

  it('replaces uids by the names of their objects everywhere, and distinguishes two objects with the same name', () => {
    const { clean } = createNormaliser('');
    clean(createObject('1'));
    expect(clean({ metadata: { name: 'n', namespace: 'ns', uid: OTHER_UID } })).toEqual({
      metadata: { name: 'n', namespace: 'ns', uid: '<uid of ns/n #2>' },
    });
    expect(clean({ message: `owned by ${UID}` })).toEqual({ message: 'owned by <uid of ns/n>' });
  });

  it('keeps requested addresses and ports, and replaces allocated ones', () => {
    const { clean } = createNormaliser('{"clusterIP":"10.96.0.7","nodePort":31000}');
    expect(clean({ clusterIPs: ['10.96.0.7', '10.96.0.8', 'fd00:10:96::7'], ports: [{ nodePort: 31000 }, { nodePort: 31001 }] })).toEqual({
      clusterIPs: ['10.96.0.7', '<IPv4>', '<IPv6>'],
      ports: [{ nodePort: 31000 }, { nodePort: '<node port>' }],
    });
  });

  it('replaces times within a day of now, and keeps other times', () => {
    const { clean } = createNormaliser('');
    expect(clean([new Date().toISOString(), '2020-01-01T00:00:00Z'])).toEqual(['<time with fraction>', '2020-01-01T00:00:00Z']);
  });

  it('ignores the order of managedFields entries', () => {
    const { clean } = createNormaliser('');
    const [ours, server] = [
      { manager: 'comparison', operation: 'Update' },
      { manager: 'server', operation: 'Update', subresource: 'status' },
    ];
    expect(clean({ managedFields: [server, ours] })).toEqual(clean({ managedFields: [ours, server] }));
    expect(clean({ managedFields: [ours, ours] })).not.toEqual(clean({ managedFields: [ours, server] }));
  });

  it('replaces generated names wherever they occur', () => {
    const { clean } = createNormaliser('');
    clean({ metadata: { name: 'pod-x7k2p', generateName: 'pod-' } });
    expect(clean('pods "pod-x7k2p" not found')).toBe('pods "pod-<generated>" not found');
  });
});

describe('findDifferences', () => {
  it('returns the paths of differing fields at any depth', () => {
    const real = { code: 200, body: { items: [{ a: 1 }, { b: 1 }], only: true } };
    const ours = { code: 200, body: { items: [{ a: 2 }] } };
    expect(findDifferences(real, ours)).toEqual([
      { field: 'body.items[0].a', real: 1, ours: 2 },
      { field: 'body.items[1]', real: { b: 1 }, ours: undefined },
      { field: 'body.only', real: true, ours: undefined },
    ]);
  });

  it('treats keys such as __proto__ as data', () => {
    const [real, ours] = ['{"__proto__":1}', '{}'].map((text) => JSON.parse(text) as unknown);
    expect(findDifferences(real, ours)).toEqual([{ field: '__proto__', real: 1, ours: undefined }]);
  });
});
