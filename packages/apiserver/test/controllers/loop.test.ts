import { expect, test } from 'vitest';
import { type Controller, startControllers } from '../../src/controllers/index.ts';
import { configMaps, createFixture, object } from '../registry/support.ts';

/** A controller that needs a turn of the event loop for a key, fails for the keys in `failing`, and records what it does. */
function createRecorder(name: string, log: string[], failing: ReadonlySet<string> = new Set()): Controller {
  return {
    initialKeys: [`${name}-initial`],
    keysOf: ({ resource: { plural }, current }) => (plural === configMaps.plural ? [`${name}-${current?.metadata.name}`] : []),
    async reconcile(key) {
      log.push(`${key} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      if (failing.has(key)) throw new Error('refused');
      log.push(`${key} ends`);
    },
  };
}

test('controllers that are started later begin with their initial keys and stored objects, and one works at a time', async () => {
  const { registry, port, clock } = await createFixture();
  await port.create(configMaps, object('settings'));
  const log: string[] = [];
  const loop = startControllers([createRecorder('first', log)], { registry, clock });
  const started = loop.start([createRecorder('second', log)]);
  // The delay after which pending work would start by itself.
  await clock.advance(50);
  await started;
  const keys = ['first-initial', 'first-settings', 'second-initial', 'second-settings'];
  expect(log).toStrictEqual(keys.flatMap((key) => [`${key} begins`, `${key} ends`]));
  loop.close();
});

test('work that fails when a controller starts is retried after a second', async () => {
  const { registry, clock } = await createFixture();
  const log: string[] = [];
  const failing = new Set(['first-initial']);
  const loop = startControllers([], { registry, clock });
  await loop.start([createRecorder('first', log, failing)]);
  expect(log).toStrictEqual(['first-initial begins']);
  failing.clear();
  await clock.advance(1000);
  await loop.settle();
  expect(log).toStrictEqual(['first-initial begins', 'first-initial begins', 'first-initial ends']);
  loop.close();
});
