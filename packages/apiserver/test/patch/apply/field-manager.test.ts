import { describe, expect, test } from 'vitest';
import { fc } from '../../../../../test/support/property.ts';
import { createFieldManager, type FieldManagerOptions } from '../../../src/patch/apply/field-manager.ts';
import { createFieldSet } from '../../../src/patch/apply/field-set.ts';
import { createFieldsCache } from '../../../src/patch/apply/fields-cache.ts';
import { lastAppliedAnnotation } from '../../../src/patch/apply/last-applied.ts';
import type { JsonMap } from '../../../src/patch/json.ts';
import { builtInKind } from '../../../src/patch/types/built-in.ts';
import { catchApiError } from '../refusal.ts';
import { managerFor, now, toy } from '../support.ts';
import { toys } from '../toys.ts';

const services = managerFor('v1', 'Service');
const service = (spec: JsonMap, metadata: JsonMap = {}): JsonMap => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a', namespace: 'ns', ...metadata },
  spec,
});
const summarizeEntries = (object: JsonMap) =>
  (((object['metadata'] as JsonMap)['managedFields'] ?? []) as JsonMap[]).map(
    ({ manager, operation, time, subresource, fieldsV1 }) =>
      `${manager} ${operation} ${subresource ?? ''} ${time ?? ''} ${JSON.stringify(fieldsV1)}`,
  );

describe('update', () => {
  test('tracks the fields of a new object', () => {
    const created = services.update(undefined, service({ type: 'ClusterIP' }), { manager: 'm', now });
    expect(created['metadata']).toEqual({
      name: 'a',
      namespace: 'ns',
      managedFields: [
        {
          manager: 'm',
          operation: 'Update',
          apiVersion: 'v1',
          time: now,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:type': {} } },
        },
      ],
    });
  });

  test('does not track an object without managed fields', () => {
    const live = service({}, { uid: 'u' });
    expect(summarizeEntries(services.update(live, service({ type: 'NodePort' }, { uid: 'u' }), { manager: 'm', now }))).toEqual([]);
  });

  test('moves changed fields to the new manager, and keeps the owners of the other fields', () => {
    const created = services.update(undefined, service({ type: 'ClusterIP', clusterIP: 'None' }), { manager: 'm', now });
    const changed = services.update(created, service({ type: 'NodePort', clusterIP: 'None' }), {
      manager: 'n',
      now: '2026-05-01T00:00:09Z',
    });
    expect(summarizeEntries(changed)).toEqual([
      `m Update  ${now} {"f:spec":{"f:clusterIP":{}}}`,
      'n Update  2026-05-01T00:00:09Z {"f:spec":{"f:type":{}}}',
    ]);
  });

  test('uses the manager "unknown" if no name is given, and records the subresource', () => {
    const status = managerFor('v1', 'Service', { subresource: 'status' });
    expect(summarizeEntries(status.update(undefined, service({ type: 'x' }), { manager: '', now }))).toEqual([
      `unknown Update status ${now} {"f:spec":{"f:type":{}}}`,
    ]);
  });

  test('lets a client reset managed fields, or replace them by valid entries', () => {
    const created = services.update(undefined, service({ type: 'ClusterIP' }), { manager: 'm', now });
    const live = { ...created, metadata: { ...(created['metadata'] as JsonMap), uid: 'u' } };
    const write = (managedFields: unknown) =>
      summarizeEntries(services.update(live, service({ type: 'ClusterIP' }, { uid: 'u', managedFields }), { manager: 'n', now }));
    expect(write([])).toEqual([]);
    expect(write([{ manager: 'x' }])).toEqual(summarizeEntries(live));
    expect(write([{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:a': {} } }])).toEqual([
      'x Apply   {"f:a":{}}',
    ]);
  });

  test('drops managed fields if the object does not fit its type', () => {
    expect(summarizeEntries(services.update(undefined, service({ type: 5 }), { manager: 'm', now }))).toEqual([]);
  });
});

describe('apply', () => {
  const config = service({ ports: [{ port: 80, name: 'http' }], selector: { app: 'a' } });
  const created = services.apply(undefined, config, { manager: 'm', now });

  test('creates an object with managed fields', () => {
    expect(created).toMatchObject({ spec: config['spec'] as JsonMap, status: { loadBalancer: {} } });
    expect(summarizeEntries(created)).toEqual([
      `m Apply  ${now} {"f:spec":{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{},"f:port":{}}},"f:selector":{}}}`,
    ]);
  });

  test('merges lists by key, and reports conflicts with other appliers', () => {
    const result = services.apply(created, service({ ports: [{ port: 443 }] }), { manager: 'n', now });
    expect((result['spec'] as JsonMap)['ports']).toEqual([{ port: 80, name: 'http' }, { port: 443 }]);
    expect(catchApiError(() => services.apply(created, service({ ports: [{ port: 80, name: 'web' }] }), { manager: 'n', now }))).toEqual({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "m": .spec.ports[port=80,protocol="TCP"].name',
    });
    const forced = services.apply(created, service({ ports: [{ port: 80, name: 'web' }] }), { manager: 'n', now, force: true });
    expect((forced['spec'] as JsonMap)['ports']).toEqual([{ port: 80, name: 'web' }]);
  });

  test('keeps the time if nothing changes', () => {
    expect(services.apply(created, config, { manager: 'm', now: '2027-01-01T00:00:00Z' })).toEqual(created);
  });

  test('assigns existing fields to before-first-apply', () => {
    const live = service({ type: 'ClusterIP' }, { uid: 'u' });
    expect(summarizeEntries(services.apply(live, service({ clusterIP: 'None' }), { manager: 'm', now }))).toEqual([
      `m Apply  ${now} {"f:spec":{"f:clusterIP":{}}}`,
      `before-first-apply Update  ${now} {"f:spec":{"f:type":{}}}`,
    ]);
  });

  test('passes the merged object to finish', () => {
    const manager = managerFor('v1', 'Service', {
      finish: (object) => ({ ...object, spec: { ...(object['spec'] as JsonMap), type: 'ClusterIP' } }),
    });
    expect(manager.apply(undefined, config, { manager: 'm', now })['spec']).toMatchObject({ type: 'ClusterIP' });
  });

  test('takes over the fields of client-side apply if the manager is kubectl', () => {
    const annotations = { [lastAppliedAnnotation]: JSON.stringify(service({ type: 'ClusterIP' })) };
    const live = services.update(undefined, service({ type: 'ClusterIP' }, { annotations }), { manager: 'client', now });
    const config = service({ type: 'NodePort' });
    expect(catchApiError(() => services.apply(live, config, { manager: 'other', now })).code).toBe(409);
    const applied = services.apply(live, config, { manager: 'kubectl', now });
    expect(applied['spec']).toEqual({ type: 'NodePort' });
    expect((applied['metadata'] as { annotations: JsonMap }).annotations[lastAppliedAnnotation]).toContain('"type":"NodePort"');
  });

  test.each([
    [{ ...config, kind: 'Pod' }, 400, 'invalid object type: /v1, Kind=Pod'],
    [{ ...config, apiVersion: 'apps/v1' }, 400, 'invalid object type: apps/v1, Kind=Service'],
    [{}, 400, 'invalid object type: /, Kind='],
    [service({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    [
      service({ bogus: 1 }),
      500,
      'failed to create typed patch object (ns/a; /v1, Kind=Service): .spec.bogus: field not declared in schema',
    ],
  ])('refuses %j', (invalidConfig, code, message) => {
    expect(catchApiError(() => services.apply(created, invalidConfig, { manager: 'm', now }))).toMatchObject({ code, message });
  });

  test('refuses live objects whose managed fields are invalid', () => {
    const broken = service({}, { managedFields: [{ operation: 'x' }] });
    expect(catchApiError(() => services.apply(broken, config, { manager: 'm', now }))).toMatchObject({
      code: 500,
      message: 'failed to decode managed fields: operation must be `Apply` or `Update`',
    });
  });
});

test('managed fields of other versions stay in their version, and unknown versions are dropped', () => {
  const type = builtInKind('v1', 'ConfigMap')?.type;
  const manager = createFieldManager({
    apiVersion: 'v2',
    kind: 'ConfigMap',
    typeIn: (version) => (version === 'v1' || version === 'v2' ? type : undefined),
    empty: { apiVersion: 'v2', kind: 'ConfigMap', metadata: {} },
  });
  const entry = (apiVersion: string) => ({
    manager: 'm',
    operation: 'Update',
    apiVersion,
    time: now,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  });
  const live = (apiVersion: string) => ({
    apiVersion: 'v2',
    kind: 'ConfigMap',
    metadata: { managedFields: [entry(apiVersion)] },
    data: { a: '1' },
  });
  const config = { apiVersion: 'v2', kind: 'ConfigMap', metadata: {}, data: { a: '2' } };
  expect(catchApiError(() => manager.apply(live('v1'), config, { manager: 'n', now })).message).toContain(
    'conflict with "m" using v1: .data.a',
  );
  expect(summarizeEntries(manager.apply(live('v0'), config, { manager: 'n', now }))).toEqual([`n Apply  ${now} {"f:data":{"f:a":{}}}`]);
});

describe('a fields cache', () => {
  const write = fc.record({ objectIndex: fc.nat(2), manager: fc.constantFrom('a', 'b', 'c'), toy: toys, subresource: fc.boolean() });

  test('does not change the result of any sequence of writes', () => {
    const options: FieldManagerOptions = {
      apiVersion: 'v1',
      kind: 'Toy',
      typeIn: (version) => (version === 'v1' ? toy : undefined),
      empty: { apiVersion: 'v1', kind: 'Toy', metadata: {} },
      resetFields: new Map([['v1', createFieldSet(['f:nest'])]]),
      trusted: true,
    };
    const cache = createFieldsCache();
    const [cachedManager, cachedSubresourceManager] = [
      createFieldManager({ ...options, cache }),
      createFieldManager({ ...options, cache, subresource: 'part' }),
    ];
    const [uncachedManager, uncachedSubresourceManager] = [
      createFieldManager(options),
      createFieldManager({ ...options, subresource: 'part' }),
    ];
    fc.assert(
      fc.property(fc.array(write, { maxLength: 8 }), (writes) => {
        const objects = new Map<number, Record<string, unknown>>();
        for (const { objectIndex, manager, toy: toyFields, subresource } of writes) {
          const live = objects.get(objectIndex);
          const { kind: _, ...fields } = toyFields;
          const metadata = { name: `toy-${objectIndex}`, ...(live && { managedFields: (live['metadata'] as JsonMap)['managedFields'] }) };
          const object = { apiVersion: 'v1', kind: 'Toy', metadata, ...fields };
          const entries = (subresource ? cachedSubresourceManager : cachedManager).computeManagedFields(live, object, { manager, now });
          expect(entries).toEqual(
            (subresource ? uncachedSubresourceManager : uncachedManager).computeManagedFields(live, object, { manager, now }),
          );
          objects.set(objectIndex, { ...object, metadata: { ...metadata, managedFields: entries } });
        }
      }),
      { numRuns: 300 },
    );
  });
});
