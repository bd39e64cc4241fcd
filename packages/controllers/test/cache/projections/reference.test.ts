import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createInternTable, type InternTable, noInterning } from '../../../src/cache/projections/intern.ts';
import { projectCachedPod } from '../../../src/cache/projections/pod.ts';
import { type FindPod, findReferencedPod, noPods, projectIP, projectReference } from '../../../src/cache/projections/reference.ts';
import { podReference } from './objects.ts';

describe('projectReference', () => {
  it('keeps the four common fields, and rare ones if present', () => {
    expect(projectReference(podReference, noInterning, undefined)).toEqual(podReference);
    const rareReference = { ...podReference, apiVersion: 'example.com/v1', resourceVersion: '3', fieldPath: 'f' };
    expect(projectReference(rareReference, noInterning, undefined)).toEqual(rareReference);
  });

  it('shares the kind and the namespace', () => {
    const lookups: unknown[] = [];
    const table = createInternTable();
    const recordingTable: InternTable = {
      ...table,
      internText(text) {
        lookups.push(text);
        return table.internText(text);
      },
    };
    projectReference(podReference, recordingTable, undefined);
    expect(lookups).toEqual(['Pod', 'shop']);
  });
});

describe('projections of addresses of a cached pod', () => {
  const object = {
    metadata: { name: podReference.name ?? '', namespace: 'shop', uid: podReference.uid ?? '' },
    status: { podIP: '10.0.0.1' },
  };
  const pod = projectCachedPod(object, noInterning, noPods);
  const fromServer = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  const findPod: FindPod = (namespace, name) => (namespace === 'shop' && name === podReference.name ? pod : undefined);

  it('projectReference returns the reference object of the cached pod', () => {
    expect(pod.reference).toEqual(podReference);
    expect(projectReference(fromServer(podReference), noInterning, findReferencedPod(fromServer(podReference), findPod))).toBe(
      pod.reference,
    );
  });

  it('projectReference returns a copy if the reference has more fields or another UID', () => {
    const rareReference = { ...podReference, resourceVersion: '3' };
    expect(projectReference(rareReference, noInterning, findReferencedPod(rareReference, findPod))).toEqual(rareReference);
    const otherUid = { ...podReference, uid: 'other' };
    expect(findReferencedPod(otherUid, findPod)).toBeUndefined();
    expect(findReferencedPod({ ...podReference, kind: 'Node' }, findPod)).toBeUndefined();
  });

  it('projectCachedPod keeps the reference object of a changed pod, but not of a recreated pod', () => {
    const change = (uid: string): ApiObject => ({ ...object, metadata: { ...object.metadata, uid, resourceVersion: '2' } });
    expect(projectCachedPod(change(podReference.uid ?? ''), noInterning, findPod).reference).toBe(pod.reference);
    expect(projectCachedPod(change('recreated'), noInterning, findPod).reference).toEqual({ ...podReference, uid: 'recreated' });
  });

  it('projectIP returns an IP equal to that of the address, whether or not it is that of the pod', () => {
    expect([projectIP('10.0.0.1', pod), projectIP('10.0.0.2', pod), projectIP('10.0.0.3', undefined)]).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.3',
    ]);
  });
});
