import { corePath, createNamespace, get, mergePatch, post, remove, type Topic, withContentType } from '../compare/step.ts';
import { configMap, deleteOptions, pod } from './objects.ts';

const NS = 'c-del';
const collection = corePath(NS, 'configmaps');
const path = (name: string): string => `${collection}/${name}`;
const create = (name: string, metadata: object = {}) => post(collection, configMap(name, {}, metadata), { saveAs: name });
const heldMetadata = { finalizers: ['example.com/hold'] };

export const deletes: Topic = {
  name: 'deletes',
  steps: [
    createNamespace(NS),
    create('plain'),
    remove(path('plain')),
    // The second deletion finds no object.
    remove(path('plain')),
    // Dry runs and preconditions.
    create('dry'),
    remove(`${path('dry')}?dryRun=All`),
    remove(path('dry'), deleteOptions({ dryRun: ['All'] })),
    remove(path('dry'), deleteOptions({ dryRun: ['Some'] })),
    remove(path('dry'), deleteOptions({ preconditions: { uid: 'other' } })),
    remove(path('dry'), deleteOptions({ preconditions: { resourceVersion: '1' } })),
    remove(
      path('dry'),
      deleteOptions({ preconditions: { uid: '{{dry.metadata.uid}}', resourceVersion: '{{dry.metadata.resourceVersion}}' } }),
    ),
    // Invalid and unusual DeleteOptions.
    create('options'),
    remove(path('options'), { kind: 'DeleteOptions', apiVersion: 'v2' }),
    remove(path('options'), { kind: 'Pod', apiVersion: 'v1' }),
    remove(path('options'), { gracePeriodSeconds: 'soon' }),
    remove(path('options'), deleteOptions({ propagationPolicy: 'Sideways' })),
    remove(path('options'), deleteOptions({ propagationPolicy: 'Orphan', orphanDependents: true })),
    remove(path('options'), deleteOptions({ unknown: 'field' })),
    remove(path('options'), deleteOptions({ gracePeriodSeconds: 30 })),
    // Options in the query, and bodies of other media types.
    create('query'),
    remove(`${path('query')}?propagationPolicy=Sideways`),
    remove(`${path('query')}?gracePeriodSeconds=x`),
    remove(`${path('query')}?orphanDependents=maybe`),
    remove(path('query'), '{'),
    withContentType('application/yaml', remove(path('query'), 'preconditions: {uid: other}')),
    withContentType('text/plain', remove(path('query'), 'x')),
    remove(`${path('query')}?propagationPolicy=Background`),
    // An object with a finalizer is removed when its last finalizer is.
    create('held', heldMetadata),
    remove(path('held')),
    get(path('held')),
    remove(path('held')),
    mergePatch(path('held'), { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } }),
    mergePatch(path('held'), { data: { still: 'here' } }),
    mergePatch(path('held'), { metadata: { finalizers: [] } }),
    get(path('held')),
    // Propagation policies set finalizers.
    create('foreground'),
    remove(path('foreground'), deleteOptions({ propagationPolicy: 'Foreground' })),
    get(path('foreground')),
    mergePatch(path('foreground'), { metadata: { finalizers: null } }),
    create('orphan'),
    remove(`${path('orphan')}?propagationPolicy=Orphan`),
    get(path('orphan')),
    remove(path('orphan'), deleteOptions({ propagationPolicy: 'Background' })),
    mergePatch(path('orphan'), { metadata: { finalizers: null } }),
    get(path('orphan')),
    create('orphan-old'),
    remove(path('orphan-old'), deleteOptions({ orphanDependents: true })),
    mergePatch(path('orphan-old'), { metadata: { finalizers: null } }),
    post(collection, configMap('both', {}, { finalizers: ['orphan', 'foregroundDeletion'] })),
    // Deletions of a collection.
    create('c1', { labels: { set: 'a' } }),
    create('c2', { labels: { set: 'a' } }),
    create('c3', { labels: { set: 'b' }, ...heldMetadata }),
    remove(`${collection}?labelSelector=set%3Da&dryRun=All`),
    remove(`${collection}?labelSelector=set%3Da&limit=1`),
    remove(`${collection}?labelSelector=set%3Da`),
    remove(collection, deleteOptions({ preconditions: { uid: 'x' } })),
    remove(collection),
    get(collection),
    mergePatch(path('c3'), { metadata: { finalizers: null } }),
    // Grace periods of pods: a later deletion can only shorten them.
    post(corePath(NS, 'pods'), pod('slow', { terminationGracePeriodSeconds: 60, nodeName: 'n' })),
    remove(corePath(NS, 'pods/slow'), deleteOptions({ gracePeriodSeconds: 90 })),
    remove(corePath(NS, 'pods/slow'), deleteOptions({ gracePeriodSeconds: 60 })),
    remove(corePath(NS, 'pods/slow'), deleteOptions({ gracePeriodSeconds: 10 })),
    remove(corePath(NS, 'pods')),
    remove(`${corePath(NS, 'pods')}?gracePeriodSeconds=0`),
    post(corePath(NS, 'pods'), pod('unscheduled')),
    remove(corePath(NS, 'pods/unscheduled')),
    post(corePath(NS, 'pods'), pod('held', { nodeName: 'n' }, heldMetadata)),
    remove(`${corePath(NS, 'pods/held')}?gracePeriodSeconds=0`),
    mergePatch(corePath(NS, 'pods/held'), { metadata: { finalizers: null } }),
    get(corePath(NS, 'pods')),
    // A missing namespace, an empty name and an unknown resource.
    remove(corePath('never-made', 'configmaps')),
    remove(corePath(NS, 'configmaps/')),
    remove(corePath(NS, 'things/x')),
  ],
};
