import { ApiError } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { informerEvent } from '../../../controllers/test/operations/runtime-events.ts';
import { createReadFailureDetector } from '../../src/live/inventory.ts';

const failure = (code: number): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message: `it is ${code}` });
const failedRead = (error: unknown, resource = 'pods') => informerEvent({ resource, state: 'waiting', error });

/** The problem reported after `count` consecutive failures; undefined while retries continue. */
function problemAfter(count: number, error: unknown, resource?: string): string | undefined {
  const detector = createReadFailureDetector(undefined);
  for (let i = 0; i < count; i++) detector.observer(failedRead(error, resource));
  return detector.problem;
}

describe('createReadFailureDetector', () => {
  test.each([
    [1, failure(401)],
    [1, failure(404)],
    [2, failure(403)],
    [3, failure(503)],
    [3, new Error('ECONNREFUSED')],
  ])('reports a problem after %d consecutive failures: %s', (count, error) => {
    expect(problemAfter(count - 1, error)).toBeUndefined();
    expect(problemAfter(count, error)).toContain(`pods of all namespaces cannot be read: ${error.message}`);
  });

  test('reports the problem with the same message as other commands', async () => {
    expect(problemAfter(2, failure(403))).toMatch(/ cannot be read: it is 403 \(docs\/cookbook\/operations\.md lists the required rights/);
    expect(problemAfter(1, failure(401), 'nodes')).toBe('nodes cannot be read: it is 401');
    const detector = createReadFailureDetector('shop');
    detector.observer(failedRead(failure(401)));
    detector.observer(failedRead(failure(401), 'services'));
    expect(detector.problem).toBe('pods in namespace "shop" cannot be read: it is 401');
    await detector.failed;
  });

  test('reports no problem after the first successful list, because later failures are retried', () => {
    const detector = createReadFailureDetector(undefined);
    detector.observer(failedRead(new Error('ECONNREFUSED')));
    detector.observer(informerEvent({ resource: 'pods', state: 'watching' }));
    for (let i = 0; i < 5; i++) detector.observer(failedRead(failure(401)));
    expect(detector.problem).toBeUndefined();
  });

  test('reports no problem for failures of different resources or waits without an error', () => {
    const detector = createReadFailureDetector(undefined);
    for (const resource of ['pods', 'services', 'nodes']) detector.observer(failedRead(new Error('ECONNRESET'), resource));
    for (let i = 0; i < 5; i++) detector.observer(informerEvent({ resource: 'endpoints', state: 'waiting' }));
    expect(detector.problem).toBeUndefined();
  });
});
