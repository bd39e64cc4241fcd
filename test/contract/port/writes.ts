import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/port/index.ts';
import { configMaps, type MakePort } from './describe-client-port.ts';
import { configMap, keyOf, statusOf, versionOf, withPort } from './support.ts';

export function describeWrites(make: MakePort): void {
  describe('creates', () => {
    describeCreates(make);
    describeRefusals(make);
  });
  describe('updates', () => {
    describeUpdates(make);
    describeConcurrentUpdates(make);
  });
  describe('patches', () => describePatches(make));
  describe('dry runs', () => describeDryRuns(make));
}

function describeCreates(make: MakePort): void {
  it(
    'returns the object with the fields that the server sets, and reads it back',
    withPort(make, async (under) => {
      const created = await under.port.create(configMaps, configMap(under, 'a', { data: { key: 'value' } }));
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { key: 'value' } });
      expect(created.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(versionOf(created)).toMatch(/^[1-9]\d*$/);
      expect(await under.port.get(configMaps, keyOf(under, 'a'))).toStrictEqual(created);
    }),
  );

  it(
    'generates a name with five random characters',
    withPort(make, async (under) => {
      const { name: _, ...metadata } = configMap(under, '').metadata;
      const created = await under.port.create(configMaps, { metadata: { ...metadata, generateName: 'web-' } });
      expect(created.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    }),
  );
}

function describeRefusals(make: MakePort): void {
  it(
    'refuses an existing name, an invalid name, and a namespace that does not exist',
    withPort(make, async (under) => {
      await under.port.create(configMaps, configMap(under, 'a'));
      const taken = await statusOf(under.port.create(configMaps, configMap(under, 'a')));
      expect(taken).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'configmaps "a" already exists' });
      const wrong = await statusOf(under.port.create(configMaps, configMap(under, 'A_')));
      expect(wrong).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'A_', kind: 'ConfigMap' } });
      expect(wrong.details?.causes?.[0]).toMatchObject({ reason: 'FieldValueInvalid', field: 'metadata.name' });
      const nowhere = await statusOf(under.port.create(configMaps, configMap({ ...under, namespace: 'nowhere' }, 'a')));
      expect(nowhere).toMatchObject({ code: 404, reason: 'NotFound', message: 'namespaces "nowhere" not found' });
    }),
  );

  it(
    'refuses an object of another kind or version',
    withPort(make, async (under) => {
      const { port } = under;
      const made = configMap(under, 'a');
      for (const wrong of [{ kind: 'Pod' }, { apiVersion: 'v9' }, { kind: 'Pod', apiVersion: 'v9' }]) {
        expect(await statusOf(port.create(configMaps, { ...made, ...wrong }))).toMatchObject({ code: 400, reason: 'BadRequest' });
      }
      const created = await port.create(configMaps, made);
      for (const wrong of [{ kind: 'Pod' }, { apiVersion: 'v9' }]) {
        expect(await statusOf(port.update(configMaps, { ...created, ...wrong }))).toMatchObject({ code: 400, reason: 'BadRequest' });
        for (const type of ['merge', 'apply'] as const) {
          const whole = type === 'apply' ? { ...made, ...wrong } : wrong;
          const status = statusOf(port.patch(configMaps, keyOf(under, 'a'), whole, { type, fieldManager: 'me' }));
          expect([type, (await status).code]).toStrictEqual([type, expect.toSatisfy((code) => code === 400 || code === 422)]);
        }
      }
      expect(await port.get(configMaps, keyOf(under, 'a'))).toStrictEqual(created);
    }),
  );

  it(
    'does not share returned objects with the store',
    withPort(make, async (under) => {
      const given = configMap(under, 'a', { data: { key: 'value' } });
      const created = await under.port.create(configMaps, given);
      (given['data'] as Record<string, string>)['key'] = 'changed';
      expect(Reflect.set(created['data'] as object, 'key', 'changed') || true).toBe(true);
      expect(await under.port.get(configMaps, keyOf(under, 'a'))).toMatchObject({ data: { key: 'value' } });
    }),
  );
}

function describeUpdates(make: MakePort): void {
  it(
    'stores a newer object, and refuses an update of an older version',
    withPort(make, async (under) => {
      const created = await under.port.create(configMaps, configMap(under, 'a'));
      const updated = await under.port.update(configMaps, { ...created, data: { key: '1' } });
      expect(Number(versionOf(updated))).toBeGreaterThan(Number(versionOf(created)));
      expect(updated.metadata.uid).toBe(created.metadata.uid);
      const status = await statusOf(under.port.update(configMaps, { ...created, data: { key: '2' } }));
      const why = 'the object has been modified; please apply your changes to the latest version and try again';
      expect(status).toMatchObject({ code: 409, reason: 'Conflict', details: { name: 'a', kind: 'configmaps' } });
      expect(status.message).toBe(`Operation cannot be fulfilled on configmaps "a": ${why}`);
      expect(await under.port.get(configMaps, keyOf(under, 'a'))).toStrictEqual(updated);
    }),
  );

  it(
    'accepts an update without a version, and writes nothing if nothing changes',
    withPort(make, async (under) => {
      const created = await under.port.create(configMaps, configMap(under, 'a', { data: { key: '1' } }));
      const same = await under.port.update(configMaps, configMap(under, 'a', { data: { key: '1' } }));
      expect(same).toStrictEqual(created);
      const other = await under.port.update(configMaps, configMap(under, 'a', { data: { key: '2' } }));
      expect(other.metadata.creationTimestamp).toBe(created.metadata.creationTimestamp);
      expect(versionOf(other)).not.toBe(versionOf(created));
    }),
  );

  it(
    'refuses an object that does not exist, and the uid of another object',
    withPort(make, async (under) => {
      const missing = await statusOf(under.port.update(configMaps, configMap(under, 'a')));
      expect(missing).toMatchObject({ code: 404, message: 'configmaps "a" not found', details: { name: 'a', kind: 'configmaps' } });
      const created = await under.port.create(configMaps, configMap(under, 'a'));
      const uid = '00000000-0000-4000-8000-000000000000';
      const other: ApiObject = { ...created, metadata: { ...created.metadata, uid } };
      const status = await statusOf(under.port.update(configMaps, other));
      expect(status).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(status.message).toContain(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${created.metadata.uid}`);
    }),
  );
}

function describeConcurrentUpdates(make: MakePort): void {
  it(
    'loses none of many concurrent updates with their versions',
    withPort(make, async (under) => {
      await under.port.create(configMaps, configMap(under, 'a', { data: { count: '0' } }));
      const increment = async (): Promise<void> => {
        for (;;) {
          const current = await under.port.get(configMaps, keyOf(under, 'a'));
          const count = Number((current['data'] as { readonly count: string }).count) + 1;
          const done = await under.port.update(configMaps, { ...current, data: { count: String(count) } }).then(
            () => true,
            (error: { readonly code?: number }) => {
              if (error.code === 409) return false;
              throw error;
            },
          );
          if (done) return;
        }
      };
      await Promise.all(Array.from({ length: 10 }, increment));
      expect(await under.port.get(configMaps, keyOf(under, 'a'))).toMatchObject({ data: { count: '10' } });
    }),
  );
}

function describePatches(make: MakePort): void {
  it(
    'applies all four patch types',
    withPort(make, async (under) => {
      const { port } = under;
      await port.create(configMaps, configMap(under, 'a', { data: { a: '1', b: '2' } }));
      const key = keyOf(under, 'a');
      const merged = await port.patch(configMaps, key, { data: { a: null, c: '3' } }, { type: 'merge' });
      expect(merged['data']).toStrictEqual({ b: '2', c: '3' });
      const patched = await port.patch(configMaps, key, [{ op: 'replace', path: '/data/b', value: '4' }], { type: 'json' });
      expect(patched['data']).toStrictEqual({ b: '4', c: '3' });
      const strategic = await port.patch(configMaps, key, { data: { $patch: 'replace', d: '5' } }, { type: 'strategic' });
      expect(strategic['data']).toStrictEqual({ d: '5' });
      const config = configMap(under, 'a', { data: { e: '6' } });
      const applied = await port.patch(configMaps, key, config, { type: 'apply', fieldManager: 'tester' });
      expect(applied['data']).toStrictEqual({ d: '5', e: '6' });
      expect(applied.metadata.managedFields).toContainEqual(expect.objectContaining({ manager: 'tester', operation: 'Apply' }));
    }),
  );

  it(
    'creates with an apply patch, and with no other type',
    withPort(make, async (under) => {
      const key = keyOf(under, 'a');
      expect(await statusOf(under.port.patch(configMaps, key, { data: {} }, { type: 'merge' }))).toMatchObject({ code: 404 });
      const config = configMap(under, 'a', { data: { a: '1' } });
      const applied = await under.port.patch(configMaps, key, config, { type: 'apply', fieldManager: 'one' });
      expect(applied.metadata.uid).toBeDefined();
      const other = configMap(under, 'a', { data: { a: '2' } });
      const status = await statusOf(under.port.patch(configMaps, key, other, { type: 'apply', fieldManager: 'two' }));
      expect(status).toMatchObject({ code: 409, reason: 'Conflict' });
      const forced = await under.port.patch(configMaps, key, other, { type: 'apply', fieldManager: 'two', force: true });
      expect(forced['data']).toStrictEqual({ a: '2' });
    }),
  );
}

function describeDryRuns(make: MakePort): void {
  it(
    'returns the result, and writes nothing',
    withPort(make, async (under) => {
      const { port } = under;
      const planned = await port.create(configMaps, configMap(under, 'a'), { dryRun: true });
      expect(planned.metadata.uid).toBeDefined();
      expect(planned.metadata.resourceVersion).toBeUndefined();
      expect(await statusOf(port.get(configMaps, keyOf(under, 'a')))).toMatchObject({ code: 404 });
      const created = await port.create(configMaps, configMap(under, 'a'));
      expect(await port.update(configMaps, { ...created, data: { a: '1' } }, { dryRun: true })).toMatchObject({ data: { a: '1' } });
      await port.patch(configMaps, keyOf(under, 'a'), { data: { a: '2' } }, { type: 'merge', dryRun: true });
      await port.delete(configMaps, keyOf(under, 'a'), { dryRun: true });
      expect(await port.get(configMaps, keyOf(under, 'a'))).toStrictEqual(created);
      expect(await statusOf(port.create(configMaps, configMap(under, 'a'), { dryRun: true }))).toMatchObject({ reason: 'AlreadyExists' });
    }),
  );
}
