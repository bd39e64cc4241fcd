import {
  corePath,
  createNamespace,
  editedAnswer,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  type Topic,
  watch,
} from '../compare/step.ts';
import { configMap, deleteOptions } from './objects.ts';

const path = (name: string, rest = ''): string => `/api/v1/namespaces/${name}${rest}`;
const namespace = (metadata: object, rest: object = {}): object => ({ apiVersion: 'v1', kind: 'Namespace', metadata, ...rest });

export const namespaces: Topic = {
  name: 'namespaces',
  steps: [
    createNamespace('c-ns', { saveAs: 'made' }),
    // The name exists already.
    createNamespace('c-ns'),
    // Reads by name, field and label.
    get(path('c-ns')),
    get(path('none')),
    get('/api/v1/namespaces?fieldSelector=metadata.name%3Dc-ns'),
    get('/api/v1/namespaces?fieldSelector=metadata.name%3Dc-ns,status.phase%3DActive'),
    get('/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name%3Dc-ns'),
    // Creations with valid and invalid names, labels, annotations and finalizers.
    post('/api/v1/namespaces', namespace({ name: 'C-Upper' })),
    post('/api/v1/namespaces', namespace({ name: 'with.dot' })),
    post('/api/v1/namespaces', namespace({ name: 'a'.repeat(64) })),
    post('/api/v1/namespaces', namespace({})),
    post('/api/v1/namespaces', namespace({ generateName: 'c-ns-' }), { saveAs: 'generated' }),
    get(path('{{generated.metadata.name}}')),
    post('/api/v1/namespaces', namespace({ name: 'c-ns-labels', labels: { team: 'a', 'kubernetes.io/metadata.name': 'other' } })),
    post('/api/v1/namespaces', namespace({ name: 'c-ns-bad', labels: { 'not valid': 'x' } })),
    post('/api/v1/namespaces', namespace({ name: 'c-ns-bad', labels: { ok: 'also not valid' } })),
    post('/api/v1/namespaces', namespace({ name: 'c-ns-bad', annotations: { 'not valid': 'x' } })),
    post(
      '/api/v1/namespaces',
      namespace({ name: 'c-ns-fin', finalizers: ['example.com/hold'] }, { spec: { finalizers: ['example.com/own'] } }),
      {
        saveAs: 'held',
      },
    ),
    post('/api/v1/namespaces', namespace({ name: 'c-ns-badfin' }, { spec: { finalizers: ['nodomain'] } })),
    // Updates with current, outdated and absent versions, and with a different name or uid.
    put(path('c-ns'), editedAnswer('made', { metadata: { labels: { team: 'b' } } }), { saveAs: 'updated' }),
    put(path('c-ns'), editedAnswer('made', { metadata: { labels: { team: 'c' } } })),
    put(path('c-ns'), editedAnswer('updated', { metadata: { labels: { 'kubernetes.io/metadata.name': 'wrong' }, resourceVersion: null } })),
    put(path('c-ns'), editedAnswer('updated', { metadata: { name: 'other' } })),
    put(path('c-ns'), editedAnswer('updated', { metadata: { uid: '00000000-0000-0000-0000-000000000000', resourceVersion: null } })),
    // Patches, and writes of the subresources.
    mergePatch(path('c-ns'), { metadata: { annotations: { note: 'x' } } }),
    strategicPatch(path('c-ns'), { spec: { finalizers: ['example.com/more'] } }),
    jsonPatch(path('c-ns'), [{ op: 'add', path: '/metadata/labels/json', value: 'patched' }]),
    mergePatch(path('c-ns', '/status'), { status: { phase: 'Terminating' } }),
    mergePatch(path('c-ns', '/status'), { status: { conditions: [{ type: 'NamespaceDeletionContentFailure', status: 'False' }] } }),
    get(path('c-ns', '/status')),
    put(
      path('c-ns', '/finalize'),
      editedAnswer('updated', { spec: { finalizers: ['kubernetes', 'example.com/one'] }, metadata: { resourceVersion: null } }),
    ),
    get(path('c-ns', '/finalize')),
    // Deletions that are refused: of the collection, of system namespaces, and of a namespace that does not exist.
    remove('/api/v1/namespaces'),
    get('/api/v1/namespaces/c-ns?pretty=true'),
    remove('/api/v1/namespaces/default'),
    remove('/api/v1/namespaces/kube-system'),
    remove(path('none')),
    // A namespace with finalizers: while it terminates, objects in it can be changed and deleted, but not created.
    post(corePath('c-ns-fin', 'configmaps'), configMap('inside')),
    remove(path('c-ns-fin')),
    get(path('c-ns-fin')),
    remove(path('c-ns-fin')),
    post(corePath('c-ns-fin', 'configmaps'), configMap('late')),
    mergePatch(corePath('c-ns-fin', 'configmaps/inside'), { data: { still: 'writable' } }),
    remove(corePath('c-ns-fin', 'configmaps/inside')),
    put(path('c-ns-fin', '/finalize'), editedAnswer('held', { spec: { finalizers: [] }, metadata: { resourceVersion: null } })),
    mergePatch(path('c-ns-fin'), { metadata: { finalizers: null } }),
    get(path('c-ns-fin')),
    // An object in a namespace that does not exist.
    post(corePath('none', 'configmaps'), configMap('nowhere')),
    get(corePath('none', 'configmaps')),
    watch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dc-ns-w', { events: 3 }, [
      createNamespace('c-ns-w'),
      mergePatch(path('c-ns-w'), { metadata: { labels: { a: 'b' } } }),
      remove(path('c-ns-w'), deleteOptions({ propagationPolicy: 'Foreground' })),
    ]),
    remove(path('{{generated.metadata.name}}'), deleteOptions({ preconditions: { uid: 'wrong' } })),
    createNamespace('c-ns-dry?'),
    post('/api/v1/namespaces?dryRun=All', namespace({ name: 'c-ns-dry' })),
    get(path('c-ns-dry')),
  ],
};
