import { describe, expect, it } from 'vitest';
import { configMaps, type PortFactory, type PortUnderTest } from './describe-client-port.ts';
import { configMap, keyOf, nextEvents, typesAndNames, versionOf, withPort, withWatch } from './support.ts';

export function describeWatches(make: PortFactory): void {
  describe('events of a watch', () => {
    describeEvents(make);
    describeNamespaces(make);
  });
  describe('the start of a watch', () => describeStarts(make));
  describe('the end of a watch', () => describeEnds(make));
}

const currentVersion = async ({ port, namespace }: PortUnderTest): Promise<string> =>
  (await port.list(configMaps, { namespace })).metadata.resourceVersion;

function describeEvents(make: PortFactory): void {
  it(
    'delivers each change once, in order, each event with a new version, also a deletion',
    withPort(make, async (context) => {
      const { port, namespace } = context;
      const resourceVersion = await currentVersion(context);
      const created = await port.create(configMaps, configMap(context, 'a'));
      const updated = await port.update(configMaps, { ...created, data: { a: '1' } });
      await port.delete(configMaps, keyOf(context, 'a'));
      await port.create(configMaps, configMap(context, 'b'));
      const events = await withWatch(port.watch(configMaps, { namespace, resourceVersion }), (iterator) => nextEvents(iterator, 4));
      expect(typesAndNames(events)).toStrictEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
      expect(events[1]?.object).toStrictEqual(updated);
      const versions = events.map(({ object }) => Number(versionOf(object)));
      expect(versions).toStrictEqual([...new Set(versions)].sort((x, y) => x - y));
    }),
  );

  it(
    'turns updates into additions and deletions when objects start and stop matching the selector',
    withPort(make, async (context) => {
      const { port, namespace } = context;
      const resourceVersion = await currentVersion(context);
      for (const app of ['x', 'y', 'x', 'y']) {
        const labels = { app };
        const object = configMap(context, 'a', { labels });
        await port.update(configMaps, object).catch(() => port.create(configMaps, object));
      }
      const options = { namespace, resourceVersion, labelSelector: 'app=y' };
      const events = await withWatch(port.watch(configMaps, options), (iterator) => nextEvents(iterator, 3));
      expect(typesAndNames(events)).toStrictEqual(['ADDED a', 'DELETED a', 'ADDED a']);
      expect(events[1]?.object.metadata.labels).toStrictEqual({ app: 'y' });
    }),
  );
}

function describeNamespaces(make: PortFactory): void {
  it(
    'ignores other namespaces, and delivers an event to a pending read',
    withPort(make, async (context) => {
      const { port, namespace } = context;
      const resourceVersion = await currentVersion(context);
      await withWatch(port.watch(configMaps, { namespace, resourceVersion }), async (iterator) => {
        const next = nextEvents(iterator, 1);
        await port.create(configMaps, configMap({ ...context, namespace: 'default' }, 'elsewhere'));
        await port.create(configMaps, configMap(context, 'here'));
        expect(typesAndNames(await next)).toStrictEqual(['ADDED here']);
      });
      await port.delete(configMaps, { namespace: 'default', name: 'elsewhere' });
    }),
  );
}

function describeStarts(make: PortFactory): void {
  it(
    'resumes after any event without gaps or duplicates',
    withPort(make, async (context) => {
      const { port, namespace } = context;
      const start = await currentVersion(context);
      for (const name of ['a', 'b', 'c']) await port.create(configMaps, configMap(context, name));
      const [first] = await withWatch(port.watch(configMaps, { namespace, resourceVersion: start }), (iterator) => nextEvents(iterator, 1));
      const resourceVersion = versionOf((first as NonNullable<typeof first>).object);
      const rest = await withWatch(port.watch(configMaps, { namespace, resourceVersion }), (iterator) => nextEvents(iterator, 2));
      expect(typesAndNames(rest)).toStrictEqual(['ADDED b', 'ADDED c']);
    }),
  );

  it(
    'sends initial events on request, then a bookmark that ends them',
    withPort(make, async (context) => {
      const { port, namespace } = context;
      for (const name of ['a', 'b']) await port.create(configMaps, configMap(context, name, { labels: { test: '' } }));
      const options = {
        namespace,
        labelSelector: 'test',
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      } as const;
      const events = await withWatch(port.watch(configMaps, options), async (iterator) => {
        const initialEvents = await nextEvents(iterator, 3);
        await port.create(configMaps, configMap(context, 'c', { labels: { test: '' } }));
        return [...initialEvents, ...(await nextEvents(iterator, 1))];
      });
      expect(typesAndNames(events)).toStrictEqual(['ADDED a', 'ADDED b', 'BOOKMARK', 'ADDED c']);
      expect(events[2]?.object.metadata.annotations).toStrictEqual({ 'k8s.io/initial-events-end': 'true' });
    }),
  );

  it(
    'fails with Expired if its version was compacted',
    withPort(make, async (context) => {
      const { port, namespace, compact } = context;
      if (!compact) return;
      const resourceVersion = await currentVersion(context);
      for (const name of ['a', 'b']) await port.create(configMaps, configMap(context, name));
      await compact();
      const failingWatch = withWatch(port.watch(configMaps, { namespace, resourceVersion }), (iterator) => nextEvents(iterator, 1));
      await expect(failingWatch).rejects.toMatchObject({ code: 410, reason: 'Expired' });
    }),
  );
}

function describeEnds(make: PortFactory): void {
  it(
    'rejects a pending read with the reason of an aborted signal',
    withPort(make, async (context) => {
      const { port, namespace } = context;
      const controller = new AbortController();
      const resourceVersion = await currentVersion(context);
      const iterator = port.watch(configMaps, { namespace, resourceVersion, signal: controller.signal })[Symbol.asyncIterator]();
      const next = iterator.next();
      const reason = new Error('enough');
      controller.abort(reason);
      await expect(next).rejects.toBe(reason);
    }),
  );

  it(
    'sends bookmarks, and ends after timeoutSeconds',
    withPort(make, async (context) => {
      const { port, namespace, passTime } = context;
      if (!passTime) return;
      const resourceVersion = await currentVersion(context);
      const options = { namespace, resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 90 };
      await withWatch(port.watch(configMaps, options), async (iterator) => {
        const added = nextEvents(iterator, 1);
        const created = await port.create(configMaps, configMap(context, 'a'));
        expect(typesAndNames(await added)).toStrictEqual(['ADDED a']);
        const next = iterator.next();
        await passTime(60_000);
        const { value } = (await next) as { readonly value: Parameters<typeof typesAndNames>[0][number] };
        expect(value.type).toBe('BOOKMARK');
        expect(Number(versionOf(value.object))).toBeGreaterThanOrEqual(Number(versionOf(created)));
        const rest = (async () => {
          for (let step = await iterator.next(); !step.done; step = await iterator.next()) expect(step.value.type).toBe('BOOKMARK');
        })();
        await passTime(60_000);
        await rest;
      });
    }),
  );
}
