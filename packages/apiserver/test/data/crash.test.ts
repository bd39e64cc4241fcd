import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { sampledRunCount } from '../../../../test/support/sample.ts';
import { openFolder } from '../../src/data/index.ts';
import { createStore } from '../../src/store/index.ts';
import { createDisk, createFileError, type Disk, type Fault, type Loss } from './disk.ts';
import { describeStore, type OpenStore, openStore, writePod } from './support.ts';

/** Small, so that snapshots are written often. */
const minCompactionBytes = 600;
const losses: readonly Loss[] = ['none', 'all', 'names', 'zeros'];

interface Run {
  /** The content after the last acknowledged write. */
  acknowledged: string;
  /** The content with each later write that was refused or not answered. */
  unacknowledged: string[];
}

/** Writes until the disk crashes. */
async function runWorkload(disk: Disk, writes: number): Promise<{ readonly run: Run; readonly finished: Promise<void> }> {
  const run: Run = { acknowledged: '1: ', unacknowledged: [] };
  const work = async (): Promise<void> => {
    const { store, close, waitUntilCompacted } = await openStore(disk, { minCompactionBytes });
    for (let number = 1; number <= writes; number++) {
      const name = ['a', 'b', 'c'][number % 3] as string;
      writePod(store, name, number);
      // Two writes of the same synchronous steps.
      if (number % 4 === 0) writePod(store, 'd', number);
      run.unacknowledged.push(describeHead(store));
      try {
        await store.waitUntilSaved();
        run.acknowledged = describeStore(store);
        run.unacknowledged = [];
      } catch {
        // Refused: the content is the one before.
        expect(describeStore(store)).toBe(run.acknowledged);
      }
    }
    await waitUntilCompacted();
    await close();
  };
  const finished = work();
  finished.catch(() => undefined);
  return { run, finished };
}

/** The content including writes that are not saved. */
const describeHead = (store: OpenStore['store']): string => store.transaction(() => describeStore(store));

/** Resolves when no operation of the disk follows any more. */
async function waitUntilIdle(disk: Disk): Promise<void> {
  for (let count = -1; count !== disk.operationCount; ) {
    count = disk.operationCount;
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Checks that the folder after a crash has all acknowledged writes, and a write that was not acknowledged completely or not at all. */
async function expectRecovery(disk: Disk, loss: Loss, { acknowledged, unacknowledged }: Run, hint: string): Promise<void> {
  const recoveredDisk = disk.afterCrash(loss);
  const { store, close } = await openStore(recoveredDisk, { minCompactionBytes });
  const content = describeStore(store);
  expect([acknowledged, ...unacknowledged], `${hint}, loss ${loss}`).toContain(content);
  writePod(store, 'z', 1);
  await store.waitUntilSaved();
  const next = describeStore(store);
  await close();
  const again = await openStore(recoveredDisk);
  await again.close();
  expect(describeStore(again.store)).toBe(next);
}

describe('a crash', () => {
  test('at any file operation loses no acknowledged write and leaves no part of another', async () => {
    const complete = createDisk();
    const { finished } = await runWorkload(complete, 24);
    await finished;
    expect(complete.names).toContainEqual(expect.stringMatching(/^snapshot-/));
    for (let crashAt = 1; crashAt <= complete.operationCount; crashAt++) {
      for (const progress of [0, 1]) {
        const disk = createDisk();
        let crashed = '';
        disk.inject((operation, index) => {
          if (index !== crashAt) return undefined;
          crashed = operation;
          return { crash: progress };
        });
        const { run } = await runWorkload(disk, 24);
        await waitUntilIdle(disk);
        for (const loss of losses) await expectRecovery(disk, loss, run, `operation ${crashAt} (${crashed}), progress ${progress}`);
      }
    }
  });

  test('at any byte of any write loses no acknowledged write and leaves no part of another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 120 }), fc.nat({ max: 700 }), fc.constantFrom(...losses), async (crashAt, bytes, loss) => {
        const disk = createDisk();
        disk.inject((operation, index) => (index >= crashAt && operation.startsWith('write') ? { crash: bytes } : undefined));
        const { run } = await runWorkload(disk, 24);
        await waitUntilIdle(disk);
        await expectRecovery(disk, loss, run, `write from operation ${crashAt} on, ${bytes} bytes`);
      }),
      { numRuns: sampledRunCount(3000) },
    );
  });
});

const faults = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fault | undefined>(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({ error: fc.constantFrom('ENOSPC', 'EIO', 'EDQUOT').map(createFileError), hasEffect: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.nat({ max: 300 }).map((writtenBytes): Fault => ({ writtenBytes })) },
);

describe('failing file operations', () => {
  test('refuse writes without effect, and a crash among them loses no acknowledged write', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(faults, { minLength: 1, maxLength: 40 }),
        fc.nat({ max: 200 }),
        fc.constantFrom(...losses),
        async (sequence, crashAt, loss) => {
          const disk = createDisk();
          disk.inject((operation, index) => {
            if (index === crashAt) return { crash: 0 };
            const fault = sequence[index % sequence.length];
            if (fault && 'writtenBytes' in fault && !operation.startsWith('write')) return undefined;
            // The first journal must be created, or nothing can be tested.
            return index > 12 ? fault : undefined;
          });
          const { run } = await runWorkload(disk, 24);
          await waitUntilIdle(disk);
          await expectRecovery(disk, loss, run, 'faults');
        },
      ),
      { numRuns: sampledRunCount(3000) },
    );
  });

  test.each<[string, Fault, boolean, Loss]>([
    ['its bytes cannot be removed at first', { error: createFileError('EIO') }, true, 'none'],
    ['its bytes are on the disk', { error: createFileError('EIO'), hasEffect: true }, false, 'all'],
  ])('a refused write does not appear in a later journal if %s', async (_, syncFault, failsToTruncate, loss) => {
    const disk = createDisk();
    const { journal } = await openFolder(disk.folder, { minCompactionBytes });
    const store = createStore({ journal });
    for (let number = 1; disk.totalBytes() < minCompactionBytes; number++) {
      writePod(store, 'a', number);
      await store.waitUntilSaved();
    }
    disk.inject((operation) => {
      if (operation.startsWith('sync')) return syncFault;
      return failsToTruncate && operation.startsWith('truncate') ? { error: createFileError('EIO') } : undefined;
    });
    writePod(store, 'b', 1);
    await expect(store.waitUntilSaved()).rejects.toThrow('the device reports an error: check the disk (EIO)');
    disk.inject(() => undefined);
    journal.attach(() => store.capture());
    writePod(store, 'c', 1);
    await store.waitUntilSaved();
    expect(disk.names).toContain('journal-00000002');
    const { store: recovered } = await openStore(disk.afterCrash(loss));
    expect(describeStore(recovered)).toBe(describeStore(store));
  });
});
