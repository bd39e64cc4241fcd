import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/port/index.ts';
import { configMaps, type PortFactory } from './describe-client-port.ts';
import { configMap, keyOf, statusOf, versionOf, withPort } from './support.ts';

export function describeWrites(make: PortFactory): void {
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

function describeCreates(make: PortFactory): void {
  it(
    'returns the object with the fields that the server sets, and reads it back',
    withPort(make, async (context) => {
      const created = await context.port.create(configMaps, configMap(context, 'a', { data: { key: 'value' } }));
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { key: 'value' } });
      expect(created.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(versionOf(created)).toMatch(/^[1-9]\d*$/);
      expect(await context.port.get(configMaps, keyOf(context, 'a'))).toStrictEqual(created);
    }),
  );

  it(
    'generates a name with five random characters',
    withPort(make, async (context) => {
      const { name: _, ...metadata } = configMap(context, '').metadata;
      const created = await context.port.create(configMaps, { metadata: { ...metadata, generateName: 'web-' } });
      expect(created.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    }),
  );
}

function describeRefusals(make: PortFactory): void {
  it(
    'refuses an existing name, an invalid name, and a namespace that does not exist',
    withPort(make, async (context) => {
      await context.port.create(configMaps, configMap(context, 'a'));
      const duplicateStatus = await statusOf(context.port.create(configMaps, configMap(context, 'a')));
      expect(duplicateStatus).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'configmaps "a" already exists' });
      const invalidStatus = await statusOf(context.port.create(configMaps, configMap(context, 'A_')));
      expect(invalidStatus).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'A_', kind: 'ConfigMap' } });
      expect(invalidStatus.details?.causes?.[0]).toMatchObject({ reason: 'FieldValueInvalid', field: 'metadata.name' });
      const unknownNamespaceStatus = await statusOf(context.port.create(configMaps, configMap({ ...context, namespace: 'nowhere' }, 'a')));
      expect(unknownNamespaceStatus).toMatchObject({ code: 404, reason: 'NotFound', message: 'namespaces "nowhere" not found' });
    }),
  );

  it(
    'refuses an object of a different kind or version, also in updates and patches',
    withPort(make, async (context) => {
      const { port } = context;
      const object = configMap(context, 'a');
      for (const invalidFields of [{ kind: 'Pod' }, { apiVersion: 'v9' }, { kind: 'Pod', apiVersion: 'v9' }]) {
        expect(await statusOf(port.create(configMaps, { ...object, ...invalidFields }))).toMatchObject({ code: 400, reason: 'BadRequest' });
      }
      const created = await port.create(configMaps, object);
      for (const invalidFields of [{ kind: 'Pod' }, { apiVersion: 'v9' }]) {
        expect(await statusOf(port.update(configMaps, { ...created, ...invalidFields }))).toMatchObject({
          code: 400,
          reason: 'BadRequest',
        });
        for (const type of ['merge', 'apply'] as const) {
          const patch = type === 'apply' ? { ...object, ...invalidFields } : invalidFields;
          const status = statusOf(port.patch(configMaps, keyOf(context, 'a'), patch, { type, fieldManager: 'me' }));
          expect([type, (await status).code]).toStrictEqual([type, expect.toSatisfy((code) => code === 400 || code === 422)]);
        }
      }
      expect(await port.get(configMaps, keyOf(context, 'a'))).toStrictEqual(created);
    }),
  );

  it(
    'does not share returned objects with the store',
    withPort(make, async (context) => {
      const object = configMap(context, 'a', { data: { key: 'value' } });
      const created = await context.port.create(configMaps, object);
      (object['data'] as Record<string, string>)['key'] = 'changed';
      expect(Reflect.set(created['data'] as object, 'key', 'changed') || true).toBe(true);
      expect(await context.port.get(configMaps, keyOf(context, 'a'))).toMatchObject({ data: { key: 'value' } });
    }),
  );
}

function describeUpdates(make: PortFactory): void {
  it(
    'stores a newer object, and refuses an update of an older version',
    withPort(make, async (context) => {
      const created = await context.port.create(configMaps, configMap(context, 'a'));
      const updated = await context.port.update(configMaps, { ...created, data: { key: '1' } });
      expect(Number(versionOf(updated))).toBeGreaterThan(Number(versionOf(created)));
      expect(updated.metadata.uid).toBe(created.metadata.uid);
      const status = await statusOf(context.port.update(configMaps, { ...created, data: { key: '2' } }));
      const reason = 'the object has been modified; please apply your changes to the latest version and try again';
      expect(status).toMatchObject({ code: 409, reason: 'Conflict', details: { name: 'a', kind: 'configmaps' } });
      expect(status.message).toBe(`Operation cannot be fulfilled on configmaps "a": ${reason}`);
      expect(await context.port.get(configMaps, keyOf(context, 'a'))).toStrictEqual(updated);
    }),
  );

  it(
    'accepts an update without a version, and writes nothing if nothing changes',
    withPort(make, async (context) => {
      const created = await context.port.create(configMaps, configMap(context, 'a', { data: { key: '1' } }));
      const unchangedObject = await context.port.update(configMaps, configMap(context, 'a', { data: { key: '1' } }));
      expect(unchangedObject).toStrictEqual(created);
      const other = await context.port.update(configMaps, configMap(context, 'a', { data: { key: '2' } }));
      expect(other.metadata.creationTimestamp).toBe(created.metadata.creationTimestamp);
      expect(versionOf(other)).not.toBe(versionOf(created));
    }),
  );

  it(
    'refuses an object that does not exist, and a different uid',
    withPort(make, async (context) => {
      const missingStatus = await statusOf(context.port.update(configMaps, configMap(context, 'a')));
      expect(missingStatus).toMatchObject({ code: 404, message: 'configmaps "a" not found', details: { name: 'a', kind: 'configmaps' } });
      const created = await context.port.create(configMaps, configMap(context, 'a'));
      const uid = '00000000-0000-4000-8000-000000000000';
      const other: ApiObject = { ...created, metadata: { ...created.metadata, uid } };
      const status = await statusOf(context.port.update(configMaps, other));
      expect(status).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(status.message).toContain(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${created.metadata.uid}`);
    }),
  );
}

function describeConcurrentUpdates(make: PortFactory): void {
  it(
    'loses no update if many clients read and update an object concurrently',
    withPort(make, async (context) => {
      await context.port.create(configMaps, configMap(context, 'a', { data: { count: '0' } }));
      const increment = async (): Promise<void> => {
        for (;;) {
          const current = await context.port.get(configMaps, keyOf(context, 'a'));
          const count = Number((current['data'] as { readonly count: string }).count) + 1;
          const isDone = await context.port.update(configMaps, { ...current, data: { count: String(count) } }).then(
            () => true,
            (error: { readonly code?: number }) => {
              if (error.code === 409) return false;
              throw error;
            },
          );
          if (isDone) return;
        }
      };
      await Promise.all(Array.from({ length: 10 }, increment));
      expect(await context.port.get(configMaps, keyOf(context, 'a'))).toMatchObject({ data: { count: '10' } });
    }),
  );
}

function describePatches(make: PortFactory): void {
  it(
    'applies all four patch types',
    withPort(make, async (context) => {
      const { port } = context;
      await port.create(configMaps, configMap(context, 'a', { data: { a: '1', b: '2' } }));
      const key = keyOf(context, 'a');
      const merged = await port.patch(configMaps, key, { data: { a: null, c: '3' } }, { type: 'merge' });
      expect(merged['data']).toStrictEqual({ b: '2', c: '3' });
      const patched = await port.patch(configMaps, key, [{ op: 'replace', path: '/data/b', value: '4' }], { type: 'json' });
      expect(patched['data']).toStrictEqual({ b: '4', c: '3' });
      const strategic = await port.patch(configMaps, key, { data: { $patch: 'replace', d: '5' } }, { type: 'strategic' });
      expect(strategic['data']).toStrictEqual({ d: '5' });
      const config = configMap(context, 'a', { data: { e: '6' } });
      const applied = await port.patch(configMaps, key, config, { type: 'apply', fieldManager: 'tester' });
      expect(applied['data']).toStrictEqual({ d: '5', e: '6' });
      expect(applied.metadata.managedFields).toContainEqual(expect.objectContaining({ manager: 'tester', operation: 'Apply' }));
    }),
  );

  it(
    'creates an object with an apply patch, not with a merge patch, and resolves a conflict of two managers only by force',
    withPort(make, async (context) => {
      const key = keyOf(context, 'a');
      expect(await statusOf(context.port.patch(configMaps, key, { data: {} }, { type: 'merge' }))).toMatchObject({ code: 404 });
      const config = configMap(context, 'a', { data: { a: '1' } });
      const applied = await context.port.patch(configMaps, key, config, { type: 'apply', fieldManager: 'one' });
      expect(applied.metadata.uid).toBeDefined();
      const other = configMap(context, 'a', { data: { a: '2' } });
      const status = await statusOf(context.port.patch(configMaps, key, other, { type: 'apply', fieldManager: 'two' }));
      expect(status).toMatchObject({ code: 409, reason: 'Conflict' });
      const forced = await context.port.patch(configMaps, key, other, { type: 'apply', fieldManager: 'two', force: true });
      expect(forced['data']).toStrictEqual({ a: '2' });
    }),
  );
}

function describeDryRuns(make: PortFactory): void {
  it(
    'returns the result, and writes nothing',
    withPort(make, async (context) => {
      const { port } = context;
      const planned = await port.create(configMaps, configMap(context, 'a'), { dryRun: true });
      expect(planned.metadata.uid).toBeDefined();
      expect(planned.metadata.resourceVersion).toBeUndefined();
      expect(await statusOf(port.get(configMaps, keyOf(context, 'a')))).toMatchObject({ code: 404 });
      const created = await port.create(configMaps, configMap(context, 'a'));
      expect(await port.update(configMaps, { ...created, data: { a: '1' } }, { dryRun: true })).toMatchObject({ data: { a: '1' } });
      await port.patch(configMaps, keyOf(context, 'a'), { data: { a: '2' } }, { type: 'merge', dryRun: true });
      await port.delete(configMaps, keyOf(context, 'a'), { dryRun: true });
      expect(await port.get(configMaps, keyOf(context, 'a'))).toStrictEqual(created);
      expect(await statusOf(port.create(configMaps, configMap(context, 'a'), { dryRun: true }))).toMatchObject({ reason: 'AlreadyExists' });
    }),
  );
}
