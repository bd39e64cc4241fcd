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
    withPort(make, async (context) => {
      await context.port.create(configMaps, configMap(context, 'a'));
      await context.port.delete(configMaps, keyOf(context, 'a'));
      const status = await statusOf(context.port.delete(configMaps, keyOf(context, 'a')));
      expect(status).toMatchObject({ code: 404, reason: 'NotFound', message: 'configmaps "a" not found' });
    }),
  );

  it(
    'refuses a precondition with another uid or resourceVersion',
    withPort(make, async (context) => {
      const { metadata } = await context.port.create(configMaps, configMap(context, 'a'));
      const uid = '00000000-0000-4000-8000-000000000000';
      const byUid = await statusOf(context.port.delete(configMaps, keyOf(context, 'a'), { preconditions: { uid } }));
      expect(byUid).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(byUid.message).toContain(`the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`);
      const oldVersion = { preconditions: { resourceVersion: '1' } };
      expect(await statusOf(context.port.delete(configMaps, keyOf(context, 'a'), oldVersion))).toMatchObject({
        code: 409,
        reason: 'Conflict',
      });
      const { uid: currentUid = '', resourceVersion = '' } = metadata;
      await context.port.delete(configMaps, keyOf(context, 'a'), { preconditions: { uid: currentUid, resourceVersion } });
      expect(await statusOf(context.port.get(configMaps, keyOf(context, 'a')))).toMatchObject({ code: 404 });
    }),
  );
}

function describeFinalizers(make: MakePort): void {
  it(
    'keeps the object until the last finalizer is removed',
    withPort(make, async (context) => {
      await context.port.create(configMaps, configMap(context, 'a', { finalizers: ['example.com/hold'] }));
      const terminating = await context.port.delete(configMaps, keyOf(context, 'a'));
      expect(terminating.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold'] });
      expect(terminating.metadata.deletionTimestamp).toBeDefined();
      expect(await context.port.get(configMaps, keyOf(context, 'a'))).toStrictEqual(terminating);
      await context.port.patch(configMaps, keyOf(context, 'a'), { metadata: { finalizers: null } }, { type: 'merge' });
      expect(await statusOf(context.port.get(configMaps, keyOf(context, 'a')))).toMatchObject({ code: 404 });
    }),
  );

  it(
    'adds a garbage collector finalizer for Foreground and Orphan',
    withPort(make, async (context) => {
      for (const [name, propagationPolicy, finalizer] of [
        ['a', 'Foreground', 'foregroundDeletion'],
        ['b', 'Orphan', 'orphan'],
      ] as const) {
        await context.port.create(configMaps, configMap(context, name, { finalizers: ['example.com/hold'] }));
        const terminating = await context.port.delete(configMaps, keyOf(context, name), { propagationPolicy });
        expect(terminating.metadata.finalizers).toStrictEqual(['example.com/hold', finalizer]);
      }
    }),
  );
}

function describeCollections(make: MakePort): void {
  it(
    'deletes the selected objects only',
    withPort(make, async (context) => {
      for (const [name, app] of [
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'x'],
      ] as const) {
        await context.port.create(configMaps, configMap(context, name, { labels: { app } }));
      }
      await context.port.deleteCollection(configMaps, { namespace: context.namespace, labelSelector: 'app=x' });
      const remaining = await context.port.list(configMaps, { namespace: context.namespace, labelSelector: 'app' });
      expect(namesOf(remaining.items)).toStrictEqual(['b']);
    }),
  );
}
