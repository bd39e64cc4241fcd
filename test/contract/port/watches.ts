import { describe, expect, it } from 'vitest';
import { configMaps, type MakePort, type PortUnderTest } from './describe-client-port.ts';
import { configMap, keyOf, take, typesAndNames, versionOf, watching, withPort } from './support.ts';

export function describeWatches(make: MakePort): void {
  describe('events of a watch', () => {
    describeEvents(make);
    describeReaders(make);
  });
  describe('the start of a watch', () => describeBeginnings(make));
  describe('the end of a watch', () => describeEnds(make));
}

const nowIn = async ({ port, namespace }: PortUnderTest): Promise<string> =>
  (await port.list(configMaps, { namespace })).metadata.resourceVersion;

function describeEvents(make: MakePort): void {
  it(
    'delivers each change once, in order, and the version of a deletion',
    withPort(make, async (under) => {
      const { port, namespace } = under;
      const resourceVersion = await nowIn(under);
      const created = await port.create(configMaps, configMap(under, 'a'));
      const updated = await port.update(configMaps, { ...created, data: { a: '1' } });
      await port.delete(configMaps, keyOf(under, 'a'));
      await port.create(configMaps, configMap(under, 'b'));
      const events = await watching(port.watch(configMaps, { namespace, resourceVersion }), (iterator) => take(iterator, 4));
      expect(typesAndNames(events)).toStrictEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
      expect(events[1]?.object).toStrictEqual(updated);
      const versions = events.map(({ object }) => Number(versionOf(object)));
      expect(versions).toStrictEqual([...new Set(versions)].sort((x, y) => x - y));
    }),
  );

  it(
    'turns updates into additions and deletions when objects start and stop matching the selector',
    withPort(make, async (under) => {
      const { port, namespace } = under;
      const resourceVersion = await nowIn(under);
      for (const app of ['x', 'y', 'x', 'y']) {
        const labels = { app };
        const made = configMap(under, 'a', { labels });
        await port.update(configMaps, made).catch(() => port.create(configMaps, made));
      }
      const options = { namespace, resourceVersion, labelSelector: 'app=y' };
      const events = await watching(port.watch(configMaps, options), (iterator) => take(iterator, 3));
      expect(typesAndNames(events)).toStrictEqual(['ADDED a', 'DELETED a', 'ADDED a']);
      expect(events[1]?.object.metadata.labels).toStrictEqual({ app: 'y' });
    }),
  );
}

function describeReaders(make: MakePort): void {
  it(
    'ignores other namespaces, and resolves a pending read',
    withPort(make, async (under) => {
      const { port, namespace } = under;
      const resourceVersion = await nowIn(under);
      await watching(port.watch(configMaps, { namespace, resourceVersion }), async (iterator) => {
        const next = take(iterator, 1);
        await port.create(configMaps, configMap({ ...under, namespace: 'default' }, 'elsewhere'));
        await port.create(configMaps, configMap(under, 'here'));
        expect(typesAndNames(await next)).toStrictEqual(['ADDED here']);
      });
      await port.delete(configMaps, { namespace: 'default', name: 'elsewhere' });
    }),
  );
}

function describeBeginnings(make: MakePort): void {
  it(
    'resumes after any event without gaps or duplicates',
    withPort(make, async (under) => {
      const { port, namespace } = under;
      const start = await nowIn(under);
      for (const name of ['a', 'b', 'c']) await port.create(configMaps, configMap(under, name));
      const [first] = await watching(port.watch(configMaps, { namespace, resourceVersion: start }), (iterator) => take(iterator, 1));
      const resourceVersion = versionOf((first as NonNullable<typeof first>).object);
      const rest = await watching(port.watch(configMaps, { namespace, resourceVersion }), (iterator) => take(iterator, 2));
      expect(typesAndNames(rest)).toStrictEqual(['ADDED b', 'ADDED c']);
    }),
  );

  it(
    'sends initial events on request, then a bookmark that ends them',
    withPort(make, async (under) => {
      const { port, namespace } = under;
      for (const name of ['a', 'b']) await port.create(configMaps, configMap(under, name, { labels: { test: '' } }));
      const options = {
        namespace,
        labelSelector: 'test',
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      } as const;
      const events = await watching(port.watch(configMaps, options), async (iterator) => {
        const initial = await take(iterator, 3);
        await port.create(configMaps, configMap(under, 'c', { labels: { test: '' } }));
        return [...initial, ...(await take(iterator, 1))];
      });
      expect(typesAndNames(events)).toStrictEqual(['ADDED a', 'ADDED b', 'BOOKMARK', 'ADDED c']);
      expect(events[2]?.object.metadata.annotations).toStrictEqual({ 'k8s.io/initial-events-end': 'true' });
    }),
  );

  it(
    'fails with Expired if its version was compacted',
    withPort(make, async (under) => {
      const { port, namespace, compact } = under;
      if (!compact) return;
      const resourceVersion = await nowIn(under);
      for (const name of ['a', 'b']) await port.create(configMaps, configMap(under, name));
      await compact();
      const failing = watching(port.watch(configMaps, { namespace, resourceVersion }), (iterator) => take(iterator, 1));
      await expect(failing).rejects.toMatchObject({ code: 410, reason: 'Expired' });
    }),
  );
}

function describeEnds(make: MakePort): void {
  it(
    'ends with the reason of its signal',
    withPort(make, async (under) => {
      const { port, namespace } = under;
      const controller = new AbortController();
      const resourceVersion = await nowIn(under);
      const iterator = port.watch(configMaps, { namespace, resourceVersion, signal: controller.signal })[Symbol.asyncIterator]();
      const next = iterator.next();
      const reason = new Error('enough');
      controller.abort(reason);
      await expect(next).rejects.toBe(reason);
    }),
  );

  it(
    'sends bookmarks, and ends after timeoutSeconds',
    withPort(make, async (under) => {
      const { port, namespace, passTime } = under;
      if (!passTime) return;
      const resourceVersion = await nowIn(under);
      const options = { namespace, resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 90 };
      await watching(port.watch(configMaps, options), async (iterator) => {
        const added = take(iterator, 1);
        const created = await port.create(configMaps, configMap(under, 'a'));
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
