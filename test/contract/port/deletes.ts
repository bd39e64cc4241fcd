import { describe, expect, it } from 'vitest';
import { configMaps, type MakePort } from './describe-client-port.ts';
import { configMap, keyOf, namesOf, statusOf, withPort } from './support.ts';

export function describeDeletes(make: MakePort): void {
  describe('deletes', () => {
    describeSingle(make);
    describeFinalizers(make);
  });
  describe('deletes of collections', () => describeCollections(make));
}

function describeSingle(make: MakePort): void {
  it(
    'deletes an existing object once',
    withPort(make, async (under) => {
      await under.port.create(configMaps, configMap(under, 'a'));
      await under.port.delete(configMaps, keyOf(under, 'a'));
      const status = await statusOf(under.port.delete(configMaps, keyOf(under, 'a')));
      expect(status).toMatchObject({ code: 404, reason: 'NotFound', message: 'configmaps "a" not found' });
    }),
  );

  it(
    'refuses a precondition with another uid or resourceVersion',
    withPort(make, async (under) => {
      const { metadata } = await under.port.create(configMaps, configMap(under, 'a'));
      const uid = '00000000-0000-4000-8000-000000000000';
      const byUid = await statusOf(under.port.delete(configMaps, keyOf(under, 'a'), { preconditions: { uid } }));
      expect(byUid).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(byUid.message).toContain(`the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`);
      const old = { preconditions: { resourceVersion: '1' } };
      expect(await statusOf(under.port.delete(configMaps, keyOf(under, 'a'), old))).toMatchObject({ code: 409, reason: 'Conflict' });
      const { uid: right = '', resourceVersion = '' } = metadata;
      await under.port.delete(configMaps, keyOf(under, 'a'), { preconditions: { uid: right, resourceVersion } });
      expect(await statusOf(under.port.get(configMaps, keyOf(under, 'a')))).toMatchObject({ code: 404 });
    }),
  );
}

function describeFinalizers(make: MakePort): void {
  it(
    'keeps the object until the last finalizer is removed',
    withPort(make, async (under) => {
      await under.port.create(configMaps, configMap(under, 'a', { finalizers: ['example.com/hold'] }));
      const going = await under.port.delete(configMaps, keyOf(under, 'a'));
      expect(going.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold'] });
      expect(going.metadata.deletionTimestamp).toBeDefined();
      expect(await under.port.get(configMaps, keyOf(under, 'a'))).toStrictEqual(going);
      await under.port.patch(configMaps, keyOf(under, 'a'), { metadata: { finalizers: null } }, { type: 'merge' });
      expect(await statusOf(under.port.get(configMaps, keyOf(under, 'a')))).toMatchObject({ code: 404 });
    }),
  );

  it(
    'adds a garbage collector finalizer for Foreground and Orphan',
    withPort(make, async (under) => {
      for (const [name, propagationPolicy, finalizer] of [
        ['a', 'Foreground', 'foregroundDeletion'],
        ['b', 'Orphan', 'orphan'],
      ] as const) {
        await under.port.create(configMaps, configMap(under, name, { finalizers: ['example.com/hold'] }));
        const going = await under.port.delete(configMaps, keyOf(under, name), { propagationPolicy });
        expect(going.metadata.finalizers).toStrictEqual(['example.com/hold', finalizer]);
      }
    }),
  );
}

function describeCollections(make: MakePort): void {
  it(
    'deletes the selected objects only',
    withPort(make, async (under) => {
      for (const [name, app] of [
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'x'],
      ] as const) {
        await under.port.create(configMaps, configMap(under, name, { labels: { app } }));
      }
      await under.port.deleteCollection(configMaps, { namespace: under.namespace, labelSelector: 'app=x' });
      const left = await under.port.list(configMaps, { namespace: under.namespace, labelSelector: 'app' });
      expect(namesOf(left.items)).toStrictEqual(['b']);
    }),
  );
}
