import {
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
import { lease } from './objects.ts';

const NS = 'c-lease';
const collection = groupPath('coordination.k8s.io/v1', NS, 'leases');
const HELD_SPEC = {
  holderIdentity: 'me',
  leaseDurationSeconds: 15,
  acquireTime: '2024-01-01T00:00:00.000000Z',
  renewTime: '2024-01-01T00:00:01.500000Z',
};

export const leases: Topic = {
  name: 'leases',
  steps: [
    createNamespace(NS),
    post(collection, lease('one', HELD_SPEC), { saveAs: 'one' }),
    // Optional, invalid and unusual fields.
    post(collection, lease('empty')),
    post(collection, lease('zero', { leaseDurationSeconds: 0, leaseTransitions: -1 })),
    post(collection, lease('strategy', { strategy: 'OldestEmulationVersion' })),
    post(collection, lease('preferred', { preferredHolder: 'you' })),
    post(collection, lease('empty-holder', { holderIdentity: '' })),
    // An invalid time, and valid times in different formats.
    post(collection, lease('bad-time', { renewTime: 'now' })),
    post(collection, lease('tenths', { renewTime: '2024-01-01T00:00:01.5Z' })),
    post(collection, lease('seconds', { renewTime: '2024-01-01T00:00:01Z' })),
    post(collection, lease('nanoseconds', { renewTime: '2024-01-01T00:00:01.123456789Z' })),
    post(collection, lease('elsewhere', { renewTime: '2024-01-01T02:00:01.000000+02:00' })),
    get(`${collection}/one`),
    get(collection),
    // The second update conflicts, because the first one has changed the resourceVersion.
    put(`${collection}/one`, editedAnswer('one', { spec: { leaseTransitions: 1 } }), { saveAs: 'two' }),
    put(`${collection}/one`, editedAnswer('one', { spec: { leaseTransitions: 2 } })),
    put(`${collection}/one`, editedAnswer('two', {})),
    put(`${collection}/by-put`, lease('by-put', HELD_SPEC)),
    mergePatch(`${collection}/one`, { spec: { holderIdentity: null } }),
    strategicPatch(`${collection}/one`, { spec: { holderIdentity: 'other' } }),
    mergePatch(`${collection}/one`, { spec: { leaseDurationSeconds: 'x' } }),
    mergePatch(`${collection}/one`, { spec: { leaseDurationSeconds: 4294967296 } }),
    mergePatch(`${collection}/one`, { spec: { leaseDurationSeconds: 1.5 } }),
    get('/apis/coordination.k8s.io/v1/leases?fieldSelector=metadata.namespace%3Dc-lease,metadata.name%3Done'),
    remove(`${collection}/one`),
    remove(`${collection}?labelSelector=a`),
    remove(collection),
    // An alpha version, which is not served by default.
    get('/apis/coordination.k8s.io/v1alpha2/leases'),
  ],
};
