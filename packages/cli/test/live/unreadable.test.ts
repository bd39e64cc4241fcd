import { ApiError } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { informer } from '../../../controllers/test/operations/happenings.ts';
import { createReadFailureDetector } from '../../src/live/inventory.ts';

const refused = (code: number): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message: `it is ${code}` });
const failed = (error: unknown, resource = 'pods') => informer({ resource, state: 'waiting', error });

/** The problem reported after `count` consecutive failures; undefined while retries continue. */
function saidAfter(count: number, error: unknown, resource?: string): string | undefined {
  const watch = createReadFailureDetector(undefined);
  for (let n = 0; n < count; n++) watch.observer(failed(error, resource));
  return watch.problem;
}

describe('a cluster that cannot be read', () => {
  test.each([
    [1, refused(401)],
    [1, refused(404)],
    [2, refused(403)],
    [3, refused(503)],
    [3, new Error('ECONNREFUSED')],
  ])('is reported after %d failures: %s', (count, error) => {
    expect(saidAfter(count - 1, error)).toBeUndefined();
    expect(saidAfter(count, error)).toContain(`pods of all namespaces cannot be read: ${error.message}`);
  });

  test('is reported in the same words as by other commands', async () => {
    expect(saidAfter(2, refused(403))).toMatch(/ cannot be read: it is 403 \(docs\/cookbook\/operations\.md lists the required rights/);
    expect(saidAfter(1, refused(401), 'nodes')).toBe('nodes cannot be read: it is 401');
    const watch = createReadFailureDetector('shop');
    watch.observer(failed(refused(401)));
    watch.observer(failed(refused(401), 'services'));
    expect(watch.problem).toBe('pods in namespace "shop" cannot be read: it is 401');
    await watch.failed;
  });

  test('is not reported once the first list has succeeded, as later failures are retried', () => {
    const watch = createReadFailureDetector(undefined);
    watch.observer(failed(new Error('ECONNREFUSED')));
    watch.observer(informer({ resource: 'pods', state: 'watching' }));
    for (let n = 0; n < 5; n++) watch.observer(failed(refused(401)));
    expect(watch.problem).toBeUndefined();
  });

  test('is not reported for failures of different resources or waits without an error', () => {
    const watch = createReadFailureDetector(undefined);
    for (const resource of ['pods', 'services', 'nodes']) watch.observer(failed(new Error('ECONNRESET'), resource));
    for (let n = 0; n < 5; n++) watch.observer(informer({ resource: 'endpoints', state: 'waiting' }));
    expect(watch.problem).toBeUndefined();
  });
});
