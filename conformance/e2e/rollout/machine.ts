import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareBinaries } from '../apiserver/target/real.ts';
import { commandInNewNetwork } from '../proxy/probe.ts';
import type { Trial, TrialOptions } from './trial.ts';

export interface MachineRequest {
  readonly id: number;
  readonly options: TrialOptions;
}

/** The answer to a request, or, with the id 0, that the cluster is ready. */
export interface MachineAnswer {
  readonly id: number;
  readonly trial?: Trial;
  readonly error?: string;
}

/** A real cluster in namespaces of its own. */
export interface Machine {
  /** @throws Error if a part fails */
  run(options: TrialOptions): Promise<Trial>;
  stop(): Promise<void>;
}

/**
 * Starts a cluster in a process of its own, so that simulations do not delay it. Everything ends with this process.
 * @throws Error if it does not become ready
 */
export async function startMachine(release: string): Promise<Machine> {
  // In its namespaces, nothing can be downloaded.
  await prepareBinaries(release);
  const folder = mkdtempSync(join(tmpdir(), 'kube-endpoints-rollout-'));
  const program = fileURLToPath(new URL('./inside.ts', import.meta.url));
  const [command, ...words] = commandInNewNetwork([process.execPath, ...process.execArgv, program, release]);
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, TMPDIR: folder } });
  const waiting = new Map<number, PromiseWithResolvers<Trial | undefined>>([[0, Promise.withResolvers()]]);
  child.on('message', ({ id, trial, error }: MachineAnswer) => {
    if (error === undefined) waiting.get(id)?.resolve(trial);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  const exited = once(child, 'exit').then(([code]) => {
    rmSync(folder, { recursive: true, force: true });
    for (const { reject } of waiting.values()) reject(new Error(`the cluster ended with ${code}`));
  });
  const onSignal = (): void => void child.kill('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  await waiting.get(0)?.promise;
  let lastId = 0;
  return {
    async run(options) {
      lastId += 1;
      const answer = Promise.withResolvers<Trial | undefined>();
      waiting.set(lastId, answer);
      child.send({ id: lastId, options } satisfies MachineRequest);
      return (await answer.promise) as Trial;
    },
    async stop() {
      child.disconnect();
      await exited;
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
    },
  };
}
