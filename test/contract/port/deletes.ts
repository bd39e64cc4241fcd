import { describe, expect, it } from 'vitest';
import { configMaps, type PortFactory } from './describe-client-port.ts';
import { configMap, keyOf, namesOf, statusOf, withPort } from './support.ts';

export function describeDeletes(make: PortFactory): void {
  describe('deletes', () => {
    describeObjectDeletes(make);
    describeFinalizers(make);
  });
  describe('deletes of collections', () => describeCollectionDeletes(make));
}

function describeObjectDeletes(make: PortFactory): void {
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
    'refuses a precondition with a different uid or resourceVersion',
    withPort(make, async (context) => {
      const { metadata } = await context.port.create(configMaps, configMap(context, 'a'));
      const uid = '00000000-0000-4000-8000-000000000000';
      const uidStatus = await statusOf(context.port.delete(configMaps, keyOf(context, 'a'), { preconditions: { uid } }));
      expect(uidStatus).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(uidStatus.message).toContain(`the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`);
      const oldVersionOptions = { preconditions: { resourceVersion: '1' } };
      expect(await statusOf(context.port.delete(configMaps, keyOf(context, 'a'), oldVersionOptions))).toMatchObject({
        code: 409,
        reason: 'Conflict',
      });
      const { uid: currentUid = '', resourceVersion = '' } = metadata;
      await context.port.delete(configMaps, keyOf(context, 'a'), { preconditions: { uid: currentUid, resourceVersion } });
      expect(await statusOf(context.port.get(configMaps, keyOf(context, 'a')))).toMatchObject({ code: 404 });
    }),
  );
}

function describeFinalizers(make: PortFactory): void {
  it(
    'keeps the object until the last finalizer is removed',
    withPort(make, async (context) => {
      await context.port.create(configMaps, configMap(context, 'a', { finalizers: ['example.com/hold'] }));
      const terminatingObject = await context.port.delete(configMaps, keyOf(context, 'a'));
      expect(terminatingObject.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold'] });
      expect(terminatingObject.metadata.deletionTimestamp).toBeDefined();
      expect(await context.port.get(configMaps, keyOf(context, 'a'))).toStrictEqual(terminatingObject);
      await context.port.patch(configMaps, keyOf(context, 'a'), { metadata: { finalizers: null } }, { type: 'merge' });
      expect(await statusOf(context.port.get(configMaps, keyOf(context, 'a')))).toMatchObject({ code: 404 });
    }),
  );

  it(
    'adds the finalizer of the garbage collector for the propagation policies Foreground and Orphan',
    withPort(make, async (context) => {
      for (const [name, propagationPolicy, finalizer] of [
        ['a', 'Foreground', 'foregroundDeletion'],
        ['b', 'Orphan', 'orphan'],
      ] as const) {
        await context.port.create(configMaps, configMap(context, name, { finalizers: ['example.com/hold'] }));
        const terminatingObject = await context.port.delete(configMaps, keyOf(context, name), { propagationPolicy });
        expect(terminatingObject.metadata.finalizers).toStrictEqual(['example.com/hold', finalizer]);
      }
    }),
  );
}

function describeCollectionDeletes(make: PortFactory): void {
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
