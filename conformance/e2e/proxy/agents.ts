import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { commandInNamespace } from './namespaces.ts';

/** The result of one try: the answering pod, its port and the client address that it saw, or why there was no answer. */
export type DialResult =
  | { readonly pod: string; readonly port: number; readonly source: string; readonly failed?: never }
  | { readonly failed: string; readonly pod?: never };

export interface AgentRequest {
  readonly id: number;
  /** Connect and close; connect and keep the connection under `key`; use the kept connection; send UDP. */
  readonly action: 'dial' | 'hold' | 'reuse' | 'datagram';
  readonly to: string;
  readonly port: number;
  readonly from?: string;
  readonly key: string;
  /** Number of concurrent tries. */
  readonly times: number;
  /** Milliseconds without a reply that count as no answer. */
  readonly timeoutMs: number;
}

export interface AgentAnswer {
  readonly id: number;
  readonly answers: readonly DialResult[];
}

/** A process in a namespace. */
export interface Agent {
  readonly name: string;
  send(request: Partial<AgentRequest>): Promise<readonly DialResult[]>;
}

/** Starts an agent in the namespace of its name, listening on the ports. It exits with this process. */
export async function startAgent(name: string, ports: readonly number[]): Promise<Agent> {
  const program = join(import.meta.dirname, `agent${extname(import.meta.filename)}`);
  const [command, ...words] = commandInNamespace(name, [process.execPath, program, name, ...ports.map(String)]);
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const pendingRequests = new Map<number, PromiseWithResolvers<readonly DialResult[]>>([[0, Promise.withResolvers()]]);
  child.on('message', ({ id, answers }: AgentAnswer) => {
    pendingRequests.get(id)?.resolve(answers);
    pendingRequests.delete(id);
  });
  void once(child, 'exit').then(([code]) => {
    const error = new Error(`the process in the namespace ${name} ended with ${code}`);
    for (const { reject } of pendingRequests.values()) reject(error);
  });
  await pendingRequests.get(0)?.promise;
  let lastId = 0;
  return {
    name,
    async send(request) {
      lastId++;
      const answers = Promise.withResolvers<readonly DialResult[]>();
      pendingRequests.set(lastId, answers);
      child.send({ action: 'dial', to: '', port: 0, key: '', times: 1, timeoutMs: 30_000, ...request, id: lastId } satisfies AgentRequest);
      return await answers.promise;
    },
  };
}
