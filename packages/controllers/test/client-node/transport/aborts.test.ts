import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createAbortCallbacks } from '../../../src/client-node/transport/aborts.ts';

describe('createAbortCallbacks', () => {
  it('adds one listener per signal for all callbacks', () => {
    const { onAbort } = createAbortCallbacks();
    const controller = new AbortController();
    const reported: number[] = [];
    const removers = [1, 2, 3].map((n) => onAbort(controller.signal, () => void reported.push(n)));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    removers[1]?.();
    controller.abort();
    expect(reported).toEqual([1, 3]);
  });

  it('removes the listener with the last callback', () => {
    const { onAbort } = createAbortCallbacks();
    const controller = new AbortController();
    const remove = onAbort(controller.signal, () => undefined);
    remove();
    remove();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    const reported: string[] = [];
    onAbort(controller.signal, () => void reported.push('again'));
    controller.abort();
    expect(reported).toEqual(['again']);
  });
});
