import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { type FileFollower, followFiles, readTexts } from '../../src/webhook/reload.ts';
import { createWebhookClock } from './support.ts';

const folder = makeFolder();
const paths = [join(folder, 'a'), join(folder, 'b')];
const write = (a: string, b: string): void => {
  writeFileSync(paths[0] as string, a);
  writeFileSync(paths[1] as string, b);
};

async function startFollower(): Promise<{ readonly follower: FileFollower; readonly log: string[] }> {
  write('1', '2');
  const log: string[] = [];
  const follower = followFiles(
    {
      paths,
      clock: createWebhookClock(),
      interval: 10_000,
      onTexts: (texts) => void log.push(texts.join()),
      onError: (error) => void log.push((error as NodeJS.ErrnoException).code ?? String(error)),
    },
    await readTexts(paths),
  );
  onTestFinished(() => follower.close());
  return { follower, log };
}

it('followFiles reports changed texts once', async () => {
  const { follower, log } = await startFollower();
  await follower.check();
  write('1', '3');
  await follower.check();
  await follower.check();
  write('1', '2');
  await follower.check();
  expect(log).toEqual(['1,3', '1,2']);
});

it('followFiles reports a read failure once, and the texts when they can be read again', async () => {
  const { follower, log } = await startFollower();
  rmSync(paths[1] as string);
  await follower.check();
  await follower.check();
  write('1', '2');
  await follower.check();
  expect(log).toEqual(['ENOENT', '1,2']);
});

it('followFiles reports nothing after close', async () => {
  const { follower, log } = await startFollower();
  write('1', '3');
  const pendingCheck = follower.check();
  follower.close();
  await pendingCheck;
  expect(log).toEqual([]);
});
