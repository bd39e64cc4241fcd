import { edit, get, inGroup, mergePatch, newNamespace, post, put, remove, strategic, type Topic } from '../compare/step.ts';
import { lease } from './objects.ts';

const NS = 'c-lease';
const all = inGroup('coordination.k8s.io/v1', NS, 'leases');
const HELD = {
  holderIdentity: 'me',
  leaseDurationSeconds: 15,
  acquireTime: '2024-01-01T00:00:00.000000Z',
  renewTime: '2024-01-01T00:00:01.500000Z',
};

export const leases: Topic = {
  name: 'leases',
  steps: [
    newNamespace(NS),
    post(all, lease('one', HELD), { as: 'one' }),
    post(all, lease('empty')),
    post(all, lease('zero', { leaseDurationSeconds: 0, leaseTransitions: -1 })),
    post(all, lease('strategy', { strategy: 'OldestEmulationVersion' })),
    post(all, lease('preferred', { preferredHolder: 'you' })),
    post(all, lease('empty-holder', { holderIdentity: '' })),
    post(all, lease('bad-time', { renewTime: 'now' })),
    post(all, lease('tenths', { renewTime: '2024-01-01T00:00:01.5Z' })),
    post(all, lease('seconds', { renewTime: '2024-01-01T00:00:01Z' })),
    post(all, lease('nanoseconds', { renewTime: '2024-01-01T00:00:01.123456789Z' })),
    post(all, lease('elsewhere', { renewTime: '2024-01-01T02:00:01.000000+02:00' })),
    get(`${all}/one`),
    get(all),
    put(`${all}/one`, edit('one', { spec: { leaseTransitions: 1 } }), { as: 'two' }),
    put(`${all}/one`, edit('one', { spec: { leaseTransitions: 2 } })),
    put(`${all}/one`, edit('two', {})),
    put(`${all}/by-put`, lease('by-put', HELD)),
    mergePatch(`${all}/one`, { spec: { holderIdentity: null } }),
    strategic(`${all}/one`, { spec: { holderIdentity: 'other' } }),
    mergePatch(`${all}/one`, { spec: { leaseDurationSeconds: 'x' } }),
    mergePatch(`${all}/one`, { spec: { leaseDurationSeconds: 4294967296 } }),
    mergePatch(`${all}/one`, { spec: { leaseDurationSeconds: 1.5 } }),
    get('/apis/coordination.k8s.io/v1/leases?fieldSelector=metadata.namespace%3Dc-lease,metadata.name%3Done'),
    remove(`${all}/one`),
    remove(`${all}?labelSelector=a`),
    remove(all),
    get('/apis/coordination.k8s.io/v1alpha2/leases'),
  ],
};
