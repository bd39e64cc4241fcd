import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createAborts } from '../../../src/client-node/transport/aborts.ts';

describe('abort callbacks', () => {
  it('are called through one listener per signal', () => {
    const { on } = createAborts();
    const controller = new AbortController();
    const reported: number[] = [];
    const forgets = [1, 2, 3].map((n) => on(controller.signal, () => void reported.push(n)));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    forgets[1]?.();
    controller.abort();
    expect(reported).toEqual([1, 3]);
  });

  it('leave no listener once removed', () => {
    const { on } = createAborts();
    const controller = new AbortController();
    const forget = on(controller.signal, () => undefined);
    forget();
    forget();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    const reported: string[] = [];
    on(controller.signal, () => void reported.push('again'));
    controller.abort();
    expect(reported).toEqual(['again']);
  });
});
