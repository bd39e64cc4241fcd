import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { frame, invert, readFrames } from './traffic-load.ts';

/**
 * Usage: forked with the arguments NAME ADDRESS HTTP_PORT FRAME_PORT. Serves the node ports of one node: returns all input inverted.
 * After a drain message, it serves until it has had no connection for a while, then exits.
 */
const [name = '', address = '', httpPort = '0', framePort = '0'] = process.argv.slice(2);
/** Time without a connection after which a draining node exits. */
const quietMs = 250;

const sockets = new Set<Socket>();
let served = 0;
let isDraining = false;
let lastActivityMs = Date.now();

const http = createHttpServer((request, response) => {
  served += 1;
  response.setHeader('x-node', name);
  if (isDraining) response.setHeader('connection', 'close');
  request.pipe(invert()).pipe(response);
});
const frames = createServer({ allowHalfOpen: true }, (socket) => void serveFrames(socket).catch(() => socket.destroy()));

for (const [server, port] of [
  [http, httpPort],
  [frames, framePort],
] as const) {
  server.on('connection', trackConnection);
  await listen(server, Number(port));
}
process.send?.({ listening: true });
process.on('message', () => {
  isDraining = true;
  const timer = setInterval(() => {
    if (sockets.size > 0 || Date.now() - lastActivityMs < quietMs) return;
    clearInterval(timer);
    process.send?.({ served }, () => process.exit(0));
  }, 10);
});
// The parent process has exited.
process.on('disconnect', () => process.exit(1));

/** Sends the node's name, then answers each frame. When the client has closed its side, sends the number of frames. */
async function serveFrames(socket: Socket): Promise<void> {
  let count = 0;
  socket.write(frame(Buffer.from(name)));
  for await (const payload of readFrames(socket)) {
    served += 1;
    count += 1;
    for (let i = 0; i < payload.length; i++) payload[i] = ~(payload[i] as number);
    if (!socket.write(frame(payload))) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
  }
  socket.end(frame(Buffer.from(String(count))));
}

function trackConnection(socket: Socket): void {
  sockets.add(socket);
  lastActivityMs = Date.now();
  socket.on('error', () => {});
  socket.on('close', () => {
    sockets.delete(socket);
    lastActivityMs = Date.now();
  });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
}
