import { describe, expect, test } from 'vitest';
import { pod, pods, statusOfRejection } from '../store/support.ts';
import { createDisk, createFileError, type Disk } from './disk.ts';
import { describeStore, openStore, writePod } from './support.ts';

const a = { namespace: 'default', name: 'a' };
const minCompactionBytes = 20_000;

/** Changes one pod and waits until each change is saved. */
async function updateOften(
  store: Awaited<ReturnType<typeof openStore>>['store'],
  count: number,
  onSaved: () => void = () => undefined,
): Promise<void> {
  if (!store.find(pods, a)) store.create(pods, a, pod('a'));
  for (let number = 0; number < count; number++) {
    store.update(pods, a, () => pod('a', { app: `v${store.revision}` }));
    await store.waitUntilSaved();
    onSaved();
  }
}

describe('compaction', () => {
  test('keeps the folder small, whatever the number of updates', async () => {
    const disk = createDisk();
    const { store, close, waitUntilCompacted } = await openStore(disk, { minCompactionBytes, maxEvents: 10 });
    let maxBytes = 0;
    await updateOften(store, 2000, () => {
      maxBytes = Math.max(maxBytes, disk.totalBytes());
    });
    await waitUntilCompacted();
    await close();
    expect(maxBytes).toBeLessThan(2.2 * minCompactionBytes);
    expect(disk.names).toHaveLength(2);
    const reopened = await openStore(disk);
    expect(describeStore(reopened.store)).toBe(describeStore(store));
  });

  test('waits for a journal that is as large as the snapshot', async () => {
    const disk = createDisk();
    const { store, waitUntilCompacted } = await openStore(disk, { minCompactionBytes });
    for (let number = 0; number < 300; number++) writePod(store, `p${number}`, 1);
    await store.waitUntilSaved();
    await updateOften(store, 10);
    await waitUntilCompacted();
    const snapshotNames = disk.names.filter((name) => name.startsWith('snapshot'));
    expect(snapshotNames).toHaveLength(1);
    const snapshotBytes = disk.content(snapshotNames[0] as string).length;
    expect(snapshotBytes).toBeGreaterThan(2 * minCompactionBytes);
    const updates = Math.floor(snapshotBytes / 300);
    await updateOften(store, updates);
    expect(disk.names).toContain(snapshotNames[0]);
    await updateOften(store, updates);
    await waitUntilCompacted();
    expect(disk.names).not.toContain(snapshotNames[0]);
  });

  test('saves writes while a snapshot is written', async () => {
    const disk = createDisk();
    const { store, waitUntilCompacted } = await openStore(disk, { minCompactionBytes });
    for (let number = 0; number < 3000; number++) writePod(store, `p${number}`, 1);
    await store.waitUntilSaved();
    const events: string[] = [];
    disk.inject((operation) => {
      events.push(operation.replace(/^(\w+) (\w+)-.*/, '$1 $2'));
      return undefined;
    });
    await updateOften(store, 20);
    const savesDuringSnapshot = events
      .slice(events.indexOf('create snapshot'), events.lastIndexOf('write snapshot'))
      .filter((event) => event === 'sync journal');
    expect(savesDuringSnapshot.length).toBeGreaterThan(3);
    await waitUntilCompacted();
  });

  test.each<[string, (operation: string) => boolean]>([
    ['the next journal cannot be created', (operation) => operation === 'create journal-00000002.tmp'],
    ['the next journal cannot be renamed', (operation) => operation === 'rename journal-00000002'],
    ['the folder cannot be synced', (operation) => operation === 'sync .'],
    ['the next journal cannot be opened', (operation) => operation === 'open journal-00000002'],
    ['the snapshot cannot be written', (operation) => operation === 'write snapshot-00000002.tmp'],
    ['the snapshot cannot be renamed', (operation) => operation === 'rename snapshot-00000002'],
    ['the old journal cannot be removed', (operation) => operation === 'remove journal-00000001'],
  ])('is reported and tried again if %s, and no write is refused', async (_, fails) => {
    const disk = createDisk();
    const problems: string[] = [];
    const { store, close, waitUntilCompacted } = await openStore(disk, {
      minCompactionBytes,
      onProblem: (problem) => problems.push(problem),
    });
    let isFaulty = true;
    disk.inject((operation) => (isFaulty && fails(operation) ? { error: createFileError('ENOSPC') } : undefined));
    await updateOften(store, 150);
    await waitUntilCompacted();
    expect(problems[0]).toBe(
      '/data cannot be compacted and grows until a later attempt succeeds: no space left on the device: free some space (ENOSPC)',
    );
    isFaulty = false;
    await updateOften(store, 150);
    await waitUntilCompacted();
    await close();
    expect(disk.names).toHaveLength(2);
    expect(disk.names[1]).toMatch(/^snapshot-/);
    const reopened = await openStore(disk);
    expect(describeStore(reopened.store)).toBe(describeStore(store));
  });

  test('is stopped when the journal is closed', async () => {
    const disk = createDisk();
    const { store, close } = await openStore(disk, { minCompactionBytes });
    for (let number = 0; number < 3000; number++) writePod(store, `p${number}`, 1);
    await store.waitUntilSaved();
    await updateOften(store, 1);
    expect(disk.names).toContain('snapshot-00000002.tmp');
    await close();
    expect(disk.names).toStrictEqual(['journal-00000001', 'journal-00000002']);
    store.create(pods, { ...a, name: 'late' }, pod('late'));
    const refusal = await statusOfRejection(store.waitUntilSaved() as Promise<void>);
    expect(refusal.message).toBe('the write could not be saved: the API server is closed');
    const reopened = await openStore(disk);
    expect(describeStore(reopened.store)).toBe(describeStore(store));
  });
});

describe('a full disk', () => {
  const refuseWrites = (disk: Disk): void => disk.inject((operation) => (operation.startsWith('write') ? { writtenBytes: 20 } : undefined));

  test('refuses writes, serves reads, and takes writes again when there is space', async () => {
    const disk = createDisk();
    const { store } = await openStore(disk);
    writePod(store, 'a', 1);
    await store.waitUntilSaved();
    const content = describeStore(store);
    let free = 0;
    disk.inject((operation) => {
      if (!operation.startsWith('write')) return undefined;
      const writtenBytes = Math.min(free, 50);
      free -= writtenBytes;
      return { writtenBytes };
    });
    for (const space of [0, 10, 100]) {
      free = space;
      writePod(store, 'b', 1);
      expect(await statusOfRejection(store.waitUntilSaved() as Promise<void>)).toMatchObject({
        code: 500,
        message: 'the write could not be saved: /data: no space left on the device: free some space (ENOSPC)',
      });
      expect(describeStore(store)).toBe(content);
    }
    free = 10_000;
    writePod(store, 'b', 1);
    await store.waitUntilSaved();
    const reopened = await openStore(disk);
    expect(describeStore(reopened.store)).toBe(describeStore(store));
    expect(describeStore(store)).not.toBe(content);
  });

  test('refuses to open a new folder, with the reason', async () => {
    const disk = createDisk();
    disk.inject((operation) => (operation.startsWith('create') ? { error: createFileError('ENOSPC') } : undefined));
    await expect(openStore(disk)).rejects.toMatchObject({
      code: 'ERR_DATA',
      message: '/data cannot be used: no space left on the device: free some space (ENOSPC)',
    });
  });

  test('does not prevent that a folder is opened', async () => {
    const disk = createDisk();
    const { store, close } = await openStore(disk);
    writePod(store, 'a', 1);
    await store.waitUntilSaved();
    await close();
    refuseWrites(disk);
    const reopened = await openStore(disk);
    expect(describeStore(reopened.store)).toBe(describeStore(store));
  });
});
