import { createSocket } from 'node:dgram';
import { connect, createServer, type Socket } from 'node:net';
import type { AgentAnswer, AgentRequest, Dialled } from './agents.ts';

/**
 * A process in a network namespace: it dials where it is told to and, on the ports given, answers whoever asks with its name, the port and
 * the address that it saw asking. Usage: agent.ts NAME [PORT...]
 */
const [name = '', ...ports] = process.argv.slice(2);
const held = new Map<string, Socket>();

const actions: { readonly [A in AgentRequest['action']]: (request: AgentRequest) => Promise<Dialled> } = {
  dial: async (request) => {
    const socket = connect({ host: request.to, port: request.port, ...(request.from !== undefined && { localAddress: request.from }) });
    const answer = await ask(socket, request.patience);
    socket.destroy();
    return answer;
  },
  hold: async (request) => {
    const socket = connect({ host: request.to, port: request.port });
    held.set(request.key, socket);
    return await ask(socket, request.patience);
  },
  again: async (request) => {
    const socket = held.get(request.key);
    return socket === undefined ? { failed: 'NOTHING_HELD' } : await ask(socket, request.patience);
  },
  datagram: (request) => askByDatagram(request),
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

/** Asks over a connection, which may still be on its way, and waits for the line that comes back. */
async function ask(socket: Socket, patience: number): Promise<Dialled> {
  const ignore = (): void => undefined;
  const dialled = await firstOf(patience, (finish) => {
    socket.once('data', (data) => finish(answered(data.toString())));
    socket.once('error', (error: NodeJS.ErrnoException) => finish({ failed: error.code ?? error.message }));
    socket.once('close', () => finish({ failed: 'CLOSED' }));
    socket.write('who?\n');
  });
  for (const event of ['data', 'error', 'close']) socket.removeAllListeners(event);
  socket.on('error', ignore);
  return dialled;
}

async function askByDatagram({ to, port, patience }: AgentRequest): Promise<Dialled> {
  const socket = createSocket(to.includes(':') ? 'udp6' : 'udp4');
  const dialled = await firstOf(patience, (finish) => {
    socket.on('message', (data) => finish(answered(data.toString())));
    socket.on('error', (error: NodeJS.ErrnoException) => finish({ failed: error.code ?? error.message }));
    // Connected, so that an ICMP error comes back as an error of the socket.
    socket.connect(port, to, () => socket.send('who?'));
  });
  socket.close();
  return dialled;
}

/** The first outcome there is. What has come in while this process could not run is heard before it gives up. */
function firstOf(patience: number, begin: (finish: (dialled: Dialled) => void) => void): Promise<Dialled> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(() => resolve({ failed: 'TIMEOUT' })), patience);
    begin((dialled) => {
      clearTimeout(timer);
      resolve(dialled);
    });
  });
}

function answered(line: string): Dialled {
  const [pod = '', port, source = ''] = line.trim().split(' ');
  return { pod, port: Number(port), source };
}
