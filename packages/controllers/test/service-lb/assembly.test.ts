import { expect, test } from 'vitest';
import { hangUntilAborted } from './cloud.ts';
import { balanced, createWorld, nodeNamed } from './world.ts';

test('a call that was given up for a Service that is there is made up for by its sync, for one that is gone by a deletion', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], cloudTimeout: 20_000 });
  await world.start();
  await world.pass(20_000);
  world.cloud.twist = (asked) => (asked.call === 'ensure' ? hangUntilAborted(asked) : undefined);
  await world.change('web', { spec: { sessionAffinity: 'ClientIP' } });
  await world.pass(21_000);
  world.cloud.twist = () => undefined;
  await world.pass(5000);
  expect(world.outcomes('web').at(-1)).toBe('success 0');
  world.cloud.asked();
  await world.pass(20_000);
  expect(world.cloud.asked()).toEqual(['ensure web n1']);

  world.cloud.twist = (asked) => (asked.call === 'ensure' ? hangUntilAborted(asked) : undefined);
  await world.change('web', { spec: { sessionAffinity: 'None' } });
  await world.delete('web');
  world.cloud.twist = () => undefined;
  await world.pass(1000);
  world.cloud.asked();
  await world.pass(40_000);
  expect(await world.get('web')).toBeUndefined();
  expect(world.cloud.held.size).toBe(0);
});

test('there is no recorder in a dry run', async () => {
  await using world = await createWorld({ objects: [nodeNamed('n1'), balanced('web')], dryRun: true });
  await world.start();
  expect(world.happenings.filter(({ kind }) => kind === 'event')).toEqual([]);
  expect(world.happenings.filter(({ kind }) => kind === 'effect')).not.toEqual([]);
});
