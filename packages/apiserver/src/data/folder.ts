import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** An open file. Every method may reject with the error of node:fs. */
export interface DataFile {
  /** Reads up to `length` bytes; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** Resolves to the number of bytes written, which may be less than all. */
  write(bytes: Buffer, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Resolves when the content is on the disk. */
  sync(): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** The files of a folder; all I/O of the saved state goes through it, except for the lock. */
export interface DataFolder {
  readonly path: string;
  list(): Promise<readonly string[]>;
  /** Opens an existing file. */
  open(name: string): Promise<DataFile>;
  /** Creates a file that only its owner can read, or empties an existing one. */
  create(name: string): Promise<DataFile>;
  rename(from: string, to: string): Promise<void>;
  /** No error if the file does not exist. */
  remove(name: string): Promise<void>;
  /** Resolves when creations, renames and removals are on the disk. */
  sync(): Promise<void>;
}

export function createDataFolder(path: string): DataFolder {
  return {
    path,
    list: () => readdir(path),
    open: (name) => openFile(join(path, name), 'r+'),
    create: (name) => openFile(join(path, name), 'w+'),
    rename: (from, to) => rename(join(path, from), join(path, to)),
    remove: (name) => rm(join(path, name), { force: true }),
    async sync() {
      const folder = await open(path, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
  };
}

async function openFile(path: string, flags: 'r+' | 'w+'): Promise<DataFile> {
  const file = await open(path, flags, 0o600);
  return {
    async read(position, length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let count = 0; count < length; ) {
        const { bytesRead } = await file.read(bytes, count, length - count, position + count);
        if (bytesRead === 0) return bytes.subarray(0, count);
        count += bytesRead;
      }
      return bytes;
    },
    write: async (bytes, position) => (await file.write(bytes, 0, bytes.length, position)).bytesWritten,
    truncate: (length) => file.truncate(length),
    sync: () => file.datasync(),
    size: async () => (await file.stat()).size,
    close: () => file.close(),
  };
}

/** Writes all bytes. @throws the error of node:fs; an error with code ENOSPC if a write makes no progress */
export async function writeAll(file: DataFile, bytes: Buffer, position: number): Promise<void> {
  for (let count = 0; count < bytes.length; ) {
    const written = await file.write(count === 0 ? bytes : bytes.subarray(count), position + count);
    if (written === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    count += written;
  }
}

/**
 * Replaces a file atomically: after a crash it has either its old or its new content.
 * @param write writes the content; resolves to the number of bytes
 */
export async function replaceFile(folder: DataFolder, name: string, write: (file: DataFile) => Promise<number>): Promise<number> {
  const temporaryName = `${name}${temporarySuffix}`;
  let size: number;
  try {
    const file = await folder.create(temporaryName);
    try {
      size = await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await folder.rename(temporaryName, name);
  } catch (error) {
    await folder.remove(temporaryName).catch(() => undefined);
    throw error;
  }
  await folder.sync();
  return size;
}

/** The end of the names of incomplete files, which a restart removes. */
export const temporarySuffix = '.tmp';
