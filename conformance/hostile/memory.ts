import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { ServerProcess } from './server-process.ts';

/** Memory in bytes that each of many watches or pods takes. */
export interface MemoryPerItem {
  readonly heap: number;
  readonly resident: number;
}

/** Opens watches of ConfigMaps over HTTP/2, and waits until a change has reached each of them. */
export async function measureWatches(server: ServerProcess, count: number): Promise<MemoryPerItem & { readonly fanOutMs: number }> {
  const sessions: ClientHttp2Session[] = [];
  const authorization = `Bearer ${server.token}`;
  const path = '/api/v1/namespaces/default/configmaps';
  try {
    const before = await server.measureMemory();
    const received: Promise<unknown>[] = [];
    for (let i = 0; i < count; i++) {
      if (i % watchesPerConnection === 0) sessions.push(connect(`https://127.0.0.1:${server.port}`, { ca: server.ca }));
      const watch = (sessions.at(-1) as ClientHttp2Session).request({ ':path': `${path}?watch=1&resourceVersion=0`, authorization });
      received.push(once(watch, 'data'));
      await once(watch, 'response');
    }
    const after = await server.measureMemory();
    const start = performance.now();
    const write = (sessions[0] as ClientHttp2Session).request(
      { ':path': path, ':method': 'POST', authorization, 'content-type': 'application/json' },
      { endStream: false },
    );
    write.end(JSON.stringify({ metadata: { name: 'seen' } }));
    await Promise.all(received);
    const fanOutMs = performance.now() - start;
    return { heap: (after.heap - before.heap) / count, resident: (after.resident - before.resident) / count, fanOutMs };
  } finally {
    for (const session of sessions) session.destroy();
  }
}

/** Fewer than the limit of the server, as a client with a connection for each group of controllers. */
const watchesPerConnection = 100;

export async function measurePods(server: ServerProcess, count: number): Promise<MemoryPerItem & { readonly total: number }> {
  const before = await server.measureMemory();
  const after = await server.createPods(count);
  return {
    heap: (after.heap - before.heap) / count,
    resident: (after.resident - before.resident) / count,
    total: after.resident,
  };
}
