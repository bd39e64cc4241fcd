import { createSocket } from 'node:dgram';
import { connect, createServer, type Socket } from 'node:net';
import type { AgentAnswer, AgentRequest, DialResult } from './agents.ts';

/**
 * A process in a network namespace. It connects on request. On its ports, it replies with its name, the port and the client address.
 * Usage: agent.ts NAME [PORT...]
 */
const [name = '', ...ports] = process.argv.slice(2);
const connections = new Map<string, Socket>();

const actions: { readonly [A in AgentRequest['action']]: (request: AgentRequest) => Promise<DialResult> } = {
  dial: async (request) => {
    const socket = connect({ host: request.to, port: request.port, ...(request.from !== undefined && { localAddress: request.from }) });
    const answer = await exchange(socket, request.timeoutMs);
    socket.destroy();
    return answer;
  },
  hold: async (request) => {
    const socket = connect({ host: request.to, port: request.port });
    connections.set(request.key, socket);
    return await exchange(socket, request.timeoutMs);
  },
  reuse: async (request) => {
    const socket = connections.get(request.key);
    return socket === undefined ? { failed: 'NOTHING_HELD' } : await exchange(socket, request.timeoutMs);
  },
  datagram: (request) => exchangeDatagram(request),
};

await Promise.all(ports.map((port) => listen(Number(port))));
process.on('message', async (request: AgentRequest) => {
  const answers = await Promise.all(Array.from({ length: request.times }, () => actions[request.action](request)));
  process.send?.({ id: request.id, answers } satisfies AgentAnswer);
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, answers: [] } satisfies AgentAnswer);

async function listen(port: number): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write(`${answerTo(socket.remoteAddress ?? '', port)}\n`));
  });
  const datagrams = createSocket('udp6');
  datagrams.on('message', (_, { address, port: from }) => datagrams.send(answerTo(address, port), from, address));
  await Promise.all([
    new Promise<void>((resolve) => server.listen(port, '::', resolve)),
    new Promise<void>((resolve) => datagrams.bind(port, '::', resolve)),
  ]);
}

function answerTo(address: string, port: number): string {
  return `${name} ${port} ${address.replace(/^::ffff:/, '')}`;
}

/** Sends a request over a connection, which may still be opening, and waits for the reply line. */
async function exchange(socket: Socket, timeoutMs: number): Promise<DialResult> {
  const ignore = (): void => undefined;
  const result = await firstOf(timeoutMs, (finish) => {
    socket.once('data', (data) => finish(parseAnswer(data.toString())));
    socket.once('error', (error: NodeJS.ErrnoException) => finish({ failed: error.code ?? error.message }));
    socket.once('close', () => finish({ failed: 'CLOSED' }));
    socket.write('who?\n');
  });
  for (const event of ['data', 'error', 'close']) socket.removeAllListeners(event);
  socket.on('error', ignore);
  return result;
}

async function exchangeDatagram({ to, port, timeoutMs }: AgentRequest): Promise<DialResult> {
  const socket = createSocket(to.includes(':') ? 'udp6' : 'udp4');
  const result = await firstOf(timeoutMs, (finish) => {
    socket.on('message', (data) => finish(parseAnswer(data.toString())));
    socket.on('error', (error: NodeJS.ErrnoException) => finish({ failed: error.code ?? error.message }));
    // Connects, so that an ICMP error becomes an error of the socket.
    socket.connect(port, to, () => socket.send('who?'));
  });
  socket.close();
  return result;
}

/** Resolves to the first outcome. The timeout lets the event loop first process events that arrived while this process could not run. */
function firstOf(timeoutMs: number, begin: (finish: (result: DialResult) => void) => void): Promise<DialResult> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(() => resolve({ failed: 'TIMEOUT' })), timeoutMs);
    begin((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}

function parseAnswer(line: string): DialResult {
  const [pod = '', port, source = ''] = line.trim().split(' ');
  return { pod, port: Number(port), source };
}
