import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createInternTable, noInterning } from '../../../src/cache/projections/intern.ts';
import { createProjections, type Projections } from '../../../src/cache/projections/projections.ts';

const labels = { team: 'red' };
const object: ApiObject = { metadata: { name: 'a', namespace: 'shop', labels }, addressType: 'IPv4' };
const kinds: readonly (keyof Projections)[] = ['pod', 'service', 'endpoints', 'slice'];

describe('the projections of one host', () => {
  it('are one for each resource that is cached', () => {
    expect(Object.keys(createProjections()).sort()).toEqual(['endpoints', 'namespace', 'node', 'pod', 'service', 'slice']);
  });

  it.each(kinds)('share with each other what is the same: labels of a pod, and of %s', (kind) => {
    const projections = createProjections();
    const found = projections[kind](object).metadata?.labels;
    expect(found).toEqual(labels);
    expect(projections.pod(structuredClone(object)).metadata?.labels).toBe(found);
  });

  it('share nothing with those of another host, unless they are given its table', () => {
    const table = createInternTable();
    const of = (projections: Projections): unknown => projections.pod(structuredClone(object)).metadata?.labels;
    expect(of(createProjections())).not.toBe(of(createProjections()));
    expect(of(createProjections(noInterning))).toEqual(labels);
    expect(of(createProjections(table))).toBe(of(createProjections(table)));
  });
});
