// The process of a pod: an HTTP server at the pod's address. It begins when its parent process sends the settings: an object of the type
// ProcessSettings in processes.ts.
import { createServer } from 'node:http';

let settings;
let opening;
let isTerminating = false;
let running = 0;
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://pod');
  if (pathname === '/healthz') {
    response.statusCode = isTerminating && !settings.isReadyWhileDraining ? 503 : 200;
    response.end();
    return;
  }
  running += 1;
  response.on('close', () => {
    running -= 1;
  });
  setTimeout(() => response.end('ok'), Number(searchParams.get('ms')));
});
server.keepAliveTimeout = 600_000;

process.on('message', (message) => {
  settings = message;
  const { address, port, openAt } = settings;
  const listen = () => server.listen({ port, host: address, backlog: 4096 }, () => process.send({ lateMs: Date.now() - openAt }));
  opening = setTimeout(listen, Math.max(1, openAt - Date.now()));
});
process.on('SIGTERM', () => {
  if (isTerminating || settings.onTerminate === 'ignore') return;
  isTerminating = true;
  if (!server.listening) clearTimeout(opening);
  setTimeout(stopListening, settings.drainMs + settings.closingMs);
});
process.on('disconnect', () => process.exit());

/** Stops accepting connections, and exits after a time, but not before the running requests have ended. */
function stopListening() {
  server.close();
  if (settings.onTerminate === 'close') server.closeAllConnections();
  else server.closeIdleConnections();
  const exit = () => (running === 0 ? process.exit() : setTimeout(exit, 10));
  setTimeout(exit, settings.exitMs);
}

process.send({ isWarm: true });
