import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { listAll } from '../../../src/cache/reflector/list.ts';
import { createFakePort, createTestClock, type FakePortOptions, listOf, pod, pods, settle } from '../support.ts';

const setup = (lists: FakePortOptions['lists'] & {}) => {
  const clock = createTestClock();
  const port = createFakePort({ lists });
  const controller = new AbortController();
  const taken: string[] = [];
  const take = ({ metadata }: ApiObject): number => taken.push(metadata.name ?? '');
  const source = { port, clock, resource: pods, selection: { namespace: 'shop', labelSelector: 'a=b' }, signal: controller.signal };
  return { clock, port, controller, taken, list: (pageSize = 2) => listAll(source, pageSize, take) };
};

describe('listAll', () => {
  it('takes page after page, in order, and tells the version', async () => {
    const { port, taken, list } = setup([listOf(9, [pod('a', 1), pod('b', 2)], 'more'), listOf(9, [pod('c', 3)])]);
    await expect(list()).resolves.toBe('9');
    expect(taken).toEqual(['a', 'b', 'c']);
    expect(port.lists).toMatchObject([
      { namespace: 'shop', labelSelector: 'a=b', limit: 2 },
      { namespace: 'shop', labelSelector: 'a=b', limit: 2, continue: 'more' },
    ]);
    expect(port.lists[0]).not.toHaveProperty('resourceVersion');
  });

  it('asks for no pages where all is to come at once', async () => {
    const { port, list } = setup([listOf(9, [])]);
    await list(0);
    expect(port.lists[0]).not.toHaveProperty('limit');
  });

  it('gives up a page that does not come', async () => {
    const { clock, port, list } = setup([new Promise(() => undefined)]);
    const late = expect(list()).rejects.toThrow('the list of pods has not come within 60 s');
    await clock.pass(60_000);
    await late;
    expect(port.lists[0]?.signal?.aborted).toBe(true);
  });

  it('gives a list of all more time, but not for ever', async () => {
    const { clock, list } = setup([new Promise(() => undefined)]);
    const late = expect(list(0)).rejects.toMatchObject({ name: 'TimeoutError' });
    await clock.pass(300_000);
    await late;
  });

  it('does not follow a token in circles', async () => {
    const { port, list } = setup([listOf(9, [pod('a', 1)], 'more')]);
    await expect(list()).rejects.toThrow('two pages have one token');
    expect(port.lists).toHaveLength(2);
  });

  it('refuses a list without a version', async () => {
    const { list } = setup([listOf(undefined, [pod('a', 1)])]);
    await expect(list()).rejects.toThrow('has no resourceVersion');
  });

  it('ends with the signal', async () => {
    const { controller, list } = setup([new Promise(() => undefined)]);
    const ended = expect(list()).rejects.toBe('enough');
    await settle();
    controller.abort('enough');
    await ended;
  });
});
