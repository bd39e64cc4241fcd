import { createApiServer } from '@kube-endpoints/apiserver';
import { ApiError, type CallOptions, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { CorrelatedEvent } from '../../src/events/correlate.ts';
import { attempt } from '../../src/events/write.ts';
import { createClock, flushPromises } from '../queue/clock.ts';
import { createEventFactory } from './support.ts';

const clock = createClock();
const event = createEventFactory(clock)();
const newEvent: CorrelatedEvent = { event, patch: undefined, key: 'k' };
const patch = { count: 4, lastTimestamp: '2026-01-02T03:04:05Z', message: 'no' };
const repeatedEvent: CorrelatedEvent = { event: { ...event, count: 4 }, patch, key: 'k' };

describe('on a server', () => {
  test('an Event is created, then patched, and recreated with its count if it was deleted', async () => {
    const { client } = await createApiServer({ clock, eventTTL: 0, objects: [namespace('shop')], background: false });
    const key = event.metadata;
    expect(await attempt(client, clock, newEvent)).toMatchObject({ result: 'created', written: { metadata: key, count: 1 } });
    expect(await attempt(client, clock, repeatedEvent)).toMatchObject({ result: 'patched', written: { count: 4 } });
    await client.delete(resources.events, key);
    expect(await attempt(client, clock, repeatedEvent)).toMatchObject({ result: 'created', written: { metadata: key, count: 4 } });
    expect(await client.get(resources.events, key)).toMatchObject({ count: 4, reason: event.reason, involvedObject: event.involvedObject });
    expect(clock.scheduled).toBe(0);
  });

  test('an Event that exists, or whose namespace is missing or terminating, is refused', async () => {
    const terminating = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'terminating', finalizers: ['a/b'] } };
    const { client } = await createApiServer({ clock, eventTTL: 0, objects: [namespace('shop'), terminating], background: false });
    await client.delete(resources.namespaces, { name: 'terminating' });
    await attempt(client, clock, newEvent);
    const inNamespace = (namespace: string): CorrelatedEvent => ({
      ...newEvent,
      event: { ...event, metadata: { ...event.metadata, namespace }, involvedObject: { ...event.involvedObject, namespace } },
    });
    expect(await attempt(client, clock, newEvent)).toMatchObject({ result: 'refused', error: { reason: 'AlreadyExists' } });
    expect(await attempt(client, clock, inNamespace('missing'))).toMatchObject({ result: 'refused', error: { code: 404 } });
    expect(await attempt(client, clock, inNamespace('terminating'))).toMatchObject({
      result: 'refused',
      error: { reason: 'Forbidden', status: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
    });
  });
});

describe('the result of an attempt', () => {
  const failingPort = (error: unknown): ClientPort => ({ create: () => Promise.reject(error) }) as unknown as ClientPort;
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
    [429, 2, { result: 'busy', retryAfterMs: 2000 }],
    [503, 1, { result: 'busy', retryAfterMs: 1000 }],
    [500, 3, { result: 'busy', retryAfterMs: 3000 }],
    [500, undefined, { result: 'refused' }],
    [429, undefined, { result: 'refused' }],
    [409, 1, { result: 'refused' }],
  ])('for status %s with Retry-After %s is %j', async (code, seconds, expected) => {
    const error = apiError(code, seconds);
    expect(await attempt(failingPort(error), clock, newEvent)).toEqual({ ...expected, error });
  });

  test('is `failed` for a network error and for a synchronous error', async () => {
    const error = new Error('ECONNRESET');
    expect(await attempt(failingPort(error), clock, newEvent)).toEqual({ result: 'failed', error });
    const throwingPort = {
      create() {
        throw error;
      },
    } as unknown as ClientPort;
    expect(await attempt(throwingPort, clock, newEvent)).toEqual({ result: 'failed', error });
    expect(clock.scheduled).toBe(0);
  });

  test('is `failed` if there is no response within 30 s; the request is then aborted', async () => {
    let signal: AbortSignal | undefined;
    const silentPort = {
      create(_resource: unknown, _object: unknown, options: CallOptions) {
        signal = options.signal;
        return new Promise(() => {});
      },
    } as unknown as ClientPort;
    const result = attempt(silentPort, clock, newEvent);
    await flushPromises();
    clock.advance(29_999);
    expect(signal?.aborted).toBe(false);
    clock.advance(1);
    expect(signal?.aborted).toBe(true);
    expect(await result).toMatchObject({ result: 'failed', error: { message: 'no answer within 30 s' } });
  });
});

const namespace = (name: string): { apiVersion: string; kind: string; metadata: { name: string } } => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
