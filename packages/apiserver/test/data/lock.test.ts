import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { openData } from '../../src/data/index.ts';

/** Opens the folder in another process. Resolves when it is open. */
async function openInChild(folder: string): Promise<ChildProcess> {
  const module = JSON.stringify(join(import.meta.dirname, '../../src/data/index.ts'));
  const program = `const { openData } = await import(${module}); await openData(${JSON.stringify(folder)}); console.log('open'); setInterval(() => 0, 1000);`;
  const flags = ['-C', 'kube-endpoints-source', '--no-warnings', '--input-type=module', '-e', program];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

test('a folder is locked while another process uses it, and free as soon as that is killed', async () => {
  const folder = join(makeFolder(), 'data');
  const child = await openInChild(folder);
  await expect(openData(folder)).rejects.toMatchObject({
    code: 'ERR_DATA',
    message: `${folder} is in use by process ${child.pid}: stop it, or give another folder`,
  });
  child.kill('SIGSTOP');
  await expect(openData(folder)).rejects.toThrow(`${folder} is in use by another process`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const locks = (): number => readdirSync(folder).filter((name) => name.startsWith('lock-')).length;
  expect(locks()).toBe(1);
  const data = await openData(folder);
  expect(locks()).toBe(1);
  await data.close();
  expect(locks()).toBe(0);
});

test('of many that open a folder at the same time, at most one succeeds', async () => {
  const folder = join(makeFolder(), 'data');
  for (let round = 0; round < 3; round++) {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => openData(folder)));
    const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(opened.length).toBeLessThanOrEqual(1);
    for (const data of opened) await data.close();
  }
  await (await openData(folder)).close();
});
