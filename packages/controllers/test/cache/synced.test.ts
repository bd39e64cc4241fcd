import { expect, it } from 'vitest';
import { createSynced } from '../../src/cache/informer.ts';

it('lets through who waits and who comes later', async () => {
  const gate = createSynced();
  const early = gate.passed(new AbortController().signal);
  expect(gate.isOpen).toBe(false);
  gate.open();
  gate.open();
  await early;
  await gate.passed();
  expect(gate.isOpen).toBe(true);
});

it('rejects with the reason of a signal, before and while waiting', async () => {
  const gate = createSynced();
  await expect(gate.passed(AbortSignal.abort('no'))).rejects.toBe('no');
  const controller = new AbortController();
  const waiting = gate.passed(controller.signal);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
});

it('does not mind a signal that is aborted afterwards', async () => {
  const gate = createSynced();
  const controller = new AbortController();
  const waiting = gate.passed(controller.signal);
  gate.open();
  controller.abort('late');
  await expect(waiting).resolves.toBeUndefined();
});
