import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createClock, isSettled, settle } from '../../../apiserver/test/store/support.ts';
import { settingsOf } from '../../src/client-node/options.ts';
import { createWatch } from '../../src/client-node/port.ts';
import type { Transport } from '../../src/client-node/transport/transport.ts';
import { errorOf } from './support.ts';

function setUp(options: { readonly signal?: AbortSignal; readonly timeoutSeconds?: number }, stream?: Transport['stream']) {
  const clock = createClock();
  const signals: AbortSignal[] = [];
  const plain: Transport['stream'] = async ({ signal }) => {
    signals.push(signal);
    return new PassThrough() as unknown as IncomingMessage;
  };
  const watch = createWatch({ stream: stream ?? plain }, { path: '/api/v1/pods?watch=true', options, settings: settingsOf({ clock }) });
  return { clock, signals, watch };
}

describe('a watch', () => {
  it('begins anew each time that somebody iterates', async () => {
    const { watch, signals } = setUp({});
    const iterators = [watch[Symbol.asyncIterator](), watch[Symbol.asyncIterator]()];
    for (const iterator of iterators) void iterator.next();
    await settle();
    expect(signals).toHaveLength(2);
    await iterators[0]?.return?.();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('is given up where the server does not end it', async () => {
    const { watch, clock, signals } = setUp({ timeoutSeconds: 60 });
    const next = watch[Symbol.asyncIterator]().next();
    await settle();
    clock.advance(89_999);
    expect(await isSettled(next)).toBe(false);
    clock.advance(1);
    expect(await errorOf(next)).toMatchObject({ message: 'GET /api/v1/pods: the watch was not ended within 90 s', code: 'ETIMEDOUT' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('leaves no timer behind', async () => {
    const { watch, clock } = setUp({ timeoutSeconds: 60 });
    const iterator = watch[Symbol.asyncIterator]();
    const next = iterator.next();
    await settle();
    expect(clock.scheduled).toBe(1);
    await iterator.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(clock.scheduled).toBe(0);
  });

  it('that nobody wants any more does not go on being begun', async () => {
    const signals: AbortSignal[] = [];
    const { watch } = setUp({}, ({ signal }) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const iterator = watch[Symbol.asyncIterator]();
    const next = iterator.next();
    await iterator.return?.();
    expect(signals[0]?.aborted).toBe(true);
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
