import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { type ContentReport, namespaceConditions, podsRemain } from '../../src/registry/namespace-conditions.ts';
import { configMaps } from './support.ts';

const [now, later] = ['2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z'];
const clean: ContentReport = { failures: [], remaining: [] };

const said = (report: ContentReport): string[] =>
  namespaceConditions([], report, now).map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);

describe('namespaceConditions', () => {
  it('has a good word for each where nothing is left', () => {
    expect(said(clean)).toEqual([
      'NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure=False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining=False ContentRemoved: All content successfully removed',
      'NamespaceFinalizersRemaining=False ContentHasNoFinalizers: All content-preserving finalizers finished',
    ]);
  });

  it('tells what is left, and what that waits for', () => {
    const finalizers = new Map([['example.com/x', 2]]);
    const remaining = [
      { resource: resources.services, count: 2, finalizers },
      { resource: configMaps, count: 1, finalizers: new Map([['example.com/x', 1]]) },
    ];
    expect(said({ failures: ['b is wrong', 'a is wrong'], remaining }).slice(2)).toEqual([
      'NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a is wrong, b is wrong',
      'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances, services. has 2 resource instances',
      'NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/x in 3 resource instances',
    ]);
  });

  it('says nothing of what is left as long as there are pods', () => {
    const report = { failures: [], remaining: [{ resource: resources.pods, count: 1, finalizers: new Map([['x/y', 1]]) }] };
    expect(podsRemain(report)).toBe(true);
    expect(podsRemain(clean)).toBe(false);
    expect(said(report)).toEqual(said(clean));
  });

  it('keeps the time until the status changes, and everything where nothing does', () => {
    const first = namespaceConditions([], { ...clean, failures: ['a'] }, now);
    expect(namespaceConditions(first, { ...clean, failures: ['a'] }, later)).toBe(first);
    const failed = (failures: readonly string[]): unknown =>
      namespaceConditions(first, { ...clean, failures }, later).find(({ type }) => type === 'NamespaceDeletionContentFailure');
    expect(failed(['b'])).toMatchObject({ status: 'True', lastTransitionTime: now, message: expect.stringContaining(': b') });
    expect(failed([])).toMatchObject({ status: 'False', lastTransitionTime: later });
  });

  it('leaves conditions of others alone', () => {
    const other = { type: 'Other', status: 'True' };
    expect(namespaceConditions([other], clean, now)[0]).toBe(other);
  });
});
