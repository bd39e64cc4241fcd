import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { BalancedNode } from 'kube-endpoints/load-balancer';

/** A process that serves the node ports of one node. */
export interface TrafficNode {
  readonly name: string;
  readonly node: BalancedNode;
  /** Lets the process serve until it has no connections. Returns the number of requests that it has served. */
  drain(): Promise<number>;
  /** Kills the process immediately. */
  kill(): Promise<void>;
}

export const nodePorts: { readonly http: number; readonly frames: number } = { http: 30_480, frames: 30_481 };

export async function startNode(name: string, address: string): Promise<TrafficNode> {
  const program = new URL('./traffic-backend.ts', import.meta.url);
  const child = fork(program, [name, address, String(nodePorts.http), String(nodePorts.frames)]);
  await nextMessage(child);
  return {
    name,
    node: { metadata: { name }, status: { addresses: [{ type: 'InternalIP', address }] } },
    async drain() {
      const exit = once(child, 'exit');
      const served = nextMessage(child);
      child.send('drain');
      const answer = (await served) as { readonly served: number };
      await exit;
      return answer.served;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Resolves to the next message of the process. @throws Error if the process exits instead */
function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a node ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (content) => {
      child.off('exit', onExit);
      resolve(content);
    });
  });
}
