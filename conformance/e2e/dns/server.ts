import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `kubectl-endpoints dns` in its own process. */
export interface DnsProcess extends AsyncDisposable {
  readonly port: number;
  /** Returns the process's resident memory in MiB; undefined if the system does not report it. */
  memory(): number | undefined;
  /** Stops the process and returns its exit code. */
  stop(): Promise<number | null>;
}

const CLI_PATH = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'src', 'bin.ts');

/** @param args arguments besides --port: the server listens on any free port */
export async function serveDns(...args: readonly string[]): Promise<DnsProcess> {
  const child = spawn(process.execPath, ['--no-warnings', CLI_PATH, 'dns', '--port', '0', '--log-level', 'error', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const match = /, port (\d+) \(UDP and TCP\)/.exec(text);
      if (match) resolve(Number(match[1]));
    });
    void exited.then((code) => reject(new Error(`kubectl-endpoints dns ended with ${code}: ${errors}`)));
  });
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return exited;
  };
  return {
    port,
    memory: () => memoryOf(child.pid),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}

function memoryOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
