import { describe, expect, it } from 'vitest';
import { createReconciler, type Plan } from '../../src/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const key = 'shop/web';

/**
 * A pod changes while the cache still shows the Endpoints from before an update, so that a second sync would overwrite the first.
 * Since #125675, the second sync is retried instead; but after an update without changes, it was then retried forever, until #127417.
 */
describe('Endpoints that a stale cache shows', () => {
  const service = makeService();
  const current = { metadata: { name: 'web', namespace: 'shop', resourceVersion: '5' } };

  function secondSync(version: string, resourceVersion: string): Plan['action'] {
    const reconciler = createReconciler({ version });
    const { object } = reconciler.reconcile({ key, service, pods: [makePod()], current });
    reconciler.observe({ ...object, metadata: { ...object?.metadata, resourceVersion } });
    return reconciler.reconcile({ key, service, pods: [makePod('a', { ready: false })], current }).action;
  }

  it.each([
    { releases: ['1.17', '1.27', '1.28.0', '1.28.11', '1.29.0', '1.29.6', '1.30.0', '1.30.2'], changed: 'update', unchanged: 'update' },
    {
      releases: ['1.28.12', '1.28.14', '1.29.7', '1.29.9', '1.30.3', '1.30.5', '1.31.0', '1.31.1'],
      changed: 'retry',
      unchanged: 'retry',
    },
    {
      releases: ['1.28.15', '1.28', '1.29.10', '1.29', '1.30.6', '1.30', '1.31.2', '1.31', '1.32.0', '1.33', '1.36', '1.37'],
      changed: 'retry',
      unchanged: 'update',
    },
  ])(
    'in $releases, lead to the action $changed after an update with changes, and $unchanged after one without',
    ({ releases, changed, unchanged }) => {
      for (const version of releases) {
        expect(secondSync(version, '6'), `${version}, changed`).toBe(changed);
        expect(secondSync(version, '5'), `${version}, unchanged`).toBe(unchanged);
      }
    },
  );

  it('are synced again once the cache shows the update', () => {
    const reconciler = createReconciler();
    const { object } = reconciler.reconcile({ key, service, pods: [makePod()], current });
    const written = { ...object, metadata: { ...object?.metadata, resourceVersion: '6' } };
    reconciler.observe(written);
    expect(reconciler.reconcile({ key, service, pods: [makePod()], current }).action).toBe('retry');
    expect(reconciler.reconcile({ key, service, pods: [makePod()], current: written }).action).toBe('none');
    expect(reconciler.reconcile({ key, service, pods: [], current: written }).action).toBe('update');
  });
});
