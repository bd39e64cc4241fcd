import {
  core,
  get,
  jsonPatch,
  mergePatch,
  newNamespace,
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
const collection = core(NS, 'configmaps');
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
    newNamespace(NS, { saveAs: 'namespace' }),
    post(collection, configMap('old', {}, { labels: { watched: 'yes' } }), { saveAs: 'old' }),
    get(collection, { saveAs: 'list' }),
    watch(`${collection}?watch=1&resourceVersion={{list.metadata.resourceVersion}}`, 4, [
      post(collection, configMap('new')),
      mergePatch(path('new'), { data: { a: '1' } }),
      put(path('new'), configMap('new', { a: '2' })),
      remove(path('new')),
    ]),
    watch(`${collection}?watch=true`, 2, [post(collection, configMap('later'))]),
    watch(`${collection}?watch=1&resourceVersion=0`, 2),
    watch(`${collection}?watch=1&resourceVersion={{old.metadata.resourceVersion}}`, 5),
    watch(`${collection}?watch=1&labelSelector=watched%3Dyes&resourceVersion={{list.metadata.resourceVersion}}`, 4, [
      mergePatch(path('later'), label('yes')),
      mergePatch(path('later'), { data: { b: '1' } }),
      mergePatch(path('later'), label('no')),
      mergePatch(path('later'), { data: { c: '1' } }),
      remove(path('later')),
      remove(path('old')),
    ]),
    watch(`${collection}?watch=1&fieldSelector=metadata.name%3Dnamed`, 2, [
      post(collection, configMap('unnamed')),
      post(collection, configMap('named')),
      remove(path('unnamed')),
      remove(path('named')),
    ]),
    post(collection, configMap('noop', { a: '1' }), { saveAs: 'noop' }),
    watch(`${collection}?watch=1&resourceVersion={{noop.metadata.resourceVersion}}`, 1, [
      mergePatch(path('noop'), { data: { a: '1' } }),
      mergePatch(path('noop'), { data: { a: '2' } }),
    ]),
    watchToEnd(`${collection}?watch=1&timeoutSeconds=1`),
    watchToEnd(`${collection}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion={{noop.metadata.resourceVersion}}`, [], {
      view: withoutBookmarks,
    }),
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`, 3, [
      post(collection, configMap('after-bookmark')),
    ]),
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0`, 3),
    watch(
      `${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=none%3Dnone`,
      1,
    ),
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`, 2),
    watch(
      `${collection}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={{noop.metadata.resourceVersion}}`,
      2,
    ),
    watch(`${collection}?watch=1&sendInitialEvents=true`, 1),
    watch(`${collection}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact`, 1),
    watch(`${collection}?watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=0`, 1),
    watch(`${collection}?watch=1&resourceVersion=x`, 1),
    // Starts at the namespace's version. The real server's answer at version 1 would depend on a race between its first lists and writes.
    watch(`${collection}?watch=1&resourceVersion={{namespace.metadata.resourceVersion}}`, 1),
    watch(`${collection}?watch=1&labelSelector=a%3Db%3Dc`, 1),
    watch(`${collection}?watch=1&fieldSelector=data%3Dx`, 1),
    watch(`${collection}?watch=1&continue=x`, 1),
    watch(`${collection}?watch=1&timeoutSeconds=x`, 1),
    watch(`${path('noop')}?watch=1`, 1),
    watch(`/api/v1/watch/namespaces/${NS}/configmaps/noop`, 2, [mergePatch(path('noop'), { data: { a: '3' } })]),
    watch(`/api/v1/watch/namespaces/${NS}/configmaps?resourceVersion={{noop.metadata.resourceVersion}}`, 3),
    watch(`/api/v1/watch/configmaps?fieldSelector=metadata.namespace%3D${NS}`, 2),
    watch(`/api/v1/configmaps?watch=1&fieldSelector=metadata.namespace%3D${NS}`, 2),
    withAccept(TABLE, watch(`${collection}?watch=1`, 3, [mergePatch(path('noop'), { data: { a: '4' } })])),
    withAccept(
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      watch(`${collection}?watch=1`, 3, [mergePatch(path('noop'), { data: { a: '5' } })]),
    ),
    withAccept('application/yaml', watch(`${collection}?watch=1`, 2)),
    withAccept('application/json;stream=watch', watch(`${collection}?watch=1`, 2)),
    withAccept('text/plain', watch(`${collection}?watch=1`, 2)),
    watch(`${core(NS, 'pods')}?watch=1&fieldSelector=spec.nodeName%3Dn1`, 2, [
      post(core(NS, 'pods'), pod('p')),
      post(core(NS, 'pods/p/binding'), {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'p' },
        target: { kind: 'Node', name: 'n1' },
      }),
      jsonPatch(core(NS, 'pods/p'), [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]),
    ]),
    watch(`${core(NS, 'pods')}?watch=1&fieldSelector=status.phase%21%3DSucceeded`, 3, [
      mergePatch(core(NS, 'pods/p/status'), { status: { phase: 'Running' } }),
      mergePatch(core(NS, 'pods/p/status'), { status: { phase: 'Succeeded' } }),
    ]),
    watch(`${core(NS, 'pods')}?watch=1`, 3, [remove(core(NS, 'pods/p')), remove(`${core(NS, 'pods/p')}?gracePeriodSeconds=0`)]),
    watch(`${collection}?watch=1&resourceVersion={{noop.metadata.resourceVersion}}&limit=1`, 1),
    watch(`${core('never-made', 'configmaps')}?watch=1&timeoutSeconds=1`, 1),
    remove(collection),
  ],
};
