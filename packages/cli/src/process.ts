import { fstatSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import type { Files, IO, Output } from './base/io.ts';
import { maxInputBytes } from './input/sources.ts';
import { main } from './main.ts';

/** Runs the command line of this process and resolves to its exit code. */
export const runProcess = (untilStopped: IO['untilStopped']): Promise<number> =>
  main(process.argv.slice(2), {
    // Read on access: creating the stream takes milliseconds, and few commands read it.
    get stdin() {
      return process.stdin;
    },
    isStdinPiped: isStdinPiped(),
    stdout: createOutput(() => process.stdout),
    stderr: createOutput(() => process.stderr),
    env: process.env,
    files,
    version: manifest.version,
    untilStopped,
    onHangup,
  });

function isStdinPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || (stats.isFile() && stats.size > 0);
  } catch {
    // Standard input is closed.
    return false;
  }
}

/**
 * Wraps an output stream of the process, and creates it at first use, which takes milliseconds. If the reader closes the pipe early, as
 * `head` does, drops further output without an error.
 */
function createOutput(open: () => NodeJS.WriteStream): Output {
  let opened: NodeJS.WriteStream | undefined;
  const getStream = (): NodeJS.WriteStream => {
    opened ??= open().on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    return opened;
  };
  return {
    write: (text) => {
      if (getStream().writable) getStream().write(text);
    },
    get isTTY() {
      return getStream().isTTY === true;
    },
    get columns() {
      return getStream().columns;
    },
    get writableNeedDrain() {
      return getStream().writableNeedDrain;
    },
  };
}

/** Imported on demand, because the module takes milliseconds to load, and some commands read no file. */
const promises = (): Promise<typeof import('node:fs/promises')> => import('node:fs/promises');

const files: Files = {
  readFile: readFileInChunks,
  modifiedAt: async (path) => (await (await promises()).stat(path)).mtimeMs,
  async readDir(path) {
    const { readdir, stat } = await promises();
    if (!(await stat(path)).isDirectory()) return undefined;
    const entries = await readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
};

const minChunkBytes = 64 * 1024;

/** Reads a file in one chunk if it is not larger than all input may be, so that no copy joins chunks. */
async function* readFileInChunks(path: string): AsyncGenerator<Uint8Array> {
  const { open } = await promises();
  const file = await open(path);
  try {
    let remainingBytes = Math.min((await file.stat()).size, maxInputBytes);
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(Math.max(remainingBytes, minChunkBytes)));
      if (bytesRead === 0) return;
      remainingBytes -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const onHangup = (callback: () => void): (() => void) => {
  process.on('SIGHUP', callback);
  return () => void process.off('SIGHUP', callback);
};
