import {
  corePath,
  createNamespace,
  editedAnswer,
  get,
  groupPath,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  type Topic,
} from '../compare/step.ts';

const NS = 'c-ev';
const collection = corePath(NS, 'events');
const groupCollection = groupPath('events.k8s.io/v1', NS, 'events');
const coreEvent = (name: string, fields: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: NS, name: 'p' },
  reason: 'Started',
  message: 'it has begun',
  type: 'Normal',
  source: { component: 'tester', host: 'h' },
  firstTimestamp: '2024-01-01T00:00:00Z',
  lastTimestamp: '2024-01-01T00:05:00Z',
  count: 3,
  ...fields,
});
const eventsGroupEvent = (name: string, fields: object = {}): object => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name },
  regarding: { apiVersion: 'v1', kind: 'Pod', namespace: NS, name: 'p' },
  reason: 'Started',
  note: 'it has begun',
  type: 'Normal',
  action: 'Starting',
  reportingController: 'example.com/tester',
  reportingInstance: 'tester-1',
  eventTime: '2024-01-01T00:00:00.000000Z',
  ...fields,
});

export const events: Topic = {
  name: 'events',
  steps: [
    createNamespace(NS),
    // Both groups serve the same stored Events.
    post(collection, coreEvent('core'), { saveAs: 'core' }),
    get(`${collection}/core`),
    get(`${groupCollection}/core`),
    post(groupCollection, eventsGroupEvent('group'), { saveAs: 'group' }),
    get(`${groupCollection}/group`),
    get(`${collection}/group`),
    get(collection),
    get(groupCollection),
    // The name exists already.
    post(collection, coreEvent('core')),
    post(groupCollection, eventsGroupEvent('core')),
    // An Event must be in the namespace of its object, or in "default" if the object has no namespace.
    post(collection, coreEvent('elsewhere', { involvedObject: { kind: 'Pod', namespace: 'other', name: 'p' } })),
    post(collection, coreEvent('cluster-wide', { involvedObject: { kind: 'Node', name: 'n' } })),
    post(corePath('default', 'events'), { ...coreEvent('c-ev-node', { involvedObject: { kind: 'Node', name: 'n' } }) }),
    remove(corePath('default', 'events/c-ev-node')),
    // With eventTime, an Event of the core group needs a controller, an instance, an action and a reason.
    post(collection, coreEvent('with-event-time', { eventTime: '2024-01-01T00:00:00.123456Z' })),
    post(
      collection,
      coreEvent('with-everything', {
        eventTime: '2024-01-01T00:00:00.123456Z',
        action: 'A',
        reportingComponent: 'example.com/c',
        reportingInstance: 'i',
        series: { count: 2, lastObservedTime: '2024-01-01T00:00:01.000000Z' },
        related: { kind: 'Pod', name: 'q' },
      }),
    ),
    // Missing and invalid fields.
    post(groupCollection, eventsGroupEvent('no-time', { eventTime: null })),
    post(groupCollection, eventsGroupEvent('no-reason', { reason: '' })),
    post(groupCollection, eventsGroupEvent('no-action', { action: undefined })),
    post(groupCollection, eventsGroupEvent('no-controller', { reportingController: '' })),
    post(groupCollection, eventsGroupEvent('bad-controller', { reportingController: 'not valid' })),
    post(groupCollection, eventsGroupEvent('no-instance', { reportingInstance: '' })),
    post(groupCollection, eventsGroupEvent('bad-type', { type: 'Strange' })),
    post(groupCollection, eventsGroupEvent('bad-series', { series: { count: 1 } })),
    post(groupCollection, eventsGroupEvent('long', { note: 'x'.repeat(1025), reason: 'y'.repeat(129) })),
    post(
      groupCollection,
      eventsGroupEvent('deprecated', {
        deprecatedCount: 3,
        deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
        deprecatedSource: { component: 'c' },
      }),
    ),
    post(groupCollection, eventsGroupEvent('bad-time', { eventTime: 'yesterday' })),
    post(collection, coreEvent('bad-type', { type: 'Strange' })),
    // Updates and patches.
    put(`${groupCollection}/group`, editedAnswer('group', { note: 'changed' })),
    put(
      `${groupCollection}/group`,
      editedAnswer('group', { series: { count: 2, lastObservedTime: '2024-01-01T00:00:05.000000Z' }, metadata: { resourceVersion: null } }),
    ),
    mergePatch(`${groupCollection}/group`, { series: { count: 3, lastObservedTime: '2024-01-01T00:00:06.000000Z' } }),
    mergePatch(`${groupCollection}/group`, { regarding: { name: 'q' } }),
    put(`${collection}/core`, editedAnswer('core', { count: 4, message: 'again' })),
    strategicPatch(`${collection}/core`, { count: 5 }),
    mergePatch(`${collection}/core`, { metadata: { labels: { a: 'b' } } }),
    // Each group has its own selectable fields.
    get(`${collection}?fieldSelector=involvedObject.name%3Dp,type%3DNormal,reason%3DStarted`),
    get(`${collection}?fieldSelector=involvedObject.kind%3DNode`),
    get(`${collection}?fieldSelector=source%3Dtester`),
    get(`${collection}?fieldSelector=reportingComponent%3Dexample.com/tester`),
    get(`${groupCollection}?fieldSelector=regarding.name%3Dp`),
    get(`${groupCollection}?fieldSelector=reportingController%3Dexample.com/tester`),
    get(`${collection}?fieldSelector=message%3Dx`),
    remove(`${groupCollection}/group`),
    remove(`${collection}?fieldSelector=type%3DNormal`),
    get(collection),
    get('/apis/events.k8s.io/v1beta1/events'),
  ],
};
