import { describe, expect, test } from 'vitest';
import { drain, pod, pods } from '../store/support.ts';
import { createDisk, createFileError, type Disk } from './disk.ts';
import { describeStore, openStore, writePod } from './support.ts';

const journal = 'journal-00000001';

interface History {
  readonly disk: Disk;
  /** The content of the store after each batch, and the length of the journal then. */
  readonly states: readonly { readonly content: string; readonly length: number }[];
}

/** Saves some batches; the third consists of three writes. */
async function createHistory(): Promise<History> {
  const disk = createDisk();
  const { store, close } = await openStore(disk);
  const states = [{ content: describeStore(store), length: disk.content(journal).length }];
  for (const numbers of [[1], [2], [3, 4, 5], [6], [7]]) {
    for (const number of numbers) writePod(store, number % 2 === 0 ? 'a' : 'b', number);
    await store.waitUntilSaved();
    states.push({ content: describeStore(store), length: disk.content(journal).length });
  }
  await close();
  return { disk, states };
}

const reopen = async (disk: Pick<Disk, 'folder'>): Promise<string> => {
  const { store, close } = await openStore(disk);
  await close();
  return describeStore(store);
};

describe('a reopened folder', () => {
  test('has all objects and the revision, and continues', async () => {
    const { disk, states } = await createHistory();
    const { store, close } = await openStore(disk);
    expect(describeStore(store)).toBe(states.at(-1)?.content);
    expect(await drain(store.watch(pods, { resourceVersion: '6' }))).toStrictEqual(['MODIFIED a@7', 'ADDED b@8']);
    store.create(pods, { namespace: 'default', name: 'c' }, pod('c'));
    await store.waitUntilSaved();
    const content = describeStore(store);
    await close();
    expect(await reopen(disk)).toBe(content);
  });

  test('keeps text of all kinds', async () => {
    const disk = createDisk();
    const { store, close } = await openStore(disk);
    const texts = { 'a/b': 'line\nbreak \u2028 "quoted" \\ \0', emoji: '🙂', lone: '\ud800', ff: '\u00ff', __proto__: 1 };
    const created = store.create(pods, { namespace: 'default', name: 'é' }, { ...pod('é'), texts });
    await store.waitUntilSaved();
    await close();
    const reopened = await openStore(disk);
    expect(reopened.store.get(pods, { namespace: 'default', name: 'é' })).toStrictEqual(created);
  });

  test('keeps a compaction', async () => {
    const { disk } = await createHistory();
    const { store, close } = await openStore(disk);
    store.compact(7);
    await store.waitUntilSaved();
    await close();
    const reopened = await openStore(disk);
    expect(reopened.store.stats()).toMatchObject({ events: 1, compacted: 7 });
  });
});

describe('a journal that ends within a batch', () => {
  test('loses exactly that batch, whatever its length', async () => {
    const { disk, states } = await createHistory();
    const complete = disk.content(journal);
    for (let length = states[0]?.length as number; length <= complete.length; length++) {
      const cut = createDisk(new Map([[journal, Buffer.from(complete.subarray(0, length))]]));
      const expected = states.findLast((state) => state.length <= length);
      expect(await reopen(cut)).toBe(expected?.content);
      expect(cut.content(journal)).toHaveLength(expected?.length as number);
    }
  });

  test.each([
    ['zeros', () => 0],
    ['other bytes', (index: number) => (index * 37) % 256],
    ['the magic of frames', (index: number) => [0xff, 0x6b, 0x65, 0x70][index % 4] as number],
  ])('is cut off if it is followed by %s', async (_, byteAt) => {
    const { disk, states } = await createHistory();
    const complete = disk.content(journal);
    for (const tailLength of [1, 23, 24, 25, 5000]) {
      const tail = Buffer.from(Array.from({ length: tailLength }, (_each, index) => byteAt(index)));
      const damaged = createDisk(new Map([[journal, Buffer.concat([complete, tail])]]));
      expect(await reopen(damaged)).toBe(states.at(-1)?.content);
      expect(damaged.content(journal)).toHaveLength(complete.length);
    }
  });

  test('is cut off if the frames of a large batch reached the disk in another order', async () => {
    const disk = createDisk();
    const { store, close } = await openStore(disk);
    writePod(store, 'a', 1);
    await store.waitUntilSaved();
    const [content, { length }] = [describeStore(store), disk.content(journal)];
    for (const name of ['x', 'y', 'z']) store.create(pods, { namespace: 'default', name }, { ...pod(name), text: name.repeat(2 ** 20) });
    await store.waitUntilSaved();
    await close();
    const complete = disk.content(journal);
    expect(await reopen(createDisk(new Map([[journal, Buffer.from(complete)]])))).toContain('x@3 y@4 z@5');
    const withHole = Buffer.from(complete).fill(0, length + 2 ** 19, length + 2 ** 19 + 4096);
    expect(await reopen(createDisk(new Map([[journal, withHole]])))).toBe(content);
    const withoutLastFrame = Buffer.from(complete.subarray(0, length + 2 ** 21 + 2 ** 19));
    expect(await reopen(createDisk(new Map([[journal, withoutLastFrame]])))).toBe(content);
  });
});

describe('a damaged folder', () => {
  test('is refused for every changed byte before the last batch, with the file and the offset', async () => {
    const { disk, states } = await createHistory();
    const complete = disk.content(journal);
    const lastBatch = states.at(-2)?.length as number;
    for (let index = 0; index < complete.length; index++) {
      const changed = Buffer.from(complete);
      changed[index] = (changed[index] as number) ^ 0x40;
      const damaged = createDisk(new Map([[journal, changed]]));
      if (index >= lastBatch) {
        expect(await reopen(damaged)).toBe(states.at(-2)?.content);
        continue;
      }
      const batchStart = states.findLast(({ length }) => length <= index)?.length ?? 0;
      await expect(reopen(damaged)).rejects.toMatchObject({
        code: 'ERR_DATA',
        message: expect.stringContaining(`/data/${journal} is damaged at byte ${batchStart} (`) as string,
      });
    }
  });

  test('can be truncated as its error says', async () => {
    const { disk, states } = await createHistory();
    const changed = Buffer.from(disk.content(journal));
    const offset = states[3]?.length as number;
    changed[offset + 30] = 0;
    const damaged = createDisk(new Map([[journal, changed]]));
    await expect(reopen(damaged)).rejects.toThrow(
      `a complete write follows at byte ${states[4]?.length}): restore the folder from a backup. Or, to lose all writes from there on, remove ` +
        `the journals with a higher number and run "truncate --size=${offset} /data/${journal}"`,
    );
    expect(await reopen(createDisk(new Map([[journal, changed.subarray(0, offset)]])))).toBe(states[3]?.content);
  });

  test.each<[string, (files: Map<string, Buffer>) => void, RegExp]>([
    [
      'it has other files',
      (files) => void files.set('notes.txt', Buffer.alloc(0)).delete(journal),
      /contains notes\.txt.*: give a new or empty folder$/,
    ],
    [
      'a newer release wrote it',
      (files) => void files.set(journal, Buffer.from('kube-endpoints journal 2\n')),
      /^\/data\/journal-00000001 was written by a newer release: use that release, or another folder$/,
    ],
    ['the first line is missing', (files) => void files.set(journal, Buffer.alloc(0)), /journal-00000001 is damaged at byte 0 /],
    [
      'a journal is missing',
      (files) => void files.set('journal-00000003', files.get(journal) as Buffer),
      /^\/data\/journal-00000002 is missing: restore/,
    ],
    [
      'all journals are missing',
      (files) => void files.set('snapshot-00000004', Buffer.alloc(0)).delete(journal),
      /journal-00000004 is missing/,
    ],
    [
      'a snapshot is empty',
      (files) => void files.set('snapshot-00000001', Buffer.from('kube-endpoints snapshot 1\n')),
      /^\/data\/snapshot-00000001 is incomplete at byte 26: restore the folder from a backup$/,
    ],
    [
      'a later journal does not continue the revisions',
      (files) => void files.set('journal-00000002', files.get(journal) as Buffer),
      /journal-00000002 is damaged at byte 25 \(expected revision 9, not 2\)/,
    ],
  ])('is refused if %s', async (_, change, message) => {
    const { disk } = await createHistory();
    const files = new Map([[journal, disk.content(journal)]]);
    change(files);
    await expect(reopen(createDisk(files))).rejects.toThrow(message);
  });

  test('is refused if a journal before one with writes is incomplete', async () => {
    const disk = createDisk();
    disk.inject((operation) => (operation.startsWith('create snapshot') ? { error: createFileError('EIO') } : undefined));
    const { store, close } = await openStore(disk, { minCompactionBytes: 500 });
    for (let number = 1; number < 9; number++) {
      writePod(store, 'a', number);
      await store.waitUntilSaved();
    }
    await close();
    expect(disk.names.slice(0, 2)).toStrictEqual([journal, 'journal-00000002']);
    const files = new Map(disk.names.map((name) => [name, disk.content(name)]));
    expect(await reopen(createDisk(files))).toBe(describeStore(store));
    files.set(journal, disk.content(journal).subarray(0, -1));
    await expect(reopen(createDisk(files))).rejects.toThrow(/journal-00000001 is damaged at byte \d+ \(an incomplete write, but later/);
  });

  test('is not refused if an incomplete journal is followed by an empty one', async () => {
    const { disk, states } = await createHistory();
    const files = new Map([
      [journal, disk.content(journal).subarray(0, -1)],
      ['journal-00000002', Buffer.from('kube-endpoints journal 1\n')],
    ]);
    expect(await reopen(createDisk(files))).toBe(states.at(-2)?.content);
  });

  test('is not refused for hidden files, credentials and locks', async () => {
    const disk = createDisk(
      new Map(['.keep', 'lost+found', 'credentials.json', 'lock-0011223344556677'].map((name) => [name, Buffer.alloc(0)])),
    );
    expect(await reopen(disk)).toBe('1: ');
  });
});
