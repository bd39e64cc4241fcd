import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createInternTable, type InternTable, noInterning } from '../../../src/cache/projections/intern.ts';
import { projectKnownPod } from '../../../src/cache/projections/pod.ts';
import { noPods, type PodOf, podBehind, projectIP, projectReference } from '../../../src/cache/projections/reference.ts';
import { target } from './objects.ts';

describe('the projection of a reference', () => {
  it('keeps the four common fields, and rare ones if present', () => {
    expect(projectReference(target, noInterning, undefined)).toEqual(target);
    const rare = { ...target, apiVersion: 'example.com/v1', resourceVersion: '3', fieldPath: 'f' };
    expect(projectReference(rare, noInterning, undefined)).toEqual(rare);
  });

  it('shares the kind and the namespace', () => {
    const lookups: unknown[] = [];
    const table = createInternTable();
    const watching: InternTable = {
      ...table,
      text(text) {
        lookups.push(text);
        return table.text(text);
      },
    };
    projectReference(target, watching, undefined);
    expect(lookups).toEqual(['Pod', 'shop']);
  });
});

describe('addresses of a cached pod', () => {
  const object = { metadata: { name: target.name ?? '', namespace: 'shop', uid: target.uid ?? '' }, status: { podIP: '10.0.0.1' } };
  const known = projectKnownPod(object, noInterning, noPods);
  const fromServer = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  const podOf: PodOf = (namespace, name) => (namespace === 'shop' && name === target.name ? known : undefined);

  it('share one reference object', () => {
    expect(known.reference).toEqual(target);
    expect(projectReference(fromServer(target), noInterning, podBehind(fromServer(target), podOf))).toBe(known.reference);
  });

  it('do not share it if the reference has more fields or another UID', () => {
    const rare = { ...target, resourceVersion: '3' };
    expect(projectReference(rare, noInterning, podBehind(rare, podOf))).toEqual(rare);
    const other = { ...target, uid: 'other' };
    expect(podBehind(other, podOf)).toBeUndefined();
    expect(podBehind({ ...target, kind: 'Node' }, podOf)).toBeUndefined();
  });

  it('share it after the pod changes, but not after the pod is recreated', () => {
    const change = (uid: string): ApiObject => ({ ...object, metadata: { ...object.metadata, uid, resourceVersion: '2' } });
    expect(projectKnownPod(change(target.uid ?? ''), noInterning, podOf).reference).toBe(known.reference);
    expect(projectKnownPod(change('recreated'), noInterning, podOf).reference).toEqual({ ...target, uid: 'recreated' });
  });

  it('keep their own IP if it differs from that of the pod', () => {
    expect([projectIP('10.0.0.1', known), projectIP('10.0.0.2', known), projectIP('10.0.0.3', undefined)]).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.3',
    ]);
  });
});
