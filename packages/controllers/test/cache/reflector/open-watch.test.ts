import { describe, expect, it } from 'vitest';
import { openWatch } from '../../../src/cache/reflector/open-watch.ts';
import { bookmark, broken, createFakePort, createTestClock, type FakePortOptions, pods, settle } from '../support.ts';

const setup = (options?: FakePortOptions) => {
  const clock = createTestClock();
  const port = createFakePort(options);
  const controller = new AbortController();
  const source = { port, clock, resource: pods, signal: controller.signal };
  const watch = openWatch(source, { timeoutSeconds: 300 });
  return { clock, port, controller, watch };
};

describe('openWatch', () => {
  it('passes events on, and the end', async () => {
    const { port, watch } = setup();
    await port.newest.send(bookmark(5));
    await expect(watch.next()).resolves.toEqual(bookmark(5));
    await port.newest.end();
    await expect(watch.next()).resolves.toBeUndefined();
  });

  it('passes on what the port throws', async () => {
    const { port, watch } = setup();
    await port.newest.fail(broken());
    await expect(watch.next()).rejects.toThrow('ECONNRESET');
    await watch.close();
  });

  it('leaves nothing behind where the port throws at once', () => {
    const clock = createTestClock();
    const { signal } = new AbortController();
    const port = {
      watch: (): never => {
        throw broken();
      },
    };
    expect(() => openWatch({ port, clock, resource: pods, signal }, { timeoutSeconds: 300 })).toThrow('ECONNRESET');
  });

  it('ends with the signal while it is waited for, and when it is asked later', async () => {
    const { port, controller, watch } = setup();
    const ended = expect(watch.next()).rejects.toBe('enough');
    await settle();
    controller.abort('enough');
    await ended;
    await expect(watch.next()).rejects.toBe('enough');
    expect(port.newest.options.signal?.aborted).toBe(true);
  });

  it('breaks off when its patience is over, which moves on with each event', async () => {
    const { clock, port, watch } = setup();
    watch.patience(() => watch.heardAt + 100);
    const first = watch.next();
    await clock.pass(60);
    await port.newest.send(bookmark(5));
    await first;
    const late = expect(watch.next()).rejects.toMatchObject({ name: 'TimeoutError' });
    await clock.pass(99);
    expect(port.newest.options.signal?.aborted).toBe(false);
    await clock.pass(1);
    expect(port.newest.options.signal?.aborted).toBe(true);
    await late;
    await expect(watch.next()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('lets go of the port and of the clock when it is closed', async () => {
    const { clock, port, watch } = setup();
    watch.patience(() => 1000);
    await watch.close();
    await watch.close();
    expect(port.newest.returned).toBe(true);
    expect(port.newest.options.signal?.aborted).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('does not wait for ever for a port that does not let go', async () => {
    const { clock, watch } = setup({ clings: true });
    let closed = false;
    const closing = watch.close().then(() => {
      closed = true;
    });
    await clock.pass(4999);
    expect(closed).toBe(false);
    await clock.pass(1);
    await closing;
    expect(clock.scheduled).toBe(0);
  });
});
