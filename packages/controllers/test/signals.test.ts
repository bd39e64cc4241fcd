import { expect, test } from 'vitest';
import { aborted, linkedTo } from '../src/time.ts';

test('what is linked is aborted with the first of the signals, with its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const linked = linkedTo(one.signal, other.signal);
  expect(linked.signal.aborted).toBe(false);
  other.abort('enough');
  one.abort('late');
  expect(linked.signal.reason).toBe('enough');
});

test('and at once where one was aborted before', () => {
  const one = new AbortController();
  expect(linkedTo(one.signal, AbortSignal.abort('gone')).signal.reason).toBe('gone');
});

test('aborted itself, it leaves the others alone and lets go of them', () => {
  const one = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = one.signal;
  one.signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(one.signal, given);
  };
  one.signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(one.signal, given);
  };
  const linked = linkedTo(one.signal);
  expect(listeners).toBe(1);
  linked.abort();
  expect([one.signal.aborted, listeners]).toEqual([false, 0]);
});

test('waiting ends when a signal is aborted, or was before', async () => {
  const one = new AbortController();
  let ended = false;
  const waiting = aborted(one.signal).then(() => {
    ended = true;
  });
  await Promise.resolve();
  expect(ended).toBe(false);
  one.abort();
  await waiting;
  await aborted(one.signal);
  expect(ended).toBe(true);
});
