import {
  corePath,
  createNamespace,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  type Topic,
  watch,
  watchToEnd,
  withAccept,
} from '../compare/step.ts';
import { configMap, pod } from './objects.ts';

const NS = 'c-watch';
const collection = corePath(NS, 'configmaps');
const path = (name: string): string => `${collection}/${name}`;
const label = (value: string | null): object => ({ metadata: { labels: { watched: value } } });
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Bookmarks are not compared, because each server chooses their number and versions. */
const withoutBookmarks = (body: unknown): unknown => {
  const { events, ...rest } = body as { events?: readonly { type: string }[] };
  return events === undefined ? body : { ...rest, events: events.filter(({ type }) => type !== 'BOOKMARK') };
};

export const watches: Topic = {
  name: 'watches',
  steps: [
    createNamespace(NS, { saveAs: 'namespace' }),
    post(collection, configMap('old', {}, { labels: { watched: 'yes' } }), { saveAs: 'old' }),
    get(collection, { saveAs: 'list' }),
    // Changes after a list.
    watch(`${collection}?watch=1&resourceVersion={{list.metadata.resourceVersion}}`, { events: 4 }, [
      post(collection, configMap('new')),
      mergePatch(path('new'), { data: { a: '1' } }),
      put(path('new'), configMap('new', { a: '2' })),
      remove(path('new')),
    ]),
    // Without a version, and from version 0: existing objects first. From an older version: the changes since then.
    watch(`${collection}?watch=true`, { events: 2 }, [post(collection, configMap('later'))]),
    watch(`${collection}?watch=1&resourceVersion=0`, { events: 2 }),
    watch(`${collection}?watch=1&resourceVersion={{old.metadata.resourceVersion}}`, { events: 5 }),
    // An object that starts matching a selector is ADDED; one that stops matching is DELETED.
    watch(`${collection}?watch=1&labelSelector=watched%3Dyes&resourceVersion={{list.metadata.resourceVersion}}`, { events: 4 }, [
      mergePatch(path('later'), label('yes')),
      mergePatch(path('later'), { data: { b: '1' } }),
      mergePatch(path('later'), label('no')),
      mergePatch(path('later'), { data: { c: '1' } }),
      remove(path('later')),
      remove(path('old')),
    ]),
    watch(`${collection}?watch=1&fieldSelector=metadata.name%3Dnamed`, { events: 2 }, [
      post(collection, configMap('unnamed')),
      post(collection, configMap('named')),
      remove(path('unnamed')),
      remove(path('named')),
    ]),
    post(collection, configMap('noop', { a: '1' }), { saveAs: 'base' }),
    // A patch that changes nothing causes no event.
    watch(`${collection}?watch=1&resourceVersion={{base.metadata.resourceVersion}}`, { events: 1 }, [
      mergePatch(path('noop'), { data: { a: '1' } }),
      mergePatch(path('noop'), { data: { a: '2' } }),
    ]),
    // The server ends a watch after timeoutSeconds.
    watchToEnd(`${collection}?watch=1&timeoutSeconds=1`),
    watchToEnd(`${collection}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion={{base.metadata.resourceVersion}}`, [], {
      view: withoutBookmarks,
    }),
    // Lists by watch, complete, empty and without bookmarks.
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`, { events: 3 }, [
      post(collection, configMap('after-bookmark')),
    ]),
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0`, {
      events: 3,
    }),
    watch(
      `${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=none%3Dnone`,
      { events: 1 },
    ),
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`, { events: 2 }),
    watch(
      `${collection}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={{base.metadata.resourceVersion}}`,
      { events: 2 },
    ),
    // Invalid combinations of options, and versions that cannot be served.
    watch(`${collection}?watch=1&sendInitialEvents=true`, { events: 1 }),
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact`, { events: 1 }),
    watch(`${collection}?watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=0`, { events: 1 }),
    watch(`${collection}?watch=1&resourceVersion=x`, { events: 1 }),
    // Not at version 1, because the real server's answer to that depends on whether its first lists or its first writes come first.
    watch(`${collection}?watch=1&resourceVersion={{namespace.metadata.resourceVersion}}`, { events: 1 }),
    watch(`${collection}?watch=1&labelSelector=a%3Db%3Dc`, { events: 1 }),
    watch(`${collection}?watch=1&fieldSelector=data%3Dx`, { events: 1 }),
    watch(`${collection}?watch=1&continue=x`, { events: 1 }),
    watch(`${collection}?watch=1&timeoutSeconds=x`, { events: 1 }),
    // The deprecated watch paths, and watches of a single object.
    watch(`${path('noop')}?watch=1`, { events: 1 }),
    watch(`/api/v1/watch/namespaces/${NS}/configmaps/noop`, { events: 2 }, [mergePatch(path('noop'), { data: { a: '3' } })]),
    watch(`/api/v1/watch/namespaces/${NS}/configmaps?resourceVersion={{base.metadata.resourceVersion}}`, { events: 3 }),
    watch(`/api/v1/watch/configmaps?fieldSelector=metadata.namespace%3D${NS}`, { events: 2 }),
    watch(`/api/v1/configmaps?watch=1&fieldSelector=metadata.namespace%3D${NS}`, { events: 2 }),
    // Events in other forms and media types.
    withAccept(TABLE, watch(`${collection}?watch=1`, { events: 3 }, [mergePatch(path('noop'), { data: { a: '4' } })])),
    withAccept(
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      watch(`${collection}?watch=1`, { events: 3 }, [mergePatch(path('noop'), { data: { a: '5' } })]),
    ),
    withAccept('application/yaml', watch(`${collection}?watch=1`, { events: 2 })),
    withAccept('application/json;stream=watch', watch(`${collection}?watch=1`, { events: 2 })),
    withAccept('text/plain', watch(`${collection}?watch=1`, { events: 2 })),
    // The field selectors of pods.
    watch(`${corePath(NS, 'pods')}?watch=1&fieldSelector=spec.nodeName%3Dn1`, { events: 2 }, [
      post(corePath(NS, 'pods'), pod('p')),
      post(corePath(NS, 'pods/p/binding'), {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'p' },
        target: { kind: 'Node', name: 'n1' },
      }),
      jsonPatch(corePath(NS, 'pods/p'), [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]),
    ]),
    watch(`${corePath(NS, 'pods')}?watch=1&fieldSelector=status.phase%21%3DSucceeded`, { events: 3 }, [
      mergePatch(corePath(NS, 'pods/p/status'), { status: { phase: 'Running' } }),
      mergePatch(corePath(NS, 'pods/p/status'), { status: { phase: 'Succeeded' } }),
    ]),
    // A deletion with a grace period is first a change.
    watch(`${corePath(NS, 'pods')}?watch=1`, { events: 3 }, [
      remove(corePath(NS, 'pods/p')),
      remove(`${corePath(NS, 'pods/p')}?gracePeriodSeconds=0`),
    ]),
    watch(`${collection}?watch=1&resourceVersion={{base.metadata.resourceVersion}}&limit=1`, { events: 1 }),
    watch(`${corePath('never-made', 'configmaps')}?watch=1&timeoutSeconds=1`, { events: 1 }),
    remove(collection),
  ],
};
