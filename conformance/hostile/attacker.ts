/**
 * Opens connections to a server as fast as possible and holds them: attacker.ts PORT ADDRESS COUNT HEX, where HEX is what each connection
 * sends. Reports "opened" when all have been opened, and how many the server has closed when it receives a message.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

const [port = '', localAddress = '', count = '', hex = ''] = process.argv.slice(2);
const data = Buffer.from(hex, 'hex');
let closedCount = 0;

/** Resolves when the connection is open, or has failed. */
async function open(): Promise<void> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.resume().on('close', () => {
    closedCount += 1;
  });
  socket.on('error', () => undefined);
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  if (isOpen && data.length > 0) socket.write(data);
}

/** The number of connections that are opened at the same time: enough to keep the server busy. */
const concurrency = 200;

let remaining = Number(count);
const openRepeatedly = async (): Promise<void> => {
  while (remaining-- > 0) await open();
};
process.on('message', () => process.send?.(closedCount));
process.on('disconnect', () => process.exit());
await Promise.all(Array.from({ length: concurrency }, openRepeatedly));
process.send?.('opened');
