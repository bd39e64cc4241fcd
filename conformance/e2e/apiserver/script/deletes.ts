import { core, get, mergePatch, newNamespace, post, remove, type Topic, withContentType } from '../compare/step.ts';
import { configMap, deleteOptions, pod } from './objects.ts';

const NS = 'c-del';
const collection = core(NS, 'configmaps');
const path = (name: string): string => `${collection}/${name}`;
const create = (name: string, metadata: object = {}) => post(collection, configMap(name, {}, metadata), { saveAs: name });
const heldMetadata = { finalizers: ['example.com/hold'] };

export const deletes: Topic = {
  name: 'deletes',
  steps: [
    newNamespace(NS),
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
    post(core(NS, 'pods'), pod('slow', { terminationGracePeriodSeconds: 60, nodeName: 'n' })),
    remove(core(NS, 'pods/slow'), deleteOptions({ gracePeriodSeconds: 90 })),
    remove(core(NS, 'pods/slow'), deleteOptions({ gracePeriodSeconds: 60 })),
    remove(core(NS, 'pods/slow'), deleteOptions({ gracePeriodSeconds: 10 })),
    remove(core(NS, 'pods')),
    remove(`${core(NS, 'pods')}?gracePeriodSeconds=0`),
    post(core(NS, 'pods'), pod('unscheduled')),
    remove(core(NS, 'pods/unscheduled')),
    post(core(NS, 'pods'), pod('held', { nodeName: 'n' }, heldMetadata)),
    remove(`${core(NS, 'pods/held')}?gracePeriodSeconds=0`),
    mergePatch(core(NS, 'pods/held'), { metadata: { finalizers: null } }),
    get(core(NS, 'pods')),
    // A missing namespace, an empty name and an unknown resource.
    remove(core('never-made', 'configmaps')),
    remove(core(NS, 'configmaps/')),
    remove(core(NS, 'things/x')),
  ],
};
