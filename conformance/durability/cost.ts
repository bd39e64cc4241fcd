import { join } from 'node:path';
import { table } from '../bench/measure.ts';
import { type Access, createClient, readAccess } from './client.ts';
import { startServer } from './server.ts';

const path = '/api/v1/namespaces/default/configmaps';
const rounds = 3;

interface Figures {
  readonly writesPerSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Measures writes over HTTPS with and without `--data`, in turn, and returns a table with the best round of each. */
export async function measureCost(folder: string, port: number, writes: number): Promise<string> {
  const rows: string[][] = [];
  for (const clients of [1, 16]) {
    const best = new Map<string, Figures>();
    for (let round = 0; round < rounds; round++) {
      for (const [mode, flags] of [
        ['in memory', []],
        ['with --data', ['--data', join(folder, `cost-${clients}-${round}`)]],
      ] as const) {
        const figures = await measure(folder, port, flags, clients, clients === 1 ? writes / 4 : writes);
        if (figures.writesPerSecond > (best.get(mode)?.writesPerSecond ?? 0)) best.set(mode, figures);
      }
    }
    for (const [mode, { writesPerSecond, p50, p99 }] of best) {
      rows.push([
        `${clients} client${clients > 1 ? 's' : ''}, ${mode}`,
        `${Math.round(writesPerSecond)} writes/s`,
        `${p50.toFixed(2)} ms`,
        `${p99.toFixed(2)} ms`,
      ]);
    }
  }
  return table(['creates and patches of ConfigMaps over HTTPS', 'speed', 'p50', 'p99'], rows);
}

async function measure(folder: string, port: number, flags: readonly string[], clients: number, writes: number): Promise<Figures> {
  const kubeconfig = join(folder, 'kubeconfig-cost');
  const server = startServer('--port', String(port), '--kubeconfig-out', kubeconfig, ...flags);
  try {
    await server.ready;
    const access = readAccess(kubeconfig);
    // The first requests are slow, because the server loads modules and its code is not optimized.
    await write(access, clients, writes / 4, 'warm-up');
    const begin = performance.now();
    const times = (await write(access, clients, writes, 'm')).sort((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(times.length * share)] as number;
    return { writesPerSecond: (times.length / (performance.now() - begin)) * 1000, p50: at(0.5), p99: at(0.99) };
  } finally {
    await server.kill();
  }
}

/** @returns the time of each write in milliseconds */
async function write(access: Access, clients: number, writes: number, prefix: string): Promise<number[]> {
  const times: number[] = [];
  let count = 0;
  const run = async (): Promise<void> => {
    const client = createClient(access);
    for (let number = count++; number < writes; number = count++) {
      const name = `${prefix}-${number >> 1}`;
      const begin = performance.now();
      const { code } =
        number % 2 === 0
          ? await client.send({ method: 'POST', path, body: { metadata: { name }, data: { value: 'first', padding: 'x'.repeat(500) } } })
          : await client.send({
              method: 'PATCH',
              path: `${path}/${prefix}-0`,
              body: { data: { value: String(number) } },
              contentType: 'application/merge-patch+json',
            });
      times.push(performance.now() - begin);
      if (code >= 300) throw new Error(`a write has code ${code}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: clients }, run));
  return times;
}
