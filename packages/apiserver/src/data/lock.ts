import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DataError, describeFileError } from './errors.ts';
import { lockPrefix } from './file-names.ts';

export interface FolderLock {
  release(): Promise<void>;
}

/** Attempts, and milliseconds between them: another process may be about to stop, or may have started at the same time. */
const maxAttempts = 10;
const retryMs = 100;
/** Milliseconds until the owner of a lock must say its process id. */
const answerMs = 500;

/**
 * Locks a folder for this process, by a Unix socket in the folder on which it listens. The kernel closes the socket when the process ends,
 * even if it is killed, so a lock never remains. It works across containers that share the folder, but not across machines.
 *
 * Each process creates a socket of its own, and then tries to connect to those of all others. Therefore of two processes that start
 * at the same time, at least one sees the other.
 * @throws DataError if another process has the lock, or the folder cannot be written
 */
export async function lockFolder(path: string): Promise<FolderLock> {
  for (let attempt = 1; ; attempt++) {
    const lock = await tryLock(path);
    if ('release' in lock) return lock;
    if (attempt === maxAttempts) {
      throw new DataError(`${path} is in use by ${lock.owner}: stop it, or give another folder`);
    }
    await setTimeout(retryMs / 2 + Math.random() * retryMs);
  }
}

interface Owner {
  /** Such as "process 123". */
  readonly owner: string;
}

async function tryLock(path: string): Promise<FolderLock | Owner> {
  const name = lockPrefix + randomBytes(8).toString('hex');
  const handle = await open(path, 'r');
  const address = (socketName: string): string => addressOf(path, handle, socketName);
  let server: Server;
  try {
    server = await listen(address(name));
  } catch (error) {
    await handle.close();
    throw new DataError(`${path} cannot be locked by a socket: ${describeFileError(error)}`, { cause: error });
  }
  const release = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await handle.close();
  };
  try {
    const owner = await findOwner(path, name, address);
    if (owner === undefined) return { release };
    await release();
    return { owner };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Returns the other process that has the lock or tries to get it, if any. Removes the sockets of processes that have ended. */
async function findOwner(path: string, ownName: string, address: (name: string) => string): Promise<string | undefined> {
  const names = (await readdir(path)).filter((name) => name.startsWith(lockPrefix));
  // Another process may have taken the socket for that of a process that has ended.
  if (!names.includes(ownName)) return 'another process';
  for (const name of names) {
    if (name === ownName) continue;
    const owner = await askOwner(address(name));
    if (owner !== undefined) return owner;
    await rm(join(path, name), { force: true });
  }
  return undefined;
}

/** The address of a socket in the folder. On Linux, a short path by the descriptor of the folder, because addresses are limited to 107 bytes. */
const addressOf = (path: string, handle: FileHandle, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : join(path, name);

/** Listens on a Unix socket, without keeping the process alive. Every connection gets the process id. */
const listen = (address: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(String(process.pid));
    });
    server.once('error', reject);
    server.listen(address, () => resolve(server.unref()));
  });

/** Connects to a socket. @returns the process that listens, or undefined if none does */
const askOwner = (address: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(address);
    const finish = (owner: string | undefined): void => {
      socket.destroy();
      resolve(owner);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(answerMs, () => finish('another process'));
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('end', () => finish(/^\d+$/.test(answer) ? `process ${answer}` : 'another process'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      finish(code === 'ECONNREFUSED' || code === 'ENOENT' ? undefined : 'another process'),
    );
  });
