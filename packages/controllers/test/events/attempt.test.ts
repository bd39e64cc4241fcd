import { createApiServer } from '@kube-endpoints/apiserver';
import { ApiError, type CallOptions, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { Correlated } from '../../src/events/correlate.ts';
import { attempt } from '../../src/events/write.ts';
import { createClock, settle } from '../queue/clock.ts';
import { eventsAt } from './support.ts';

const clock = createClock();
const event = eventsAt(clock)();
const fresh: Correlated = { event, patch: undefined, key: 'k' };
const patch = { count: 4, lastTimestamp: '2026-01-02T03:04:05Z', message: 'no' };
const repeated: Correlated = { event: { ...event, count: 4 }, patch, key: 'k' };

describe('on a server', () => {
  test('an Event is created, then patched, and recreated with its count if it was deleted', async () => {
    const { client } = await createApiServer({ clock, objects: [namespace('shop')] });
    const key = event.metadata;
    expect(await attempt(client, clock, fresh)).toMatchObject({ result: 'created', written: { metadata: key, count: 1 } });
    expect(await attempt(client, clock, repeated)).toMatchObject({ result: 'patched', written: { count: 4 } });
    await client.delete(resources.events, key);
    expect(await attempt(client, clock, repeated)).toMatchObject({ result: 'created', written: { metadata: key, count: 4 } });
    expect(await client.get(resources.events, key)).toMatchObject({ count: 4, reason: event.reason, involvedObject: event.involvedObject });
    expect(clock.scheduled).toBe(0);
  });

  test('an existing Event, a missing namespace and a terminating namespace are refused', async () => {
    const going = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going', finalizers: ['a/b'] } };
    const { client } = await createApiServer({ clock, objects: [namespace('shop'), going], background: false });
    await client.delete(resources.namespaces, { name: 'going' });
    await attempt(client, clock, fresh);
    const inside = (namespace: string): Correlated => ({
      ...fresh,
      event: { ...event, metadata: { ...event.metadata, namespace }, involvedObject: { ...event.involvedObject, namespace } },
    });
    expect(await attempt(client, clock, fresh)).toMatchObject({ result: 'refused', error: { reason: 'AlreadyExists' } });
    expect(await attempt(client, clock, inside('nowhere'))).toMatchObject({ result: 'refused', error: { code: 404 } });
    expect(await attempt(client, clock, inside('going'))).toMatchObject({
      result: 'refused',
      error: { reason: 'Forbidden', status: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
    });
  });
});

describe('an answer', () => {
  const answering = (error: unknown): ClientPort => ({ create: () => Promise.reject(error) }) as unknown as ClientPort;
  const apiError = (code: number, retryAfterSeconds?: number): ApiError =>
    new ApiError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code,
      ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    });

  test.each([
    [429, 2, { result: 'busy', after: 2000 }],
    [503, 1, { result: 'busy', after: 1000 }],
    [500, 3, { result: 'busy', after: 3000 }],
    [500, undefined, { result: 'refused' }],
    [429, undefined, { result: 'refused' }],
    [409, 1, { result: 'refused' }],
  ])('with status %s and Retry-After %s decides the result', async (code, seconds, expected) => {
    const error = apiError(code, seconds);
    expect(await attempt(answering(error), clock, fresh)).toEqual({ ...expected, error });
  });

  test('from the network, or a synchronous error, counts as failed', async () => {
    const error = new Error('ECONNRESET');
    expect(await attempt(answering(error), clock, fresh)).toEqual({ result: 'failed', error });
    const throwing = {
      create() {
        throw error;
      },
    } as unknown as ClientPort;
    expect(await attempt(throwing, clock, fresh)).toEqual({ result: 'failed', error });
    expect(clock.scheduled).toBe(0);
  });

  test('that takes longer than 30 s is aborted', async () => {
    let signal: AbortSignal | undefined;
    const silent = {
      create(_resource: unknown, _object: unknown, options: CallOptions) {
        signal = options.signal;
        return new Promise(() => {});
      },
    } as unknown as ClientPort;
    const made = attempt(silent, clock, fresh);
    await settle();
    clock.advance(29_999);
    expect(signal?.aborted).toBe(false);
    clock.advance(1);
    expect(signal?.aborted).toBe(true);
    expect(await made).toMatchObject({ result: 'failed', error: { message: 'no answer within 30 s' } });
  });
});

const namespace = (name: string): { apiVersion: string; kind: string; metadata: { name: string } } => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
